package phone

// maxCents is the greatest amount that can be typed.
const maxCents = 99_999_99

// parseCents reads an amount as it is typed: "12", "12.5" or "12.50".
func parseCents(s string) (cents int, ok bool) {
	places := -1 // digits after the point
	for i := range len(s) {
		switch c := s[i]; {
		case c == '.' && places < 0 && i > 0:
			places = 0
		case c < '0' || c > '9' || places == 2:
			return 0, false
		default:
			cents = cents*10 + int(c-'0')
			if places >= 0 {
				places++
			}
		}
		if cents > maxCents {
			return 0, false
		}
	}
	switch places {
	case -1:
		cents *= 100
	case 0:
		return 0, false
	case 1:
		cents *= 10
	}
	return cents, s != "" && cents <= maxCents
}
