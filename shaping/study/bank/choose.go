package bank

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// choose adds a viewpoint's items, as many of each world, and of each sign of
// the credit, so that to prefer always the same side is right half the time.
// Within those, sizes and families are served in turn: what is rare in random
// play is as common as it can be.
func (d *drawing) choose(view string, worlds []string) error {
	undecided := d.undecided(view)
	strata := map[quota]map[string][]candidate{}
	for _, c := range d.candidates {
		if c.View != view || c.Forward == c.Backward || undecided[c.Forward] {
			continue
		}
		q, name := quota{c.World, sign(c.Truth)}, fmt.Sprintf("%02d %s", c.variant, c.Family)
		if strata[q] == nil {
			strata[q] = map[string][]candidate{}
		}
		strata[q][name] = append(strata[q][name], c)
	}
	first := len(d.items)
	taken := map[int]bool{} // transitions
	for _, world := range worlds {
		even := evenPerView / len(worlds)
		negative := (perView/len(worlds) - even) / 2
		for i, want := range []int{even, negative, perView/len(worlds) - even - negative} {
			side := []float64{0, -1, 1}[i]
			had, err := d.takeInTurn(strata[quota{world, side}], want, taken)
			if err != nil {
				return err
			}
			if had < want {
				return fmt.Errorf("%w: of %s only %d of %d %s texts with credit of sign %v can be had", ErrBank, world, had, want, view, side)
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
	sign  float64 // of the credit
}

// undecided are the texts that were seen with credit of different signs: who
// reads them can't know.
func (d *drawing) undecided(view string) map[string]bool {
	signs, out := map[string]float64{}, map[string]bool{}
	for _, c := range d.candidates {
		if c.View != view {
			continue
		}
		had, seen := signs[c.Forward]
		if signs[c.Forward] = sign(c.Truth); seen && had != signs[c.Forward] {
			out[c.Forward] = true
		}
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
