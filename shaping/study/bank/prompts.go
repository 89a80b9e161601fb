package bank

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marlpit/shaping/llm"
)

// frozen are the prompts that the bank's results rest on, by name: SHA-256 of
// the template. What critics are asked with may grow; these never change.
var frozen = map[string]string{
	"fr-v1":    "ed08828858a98221707ae5bd0e6d65379237137cdb5b095f5e4ae674029a3997",
	"pair-v1":  "1d0abe2076645a423f2eb33d09ecbc51bf40dd44f560c18648fe3b9e6b56cd50",
	"score-v1": "530d1530d028482f3199366ab25b677026d8ccbd94e71a66ffa22c88dc4f652e",
	"all-v1":   "675f0d27725b338081194128a4443f399fddbd5934c21a47d4cb30a4a066a975",
}

// Prompts returns the hashes of the prompts that an annotator's name speaks of.
// It returns an error wrapping ErrBank where one is not what it was when the
// bank was frozen: its results couldn't be compared.
func Prompts(annotator string) (map[string]string, error) {
	_, used, _ := strings.Cut(annotator, " prompts=")
	used, _, _ = strings.Cut(used, " ")
	out := map[string]string{}
	for _, p := range llm.Prompts() {
		if !slices.Contains(strings.Split(used, ","), p.Name) {
			continue
		}
		if frozen[p.Name] != p.Hash {
			return nil, fmt.Errorf("%w: the prompt %s has the SHA-256 %s, and the bench %s knows %v", ErrBank, p.Name, p.Hash, Version, slices.Sorted(maps.Keys(frozen)))
		}
		out[p.Name] = p.Hash
	}
	return out, nil
}
