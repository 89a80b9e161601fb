package phone

import "marlpit/envs/ui"

// toward implements mender.
func (a *Settings) toward(p, want *Phone, x *ui.Pilot) bool {
	w := &want.Settings
	step := a.sending(w)
	if step == nil {
		step = a.setting(w)
	}
	switch {
	case step == nil:
		return false
	case p.Shown != "settings":
		x.Open("settings")
	default:
		step(x)
	}
	return true
}

// sending is the next step of what sends: what switches others comes first.
func (a *Settings) sending(w *Settings) func(x *ui.Pilot) {
	net, gadget := a.wrongNetwork(w), a.wrongGadget(w)
	switch {
	case a.Airplane != w.Airplane:
		return func(x *ui.Pilot) {
			if a.Screen != "" || a.Pick != "" || a.Search != "" {
				x.Back()
			}
			x.Tap("airplane", 0)
		}
	case a.Wifi && net >= 0:
		return func(x *ui.Pilot) { a.solveNetwork(x, net, &w.Networks[net], w.Network) }
	case a.Wifi != w.Wifi || net >= 0:
		return func(x *ui.Pilot) { a.tap(x, "Wi-Fi", "wifi", 0) }
	case a.Bluetooth && gadget >= 0:
		return func(x *ui.Pilot) { a.solveGadget(x, gadget, w.Gadgets[gadget]) }
	case a.Bluetooth != w.Bluetooth || gadget >= 0:
		return func(x *ui.Pilot) { a.tap(x, "Bluetooth", "bluetooth", 0) }
	}
	return nil
}

// wrongNetwork is one to forget, to connect to or to leave, or -1.
func (a *Settings) wrongNetwork(w *Settings) int {
	for i := range min(len(a.Networks), len(w.Networks)) {
		if a.Networks[i].Saved != w.Networks[i].Saved {
			return i
		}
	}
	if !w.Wifi || a.Network == w.Network {
		return -1
	}
	for i := range min(len(a.Networks), len(w.Networks)) {
		if n := a.Networks[i].Name; n == w.Network || w.Network == "" && n == a.Network {
			return i
		}
	}
	return -1
}

// wrongGadget is one to pair, unpair, connect or disconnect, or -1.
func (a *Settings) wrongGadget(w *Settings) int {
	for i := range min(len(a.Gadgets), len(w.Gadgets)) {
		if g := a.Gadgets[i]; g.Paired != w.Gadgets[i].Paired || w.Bluetooth && g.Connected != w.Gadgets[i].Connected {
			return i
		}
	}
	return -1
}

// setting is the next step of what concerns the phone alone.
func (a *Settings) setting(w *Settings) func(x *ui.Pilot) {
	slide := func(section, on string, key, now, level int) func(x *ui.Pilot) {
		return func(x *ui.Pilot) {
			dir := ui.Right
			if now > level {
				dir = ui.Left
			}
			if a.in(x, section) {
				x.Swipe(on, key, dir)
			}
		}
	}
	pick := func(on, option string, i int) func(x *ui.Pilot) {
		return func(x *ui.Pilot) {
			if a.Pick == on {
				x.Tap(option, i)
			}
			a.tap(x, "Display", on, 0)
		}
	}
	for i := range a.Levels {
		if a.Levels[i] != w.Levels[i] {
			return slide("Sound", "level", i, a.Levels[i], w.Levels[i])
		}
	}
	for _, f := range [...][2]string{{"auto", "Display"}, {"dark", "Display"}, {"vibrate", "Sound"}, {"quiet", "Sound"}, {"saver", "Battery"}} {
		if *a.flag(f[0]) != *w.flag(f[0]) {
			return func(x *ui.Pilot) { a.tap(x, f[1], f[0], 0) }
		}
	}
	switch {
	case a.Brightness != w.Brightness:
		return slide("Display", "brightness", 0, a.Brightness, w.Brightness)
	case a.FontSize != w.FontSize:
		return pick("size", "of-size", index(fontSizes, w.FontSize))
	case a.Timeout != w.Timeout:
		return pick("timeout", "of-timeout", index(timeouts, w.Timeout))
	case a.Language != w.Language:
		return func(x *ui.Pilot) { a.tap(x, "Language", "language", index(languages, w.Language)) }
	case a.Name != w.Name:
		return func(x *ui.Pilot) { a.solveName(x, w.Name) }
	}
	return nil
}

// in leads to a section without a dialog.
func (a *Settings) in(x *ui.Pilot, section string) bool {
	switch {
	case a.Pick != "", a.Screen != section && (a.Screen != "" || a.Search != ""):
		x.Back()
	case a.Screen != section:
		x.Tap("section", index(sections, section))
	default:
		return true
	}
	return false
}

// tap clicks a widget of a section.
func (a *Settings) tap(x *ui.Pilot, section, on string, key int) {
	if a.in(x, section) {
		x.Tap(on, key)
	}
}

// solveNetwork connects to a network, leaves or forgets it, as is wanted.
func (a *Settings) solveNetwork(x *ui.Pilot, i int, want *Network, connected string) {
	if a.Screen != "Wi-Fi" || a.Pick != "network" || a.Open != i {
		a.tap(x, "Wi-Fi", "network", i)
		return
	}
	switch n := &a.Networks[i]; {
	case n.Saved && !want.Saved:
		x.Tap("forget", 0)
	case n.Saved && connected == "":
		x.Tap("disconnect", 0)
	case !n.Saved && n.Secret != "" && a.Draft != n.Secret:
		x.Type("draft", 0, n.Secret)
	default:
		x.Tap("connect", 0)
	}
}

// solveGadget pairs, unpairs, connects and disconnects.
func (a *Settings) solveGadget(x *ui.Pilot, i int, want Gadget) {
	if a.Screen != "Bluetooth" || a.Pick != "gadget" || a.Open != i {
		a.tap(x, "Bluetooth", "gadget", i)
		return
	}
	switch g := &a.Gadgets[i]; {
	case !g.Paired:
		x.Tap("pair", 0)
	case !want.Paired:
		x.Tap("unpair", 0)
	case want.Connected:
		x.Tap("connect", 0)
	default:
		x.Tap("disconnect", 0)
	}
}

func (a *Settings) solveName(x *ui.Pilot, name string) {
	if a.Screen == "About phone" && a.Pick == "name" {
		if a.Draft != name {
			x.Type("draft", 0, name)
		}
		x.Tap("save", 0)
	}
	a.tap(x, "About phone", "rename", 0)
}
