package report

import (
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Paper has no scroll bars, and nothing opens on it.
func TestOnPaperNothingIsCutOff(t *testing.T) {
	screen, paper, ok := strings.Cut(style, "@media print {")
	require.True(t, ok)
	rules := regexp.MustCompile(`(?m)([^{};]+)\{([^}]*)\}`)
	shown := map[string]bool{}
	for _, r := range rules.FindAllStringSubmatch(paper, -1) {
		if strings.Contains(r[2], "overflow: visible") {
			for _, s := range strings.Split(r[1], ",") {
				shown[strings.TrimSpace(s)] = true
			}
		}
	}
	scrolls := 0
	for _, r := range rules.FindAllStringSubmatch(screen, -1) {
		if regexp.MustCompile(`overflow(-[xy])?: auto`).MatchString(r[2]) {
			scrolls++
			for _, s := range strings.Split(r[1], ",") {
				assert.True(t, shown[strings.TrimSpace(s)], "%s scrolls", s)
			}
		}
	}
	assert.Equal(t, 2, scrolls, "tables and replies")
	assert.Contains(t, paper, "details::details-content { content-visibility: visible;")
}
