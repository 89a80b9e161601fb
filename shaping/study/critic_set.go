package study

import (
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// Set changes settings that are written as on a command line:
// "error_rate=0.2,noise=per-text", with the keys of a file of critics. An
// unknown key, or one that means nothing to the kind, and a value of the wrong
// type are errors wrapping ErrCritic that name them.
func (c *CriticConfig) Set(settings string) error {
	for _, setting := range strings.Split(settings, ",") {
		key, value, ok := strings.Cut(setting, "=")
		key = strings.TrimSpace(key)
		if !ok {
			return fmt.Errorf("%w %q: settings are key=value, got %q", ErrCritic, c.Name, setting)
		}
		if key != "viewpoint" && !slices.Contains(kinds[c.Kind], key) {
			return fmt.Errorf("%w %q: %s means nothing to the kind %q, which knows %s", ErrCritic, c.Name, key, c.Kind, strings.Join(append([]string{"viewpoint"}, kinds[c.Kind]...), ", "))
		}
		// A text may stand without quotes.
		if _, err := toml.Decode(key+" = "+value, c); err == nil {
			continue
		}
		if _, err := toml.Decode(fmt.Sprintf("%s = %q", key, value), c); err != nil {
			return fmt.Errorf("%w %q: %s: %w", ErrCritic, c.Name, key, tomlError(err))
		}
	}
	return nil
}
