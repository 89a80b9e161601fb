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
		"clock_timer": `; did you mean "clock-timer"?`, "al": `; did you mean "all"?`, "lla": "", "spaceship": "", "": "", "contacts": "",
	} {
		if got := envs.DidYouMean(name, names); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
	if got := envs.DidYouMean(strings.Repeat("contacts-add", 1<<20), names); got != "" { // in no time
		t.Errorf("a name of megabytes: %q", got)
	}
}

func TestAmong(t *testing.T) {
	few := []string{"north", "south"}
	many := []string{"all"}
	for _, app := range []string{"calendar", "clock", "contacts"} {
		for _, what := range []string{"add", "count", "delete", "find", "mend", "move", "next"} {
			many = append(many, app+"-"+what)
		}
	}
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"nort", few, `did you mean "north"? There are north, south`},
		{"up", few, "there are north, south"},
		{"", nil, "there are "},
		{"clock-museum in Prague", many, "there are 22, such as clock-mend, clock-move, clock-add, clock-count, clock-delete; the list has them"},
		{"Clock-Nxt", many, `did you mean "clock-next"? There are 22, such as clock-next, clock-add, clock-count, clock-delete, clock-find; the list has them`},
		{"", many, "there are 22, such as all, calendar-add, calendar-count, calendar-delete, calendar-find; the list has them"},
	} {
		if got := envs.Among(c.name, c.names, "the list has them"); got != c.want {
			t.Errorf("%q: %s\nwant %s", c.name, got, c.want)
		}
	}
	if got := envs.Among("x", many, ""); got != "there are 22, such as all, calendar-add, calendar-count, calendar-delete, calendar-find" {
		t.Error(got)
	}
	if got := envs.Among(strings.Repeat("é", 1<<20), many, ""); len(got) > 120 {
		t.Errorf("%d bytes of a name of megabytes", len(got))
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
