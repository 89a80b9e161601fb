package phone

import (
	"strings"

	"marlpit/envs"
)

// firstNames and lastNames make the people of a phone.
var (
	firstNames = []string{"Ada", "Bela", "Carla", "Deniz", "Elif", "Farid", "Greta", "Hana", "Ivo", "Jonas",
		"Kofi", "Lena", "Marek", "Nadia", "Omar", "Petra", "Quentin", "Rosa", "Sami", "Tara", "Udo", "Vera", "Wanda", "Yuki"}
	lastNames = []string{"Adler", "Brandt", "Costa", "Dvorak", "Ekman", "Fontana", "Garcia", "Holm", "Ito", "Jansen",
		"Kaya", "Lopez", "Moreau", "Novak", "Okafor", "Petrov", "Quist", "Rossi", "Silva", "Tanaka"}
)

// fullNames are all names that people may have: no two share the first.
var fullNames = func() []string {
	out := make([]string, len(firstNames))
	for i, f := range firstNames {
		out[i] = f + " " + lastNames[i*7%len(lastNames)]
	}
	return out
}()

// mails are the addresses of fullNames.
var mails = func() map[string]string {
	out := make(map[string]string, len(fullNames))
	for _, n := range fullNames {
		out[n] = strings.ToLower(strings.ReplaceAll(n, " ", ".")) + "@example.org"
	}
	return out
}()

func mailOf(name string) string { return mails[name] }

// phoneNumber is a number nobody has: the 555-01xx of films, with an area before it.
func phoneNumber(r *envs.Rand) string {
	const digits = "0123456789"
	b := []byte("000 555-0100")
	for _, i := range []int{0, 1, 2, 10, 11} {
		b[i] = digits[r.Intn(10)]
	}
	return string(b)
}

// hasFold says whether s contains part, whatever the case; "" is in all. Both are ASCII.
func hasFold(s, part string) bool {
	for i := 0; i+len(part) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(part)], part) {
			return true
		}
	}
	return false
}
