package envs_test

import (
	"strings"
	"testing"

	"marlpit/envs"
)

func TestDidYouMean(t *testing.T) {
	names := []string{"all", "contacts-add", "contacts-delete", "clock-timer"}
	for name, want := range map[string]string{
		"contact-add": `; did you mean "contacts-add"?`, "Contacts-Delete": `; did you mean "contacts-delete"?`,
		"clock_timer": `; did you mean "clock-timer"?`, "al": `; did you mean "all"?`, "spaceship": "", "": "", "contacts": "",
	} {
		if got := envs.DidYouMean(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := envs.DidYouMean(strings.Repeat("contacts-add", 1<<20), names); got != "" { // in no time
		t.Errorf("a name of megabytes: %q", got)
	}
}

func TestAnUnseededRandSaysSo(t *testing.T) {
	defer func() {
		if got := recover(); got != "envs: Rand: it was never seeded" {
			t.Fatalf("%v", got)
		}
	}()
	var r envs.Rand
	r.Intn(6)
}
