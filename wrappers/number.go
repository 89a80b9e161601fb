package wrappers

import (
	"fmt"
	"math"
	"strconv"

	"marlpit/envs"
)

// number is an option that is a number from low to high.
type number struct {
	name      string
	low, high float64
	kind      numberKind
	set       func(x float64)
}

type numberKind int

const (
	decimal numberKind = iota
	whole              // no fraction
	above              // low itself is out of range, also where only float32 rounds to it
)

// into is a setter.
func into[T int | uint64 | float64](dst *T) func(x float64) { return func(x float64) { *dst = T(x) } }

// unpowered is a number without an exponent.
func unpowered(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// readNumbers sets those that options give. within is what refusals put before
// their names.
func readNumbers(within string, options map[string]any, numbers ...number) error {
	for _, n := range numbers {
		v, ok := options[n.name]
		if !ok {
			continue
		}
		x, ok := envs.Number(v)
		if !ok || !(x >= n.low && x <= n.high) || n.kind == whole && x != math.Trunc(x) || n.kind == above && float32(x) == float32(n.low) {
			what, from := "number", "from"
			switch n.kind {
			case whole:
				what = "whole number"
			case above:
				from = "above"
			}
			return fmt.Errorf("%w: %s%s is a %s %s %s to %s, got %s", ErrReward, within, n.name, what, from, unpowered(n.low), unpowered(n.high), show(v))
		}
		n.set(x)
	}
	return nil
}
