package victimrubble

import (
	"testing"

	"marlpit/envs/envtest"
)

// rooms is the layout with all roles, sites that of large teams.
var (
	rooms = map[string]any{"layout": "rooms", "scout": true, "keybearer": true, "view": "radius", "radius": 1, "ending": "leave"}
	sites = map[string]any{"layout": "sites", "engineers": 4, "medics": 4}
)

func TestContract(t *testing.T) {
	envtest.Run(t, Entry, nil, rooms, sites,
		map[string]any{"layout": "rooms", "keybearer": true, "places": "random", "ending": "death", "medics": 2},
		map[string]any{"places": "random", "engineers": 2, "medics": 2, "victims": 4, "max_cycles": 0},
		map[string]any{"layout": "sites", "engineers": 8, "medics": 8, "places": "random", "ending": "leave"},
		map[string]any{"ending": "death", "scout": true, "view": "radius"})
}

func TestGolden(t *testing.T) { envtest.Golden(t, Entry, "testdata/golden.txt") }

func TestGoldenRooms(t *testing.T) {
	envtest.Golden(t, Entry, "testdata/golden-rooms.txt",
		map[string]any{"layout": "rooms", "scout": true, "keybearer": true, "places": "random", "view": "radius", "ending": "death"})
}

func TestGoldenSites(t *testing.T) {
	envtest.Golden(t, Entry, "testdata/golden-sites.txt",
		map[string]any{"layout": "sites", "engineers": 3, "medics": 3, "places": "random", "ending": "leave"})
}

func FuzzRestore(f *testing.F)   { envtest.Fuzz(f, Entry, rooms) }
func BenchmarkStep(b *testing.B) { envtest.Bench(b, Entry, nil) }
