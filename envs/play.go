package envs

// NewActions returns a joint action of the lengths the spec asks for.
func NewActions(s *Spec) Actions {
	n := len(s.Agents) * s.ActionDims()
	if s.Continuous() {
		return Actions{Value: make([]float32, n)}
	}
	return Actions{Choice: make([]int32, n)}
}

// DrawLegal writes into a, for each agent and dimension, a choice drawn
// uniformly from those that mask, (agents, choices) as in Frame, allows, or a
// uniform point of a box. Where nothing is legal, because the agent has ended,
// it writes choice 0, which does nothing then.
func DrawLegal(s *Spec, mask []uint8, rng *Rand, a Actions) {
	dims, columns := s.ActionDims(), s.Choices()
	for agent, space := range s.Action {
		at := agent * columns
		for d := range space.Size() {
			k := agent*dims + d
			if s.Continuous() {
				low, high := space.Low[min(d, len(space.Low)-1)], space.High[min(d, len(space.High)-1)]
				a.Value[k] = low + float32(rng.Float64())*(high-low)
				continue
			}
			a.Choice[k] = drawOne(mask[at:at+space.N[d]], rng)
			at += space.N[d]
		}
	}
}

// drawOne is a uniform index of a 1; 0 where there is none.
func drawOne(mask []uint8, rng *Rand) int32 {
	n := 0
	for _, m := range mask {
		n += int(m)
	}
	if n == 0 {
		return 0
	}
	k := rng.Intn(n)
	for i, m := range mask {
		if m == 1 {
			if k == 0 {
				return int32(i)
			}
			k--
		}
	}
	panic("envs: DrawLegal: a mask element is above 1")
}

// SuccessReward is what success after t steps pays where being quick is worth
// something: 1 − 0.5·t/maxCycles, and 1 in a game without limit.
func SuccessReward(t int32, maxCycles int) float32 {
	if maxCycles == 0 {
		return 1
	}
	return 1 - 0.5*float32(t)/float32(maxCycles)
}
