package report

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	//go:embed page.html.tmpl
	pageTemplate string
	//go:embed parts.html.tmpl
	partTemplates string
	//go:embed style.css
	style string
)

// maxWords bounds one text of a file on the page, in bytes.
const maxWords = 4000

// page is parsed once; a mistake in it is a bug and panics.
var page = template.Must(template.Must(template.New("page").Funcs(template.FuncMap{
	"n": grouped, "pct": percent, "num": number, "signed": signed, "two": two, "cut": cut, "chance": chance,
	"round": func(x float64) string { return strconv.FormatFloat(100*x, 'f', 0, 64) },
	"style": func() template.CSS { return template.CSS(style) }, // our own file
	"x":     func(low, high, v float64) float64 { return low + (high-low)*min(max(v, 0), 1) },
	"stops": func() []string {
		var out []string
		for _, c := range rampStops {
			out = append(out, hex(c))
		}
		return out
	},
	"stop":   func(i int) float64 { return float64(i) / float64(len(rampStops)-1) },
	"radius": func(n int) float64 { return min(2+0.6*math.Sqrt(float64(n)), 14) },
	"add":    func(a, b int) int { return a + b },
	"dict": func(pairs ...any) map[string]any {
		out := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i].(string)] = pairs[i+1]
		}
		return out
	},
}).Parse(partTemplates)).Parse(pageTemplate))

// grouped writes a count with narrow spaces, which don't break, between thousands.
func grouped(v any) string {
	s := fmt.Sprint(v)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "\u202f" + s[i:]
	}
	return s
}

// percent writes a share: "79.3 %".
func percent(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64) + "\u202f%"
}

// chance writes a ratio of counts as a share; "–" for none of none.
func chance(k, n int) string {
	if n == 0 {
		return "–"
	}
	return percent(float64(k) / float64(n))
}

// number writes three significant digits.
func number(x float64) string {
	if math.IsNaN(x) {
		return "–"
	}
	return minus(strconv.FormatFloat(x, 'g', 3, 64))
}

// two writes a number with two decimals.
func two(x float64) string { return minus(strconv.FormatFloat(x, 'f', 2, 64)) }

// signed writes a number with two decimals and its sign; zero has none.
func signed(x float64) string {
	if s := two(x); x > 0 && s != "0.00" {
		return "+" + s
	}
	return two(x)
}

// minus sets the sign as it is printed, and takes it off what is zero as printed.
func minus(s string) string {
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return strings.ReplaceAll(s, "-", "−")
}

// cut makes a text of a file fit for the page: at most n bytes of it, and an
// ellipsis for the rest; bytes that are no text are shown as such.
func cut(s string, n int) string {
	more := len(s) > n
	if more {
		for n > 0 && !utf8.RuneStart(s[n]) {
			n--
		}
		s = s[:n]
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return utf8.RuneError
		}
		return r
	}, s)
	if more {
		s += "…"
	}
	return s
}
