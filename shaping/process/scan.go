package process

import "strings"

// What follows walks JSON without memory of its own, for the step path. It is
// made for valid texts, and makes nothing of others: it never fails.

// eachMember calls f with the members of an object: names without quotes,
// values as they stand.
func eachMember(object []byte, f func(name, value []byte)) {
	for i := inside(object, '{'); ; {
		name, next := nextValue(object, i)
		if len(name) < 2 || name[0] != '"' {
			return
		}
		value, end := nextValue(object, next)
		if len(value) == 0 {
			return
		}
		f(name[1:len(name)-1], value)
		i = end
	}
}

// eachItem calls f with the items of an array.
func eachItem(array []byte, f func(value []byte)) {
	for i := inside(array, '['); ; {
		value, end := nextValue(array, i)
		if len(value) == 0 {
			return
		}
		f(value)
		i = end
	}
}

// inside is the place after an opening bracket; the text's end where there is none.
func inside(b []byte, open byte) int {
	if len(b) == 0 || b[0] != open {
		return len(b)
	}
	return 1
}

// nextValue is the value that begins after separators, and where it ends; ""
// at a closing bracket and at the end.
func nextValue(b []byte, i int) (value []byte, end int) {
	for i < len(b) && strings.IndexByte(" \t\r\n,:", b[i]) >= 0 {
		i++
	}
	start, depth := i, 0
	for i < len(b) {
		switch b[i] {
		case '"':
			i = stringEnd(b, i)
			if depth == 0 {
				return b[start:i], i
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return b[start:i], i
			}
			if depth--; depth == 0 {
				return b[start : i+1], i + 1
			}
		case ',', ':', ' ', '\t', '\r', '\n':
			if depth == 0 {
				return b[start:i], i
			}
		}
		i++
	}
	return nil, i
}

// stringEnd is the place after a string that begins at i.
func stringEnd(b []byte, i int) int {
	for i++; i < len(b); i++ {
		switch b[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return len(b)
}

// inner is a string without its quotes, escapes as they stand; of another value
// it is nothing.
func inner(value []byte) []byte {
	if len(value) < 2 || value[0] != '"' {
		return nil
	}
	return value[1 : len(value)-1]
}

// word finds the first word of a string from a place on: letters and digits, in
// which case doesn't matter, and how it is hashed. end is -1 where there is none.
func word(s []byte, from int) (hash uint64, end int) {
	const offset, prime = 14695981039346656037, 1099511628211 // FNV-1a
	hash = offset
	for i := from; i < len(s); i++ {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0x80:
		case c == '\\':
			i++ // what is escaped parts words
			fallthrough
		default:
			if hash == offset {
				continue
			}
			return mix(hash), i
		}
		hash = (hash ^ uint64(c)) * prime
	}
	if hash == offset {
		return 0, -1
	}
	return mix(hash), len(s)
}

// appendWords appends the words of a string.
func appendWords(dst []uint64, s []byte) []uint64 {
	for h, end := word(s, 0); end >= 0; h, end = word(s, end) {
		dst = append(dst, h)
	}
	return dst
}

// whole is the hash of all words in their order; 0 for none.
func whole(words []uint64) uint64 {
	h := uint64(0)
	for _, w := range words {
		h = mix(h*31 + w)
	}
	return h
}
