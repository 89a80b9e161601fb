package grid

import "strconv"

var small = [...]string{
	"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
	"thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
}

var tens = [...]string{2: "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"}

// AppendNumber writes a number as a word: "zero" to "nine hundred and
// ninety-nine"; beyond and below, in digits. Small language models compare
// words better than digits.
func AppendNumber(dst []byte, n int) []byte {
	switch {
	case n < 0 || n > 999:
		return strconv.AppendInt(dst, int64(n), 10)
	case n < len(small):
		return append(dst, small[n]...)
	case n < 100:
		dst = append(dst, tens[n/10]...)
		if n%10 > 0 {
			dst = append(append(dst, '-'), small[n%10]...)
		}
		return dst
	}
	dst = append(append(dst, small[n/100]...), " hundred"...)
	if n%100 > 0 {
		dst = AppendNumber(append(dst, " and "...), n%100)
	}
	return dst
}

// AppendCount writes a number word with its noun: "one step", "two steps".
func AppendCount(dst []byte, n int, noun string) []byte {
	dst = append(append(AppendNumber(dst, n), ' '), noun...)
	if n != 1 {
		dst = append(dst, 's')
	}
	return dst
}
