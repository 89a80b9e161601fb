package worlds

// Prepare implements envs.Solver. There is nothing to tabulate.
func (u *uneven) Prepare() error { return nil }

// Remaining implements envs.Solver.
func (u *uneven) Remaining() (work, time float64) {
	if u.s.won {
		return 0, 0
	}
	walk := max(gap(u.s), 1) // the last step walks and presses
	if u.s.spoken {
		return float64(walk), float64(walk)
	}
	return float64(walk + 1), float64(max(walk, 2))
}

// AppendBest implements envs.Solver.
func (u *uneven) AppendBest(dst []int32) []int32 {
	var walk, press, word int32
	left := gap(u.s)
	switch {
	case u.s.won:
	case !u.s.spoken:
		word = 3
		if left > 1 {
			walk = u.towards()
		}
	default:
		walk = u.towards()
		if left <= 1 {
			press = 1
		}
	}
	return append(dst, walk, press, 0, word, 0, 0)
}

func (u *uneven) towards() int32 {
	switch {
	case u.s.mover > u.s.light:
		return walkLeft
	case u.s.mover < u.s.light:
		return walkRight
	}
	return walkStay
}
