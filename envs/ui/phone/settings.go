package phone

import (
	"marlpit/envs"
	"marlpit/envs/ui"
)

// Settings is the app of how the phone is set.
type Settings struct {
	Airplane  bool
	Wifi      bool
	Network   string // the one connected to, "" for none
	Networks  []Network
	Bluetooth bool
	Gadgets   []Gadget

	Brightness int // 0 to 10, as all levels
	Auto       bool
	Dark       bool
	FontSize   string // one of fontSizes
	Timeout    string // one of timeouts

	Levels  [3]int // volumes of what volumes names
	Vibrate bool
	Quiet   bool // do not disturb

	Saver    bool // of the battery
	Battery  int  // per cent
	Language string
	Name     string // of the phone
	Version  string
	Serial   string

	Screen string `ui:"view"` // "" the sections, or one of sections
	Pick   string `ui:"view"` // what a dialog is about: "network", "gadget", "size", "timeout", "name" or ""
	Open   int    `ui:"view"` // which network or gadget
	Draft  string `ui:"view"` // a password or name being typed
	Wrong  bool   `ui:"view"` // the password was wrong
	Search string `ui:"view"`
}

// Network is a wireless network in reach.
type Network struct {
	Name   string
	Secret string // its password, "" for none
	Saved  bool   // the phone knows the password
}

// Gadget is a thing nearby that speaks Bluetooth.
type Gadget struct {
	Name      string
	Paired    bool
	Connected bool
}

const (
	maxLevel = 10 // of brightness and volumes
)

var (
	sections  = []string{"Wi-Fi", "Bluetooth", "Display", "Sound", "Battery", "Language", "About phone"}
	volumes   = []string{"Media volume", "Ring volume", "Alarm volume"}
	fontSizes = []string{"small", "normal", "large", "huge"}
	timeouts  = []string{"15 seconds", "30 seconds", "1 minute", "2 minutes", "5 minutes", "10 minutes"}
	languages = []string{"English", "Deutsch", "Italiano", "Polski", "Suomi", "Cymraeg", "Nederlands", "Magyar"}

	networkNames = []string{"Lighthouse", "Cafe Linden", "Station", "Blue Door", "Pinewood", "Annex 2", "Guest House", "Library"}
	gadgetNames  = []string{"Headphones H2", "Kitchen Speaker", "Car Radio", "Sport Watch", "Keyboard K7", "Hearing Aid", "Printer P3", "TV Lounge"}
	phoneNames   = []string{"Pebble", "Work phone", "Spare phone", "Comet", "Old faithful", "Pocket", "Magpie", "Travel phone"}
)

// secret is a password nobody has.
func secret(r *envs.Rand) string {
	words := []string{"amber", "kettle", "walnut", "ribbon", "copper", "meadow", "pepper", "violet"}
	return ui.Pick(r, words) + "-" + ui.Pick(r, words) + "-" + counts[r.Intn(10)] + counts[r.Intn(10)]
}

func (a *Settings) fill(_ *Phone, r *envs.Rand) {
	*a = Settings{Networks: a.Networks[:0], Gadgets: a.Gadgets[:0],
		Wifi: true, Bluetooth: r.Intn(2) == 0, Brightness: 1 + r.Intn(9), Auto: r.Intn(2) == 0, Dark: r.Intn(2) == 0,
		FontSize: ui.Pick(r, fontSizes), Timeout: ui.Pick(r, timeouts), Vibrate: r.Intn(2) == 0, Quiet: r.Intn(2) == 0,
		Saver: r.Intn(2) == 0, Battery: 15 + r.Intn(80), Language: ui.Pick(r, languages), Name: ui.Pick(r, phoneNames)}
	for i := range a.Levels {
		a.Levels[i] = 1 + r.Intn(9)
	}
	for i, n := range ui.Draw(r, networkNames, 5) {
		a.Networks = append(a.Networks, Network{Name: n, Secret: secret(r), Saved: i < 2})
	}
	a.Networks[4].Secret = "" // one is open
	a.Network = a.Networks[0].Name
	for i, n := range ui.Draw(r, gadgetNames, 5) {
		a.Gadgets = append(a.Gadgets, Gadget{Name: n, Paired: i < 2})
	}
	a.Version = counts[10+r.Intn(5)] + "." + counts[r.Intn(10)] + "." + counts[r.Intn(10)]
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
	serial := make([]byte, 8)
	for i := range serial {
		serial[i] = letters[r.Intn(len(letters))]
	}
	a.Serial = string(serial)
}

func (a *Settings) open() {
	a.Screen, a.Pick, a.Open, a.Draft, a.Wrong, a.Search = "", "", 0, "", false, ""
}

// network is the one of a name, or nil.
func (a *Settings) network(name string) *Network {
	for i := range a.Networks {
		if a.Networks[i].Name == name {
			return &a.Networks[i]
		}
	}
	return nil
}

// setAirplane switches airplane mode; while it starts, all that sends is switched off.
func (a *Settings) setAirplane(on bool) {
	if a.Airplane = on; on {
		a.setWifi(false)
		a.setBluetooth(false)
	}
}

func (a *Settings) setWifi(on bool) {
	a.Wifi = on
	if !on {
		a.Network = ""
	}
}

func (a *Settings) setBluetooth(on bool) {
	a.Bluetooth = on
	if !on {
		for i := range a.Gadgets {
			a.Gadgets[i].Connected = false
		}
	}
}

// join connects to a network and remembers it.
func (a *Settings) join(n *Network) { a.Network, n.Saved = n.Name, true }

// flag is a switch of the phone by the name of its widget, or nil.
func (a *Settings) flag(on string) *bool {
	switch on {
	case "auto":
		return &a.Auto
	case "dark":
		return &a.Dark
	case "vibrate":
		return &a.Vibrate
	case "quiet":
		return &a.Quiet
	case "saver":
		return &a.Saver
	}
	return nil
}
