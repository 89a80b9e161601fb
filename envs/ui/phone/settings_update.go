package phone

import "marlpit/envs/ui"

func (a *Settings) update(_ *Phone, e ui.Event) bool {
	switch {
	case e.Kind == ui.Back, e.Is(ui.Click, "close"):
		return a.back()
	case e.Is(ui.Input, "search"):
		a.Search = e.Text
	case e.Is(ui.Click, "section") && e.Key >= 0 && e.Key < len(sections):
		a.Screen, a.Search = sections[e.Key], ""
	case e.Is(ui.Click, "airplane"):
		a.setAirplane(!a.Airplane)
	case e.Is(ui.Click, "wifi"):
		a.setWifi(!a.Wifi)
	case e.Is(ui.Click, "bluetooth"):
		a.setBluetooth(!a.Bluetooth)
	case e.Is(ui.Click, "network"), e.Is(ui.Click, "gadget"):
		a.Pick, a.Open, a.Draft, a.Wrong = e.On, e.Key, "", false
	case e.Is(ui.Click, "size"), e.Is(ui.Click, "timeout"):
		a.Pick = e.On
	case e.Is(ui.Click, "rename"):
		a.Pick, a.Draft = "name", a.Name
	case e.Is(ui.Input, "draft"):
		a.Draft, a.Wrong = e.Text, false
	case e.Is(ui.Click, "save") && a.Draft != "":
		a.Name, a.Pick = a.Draft, ""
	case a.Pick == "network" && a.Open >= 0 && a.Open < len(a.Networks):
		a.updateNetwork(&a.Networks[a.Open], e)
	case a.Pick == "gadget" && a.Open >= 0 && a.Open < len(a.Gadgets):
		a.updateGadget(&a.Gadgets[a.Open], e)
	case e.Kind == ui.Swipe:
		a.slide(e)
	case e.Kind == ui.Click:
		a.set(e)
	}
	return true
}

// back leaves what is uppermost.
func (a *Settings) back() bool {
	switch {
	case a.Pick != "":
		a.Pick = ""
	case a.Screen != "" || a.Search != "":
		a.open()
	default:
		return false
	}
	return true
}

// set handles switches and choices.
func (a *Settings) set(e ui.Event) {
	if f := a.flag(e.On); f != nil {
		*f = !*f
	}
	if l, ok := chosen(e, "language", languages); ok {
		a.Language = l
	}
	if s, ok := chosen(e, "of-size", fontSizes); ok {
		a.FontSize, a.Pick = s, ""
	}
	if s, ok := chosen(e, "of-timeout", timeouts); ok {
		a.Timeout, a.Pick = s, ""
	}
}

// slide handles swipes over sliders: to the right is more.
func (a *Settings) slide(e ui.Event) {
	by := 1
	if e.Dir == ui.Left {
		by = -1
	}
	switch {
	case e.On == "brightness":
		a.Brightness = max(0, min(a.Brightness+by, maxLevel))
	case e.On == "level" && e.Key >= 0 && e.Key < len(a.Levels):
		a.Levels[e.Key] = max(0, min(a.Levels[e.Key]+by, maxLevel))
	}
}

func (a *Settings) updateNetwork(n *Network, e ui.Event) {
	switch {
	case e.Is(ui.Click, "connect") && a.Wifi && (n.Saved || n.Secret == "" || n.Secret == a.Draft):
		a.join(n)
		a.Pick = ""
	case e.Is(ui.Click, "connect"):
		a.Wrong = true
	case e.Is(ui.Click, "disconnect") && a.Network == n.Name:
		a.Network, a.Pick = "", ""
	case e.Is(ui.Click, "forget"):
		n.Saved, a.Pick = false, ""
		if a.Network == n.Name {
			a.Network = ""
		}
	}
}

func (a *Settings) updateGadget(g *Gadget, e ui.Event) {
	switch {
	case e.Is(ui.Click, "pair"):
		g.Paired, a.Pick = true, ""
	case e.Is(ui.Click, "unpair"):
		g.Paired, g.Connected, a.Pick = false, false, ""
	case e.Is(ui.Click, "connect") && a.Bluetooth && g.Paired:
		g.Connected, a.Pick = true, ""
	case e.Is(ui.Click, "disconnect"):
		g.Connected, a.Pick = false, ""
	}
}
