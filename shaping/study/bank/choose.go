package bank

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// choose adds a viewpoint's items, as many of each world. Strata (a world in one
// size, family, sign of the credit) are served in turn, so that what is rare in
// random play is as common as it can be.
func (d *drawing) choose(view string, worlds []string) error {
	undecided := d.undecided(view)
	strata := map[quota]map[string][]candidate{}
	for _, c := range d.candidates {
		if c.View != view || c.Forward == c.Backward || undecided[c.Forward] {
			continue
		}
		q, name := quota{c.World, c.Truth == 0}, fmt.Sprintf("%02d %s %v", c.variant, c.Family, c.Truth > 0)
		if strata[q] == nil {
			strata[q] = map[string][]candidate{}
		}
		strata[q][name] = append(strata[q][name], c)
	}
	first := len(d.items)
	taken := map[int]bool{} // transitions
	for _, world := range worlds {
		for _, q := range []quota{{world, true}, {world, false}} {
			want := q.items() / len(worlds)
			had, err := d.takeInTurn(strata[q], want, taken)
			if err != nil {
				return err
			}
			if had < want {
				return fmt.Errorf("%w: of %s only %d of %d %s texts can be had (without credit: %v)", ErrBank, world, had, want, view, q.even)
			}
		}
	}
	chosen := d.items[first:]
	d.rng.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	for i := range chosen {
		chosen[i].ID = fmt.Sprintf("%s-%03d", view, i+1)
	}
	return nil
}

// quota is a part of a bank with a size of its own.
type quota struct {
	world string
	even  bool // without credit
}

// items is its size, where there is one world.
func (q quota) items() int {
	if q.even {
		return evenPerView
	}
	return perView - evenPerView
}

// undecided are the texts that were seen with credit of different signs: who
// reads them can't know.
func (d *drawing) undecided(view string) map[string]bool {
	signs, out := map[string]float64{}, map[string]bool{}
	for _, c := range d.candidates {
		if c.View != view {
			continue
		}
		sign := sign(c.Truth)
		if had, ok := signs[c.Forward]; ok && had != sign {
			out[c.Forward] = true
		}
		signs[c.Forward] = sign
	}
	return out
}

func sign(x float64) float64 {
	if x == 0 {
		return 0
	}
	return math.Copysign(1, x)
}

// takeInTurn takes one of each stratum, again and again, until there are
// enough or none is left. It says how many were taken.
func (d *drawing) takeInTurn(strata map[string][]candidate, want int, taken map[int]bool) (had int, err error) {
	names, turn := slices.Sorted(maps.Keys(strata)), map[string]int{}
	for _, name := range names {
		s := strata[name]
		d.rng.Shuffle(len(s), func(i, j int) { s[i], s[j] = s[j], s[i] })
		turn[name] = d.rng.Intn(2 * len(wardrobe))
	}
	for more := true; more && had < want; {
		more = false
		for _, name := range names {
			for len(strata[name]) > 0 && had < want {
				c := strata[name][0]
				strata[name] = strata[name][1:]
				if taken[c.transition] {
					continue
				}
				item := c.Item
				if n := turn[name]; n%2 == 1 { // every other one of a stratum is in clothes, each in its turn
					if err := item.wear(wardrobe[n/2%len(wardrobe)]); err != nil {
						return had, err
					}
				}
				if d.used[item.Forward] || d.used[item.Backward] {
					continue
				}
				d.used[item.Forward], d.used[item.Backward], taken[c.transition] = true, true, true
				d.items = append(d.items, item)
				had, more = had+1, true
				turn[name]++
				break
			}
		}
	}
	return had, nil
}

// wear puts an item's words in clothes.
func (i *Item) wear(c *clothes) (err error) {
	i.Clothes = c.name
	for _, text := range []*string{&i.Agent, &i.Forward, &i.Backward} {
		if *text, err = c.dress(*text); err != nil {
			return err
		}
	}
	return nil
}
