package envtest

import (
	"math"
	"slices"
	"testing"

	"marlpit/envs"
)

// checkFrame tests that every element is written every time, within its bounds.
func checkFrame(tb testing.TB, s *subject) {
	for _, seed := range seeds {
		a, b := s.play(tb, seed), newPlayer(s.build(tb), seed)
		b.dirt = 0x55 // another rubbish: what isn't written differs
		b.reset(seed)
		for n := 0; ; n++ {
			if d := diff(b.frame, a.frame); d != "" {
				tb.Fatalf("frame: seed %d, step %d: not written, or not determined: %s", seed, a.t, d)
			}
			if !checkPlay(tb, s, a) || n == horizon {
				break
			}
			act := a.random()
			a.step(act)
			b.step(act)
		}
	}
}

// checkPlay tests the frame a player has come to. False: it was reported as bad.
func checkPlay(tb testing.TB, s *subject, p *player) bool {
	tb.Helper()
	before := tb.Failed()
	checkBounds(tb, p)
	checkMask(tb, p)
	checkRewards(tb, s, p)
	return before || !tb.Failed()
}

func checkBounds(tb testing.TB, p *player) {
	size := p.spec.ObsSize()
	for i, space := range p.spec.Obs {
		for k := range size {
			var v float32
			if p.frame.Pixels != nil {
				v = float32(p.frame.Pixels[i*size+k])
			} else {
				v = p.frame.Obs[i*size+k]
			}
			if k >= space.Size() {
				if v != 0 {
					tb.Errorf("obs: step %d: the padding of %s is %v, want 0", p.t, p.spec.Agents[i], v)
					return
				}
				continue
			}
			if !within(v, space, k) {
				tb.Errorf("obs: step %d: element %d of %s is %v, want %v to %v", p.t, k, p.spec.Agents[i], v, bound(space.Low, k), bound(space.High, k))
				return
			}
		}
	}
	for k, v := range p.frame.State {
		if !within(v, p.spec.State, k) {
			tb.Errorf("state: step %d: element %d is %v, want %v to %v", p.t, k, v, bound(p.spec.State.Low, k), bound(p.spec.State.High, k))
			return
		}
	}
}

func within(v float32, s envs.Space, i int) bool {
	return v >= bound(s.Low, i) && v <= bound(s.High, i)
}

func checkMask(tb testing.TB, p *player) {
	if p.spec.Continuous() {
		return
	}
	width := p.spec.Choices()
	for i, space := range p.spec.Action {
		row := p.frame.Mask[i*width : (i+1)*width]
		for k, m := range row {
			if m > 1 || m == 1 && k >= space.Choices() {
				tb.Errorf("mask: step %d: column %d of %s is %d; want 0 or 1, and 0 in the padding", p.t, k, p.spec.Agents[i], m)
				return
			}
		}
		if p.frame.Terminated[i] || p.frame.Truncated[i] {
			continue
		}
		for d := range space.N {
			if !slices.Contains(p.mask(i, d), 1) {
				tb.Errorf("mask: step %d: %s is alive and has no legal choice in dimension %d", p.t, p.spec.Agents[i], d)
			}
		}
	}
}

// checkRewards tests rewards, team rewards and info.
func checkRewards(tb testing.TB, s *subject, p *player) {
	spec, f := p.spec, p.frame
	first := -1 // of a team, the first who was alive
	for i, name := range spec.Agents {
		team, reward := f.Team[i], f.Rewards[i]
		switch {
		case !finite(reward) || !(team >= min(spec.Rewards[0], 0)) || !(team <= max(spec.Rewards[1], 0)):
			tb.Errorf("rewards: step %d: %s got %v, of the team %v; want %v to %v", p.t, name, reward, team, spec.Rewards[0], spec.Rewards[1])
		case p.t == 0 && (reward != 0 || team != 0):
			tb.Errorf("rewards: %s got %v, of the team %v, in a reset", name, reward, team)
		case p.dead[i] && (reward != 0 || s.wrap == nil && team != 0):
			tb.Errorf("rewards: step %d: %s had ended before and got %v, of the team %v", p.t, name, reward, team)
		case s.wrap == nil && reward != team:
			tb.Errorf("rewards: step %d: %s got %v, of the team %v: a game without wrapper writes the same", p.t, name, reward, team)
		}
		if spec.Team && !p.dead[i] {
			if first < 0 {
				first = i
			}
			if team != f.Team[first] {
				tb.Errorf("rewards: step %d: the reward is shared, but %s got %v and %s %v", p.t, name, team, spec.Agents[first], f.Team[first])
			}
		}
		for k, column := range spec.Info {
			if v := f.Info[i*len(spec.Info)+k]; !finite(v) || column == "success" && v != 0 && v != 1 {
				tb.Errorf("info: step %d: %s of %s is %v", p.t, column, name, v)
			} else if column == "success" && v == 1 && f.Truncated[i] && !f.Terminated[i] {
				tb.Errorf("info: step %d: %s was cut by a limit, and that counts as success", p.t, name)
			}
		}
		if p.t == 0 && !p.restored && (f.Terminated[i] || f.Truncated[i]) {
			tb.Errorf("ends: %s has ended in a reset", name)
		}
	}
}

func finite(v float32) bool { return !math.IsNaN(float64(v)) && !math.IsInf(float64(v), 0) }
