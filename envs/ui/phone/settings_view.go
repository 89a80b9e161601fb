package phone

import "marlpit/envs/ui"

func (a *Settings) view(_ *Phone, b *ui.Builder) {
	switch a.Screen {
	case "Wi-Fi":
		a.viewWifi(b)
	case "Bluetooth":
		a.viewBluetooth(b)
	case "Display":
		a.viewDisplay(b)
	case "Sound":
		b.Heading("Sound")
		for i, v := range volumes {
			b.Slider("level", i, v, percent(b, a.Levels[i]))
		}
		b.Switch("vibrate", 0, "Vibrate for calls", a.Vibrate)
		b.Switch("quiet", 0, "Do not disturb", a.Quiet)
	case "Battery":
		b.Heading("Battery")
		b.Label(b.Cat(b.Int(a.Battery), " %")).Describe("charge")
		b.Switch("saver", 0, "Battery saver", a.Saver)
	case "Language":
		b.Heading("Language")
		for i, l := range languages {
			b.Radio("language", i, l, l == a.Language)
		}
	case "About phone":
		a.viewAbout(b)
	default:
		a.viewSections(b)
	}
}

func (a *Settings) viewSections(b *ui.Builder) {
	b.Heading("Settings")
	b.Field("search", 0, "Search", a.Search)
	if hasFold("Airplane mode", a.Search) {
		b.Switch("airplane", 0, "Airplane mode", a.Airplane)
	}
	b.Scroll("sections", 0)
	for i, s := range sections {
		if hasFold(s, a.Search) {
			b.Item("section", i, s, a.summary(b, s))
		}
	}
	b.End()
}

// summary is the second line of a section.
func (a *Settings) summary(b *ui.Builder, section string) string {
	switch section {
	case "Wi-Fi":
		if a.Wifi {
			return connectedTo(a.Network)
		}
		return "off"
	case "Bluetooth":
		return onOff(a.Bluetooth)
	case "Display":
		return b.Cat("brightness ", percent(b, a.Brightness), ", dark theme ", onOff(a.Dark))
	case "Sound":
		return b.Cat("ring volume ", percent(b, a.Levels[1]))
	case "Battery":
		return b.Cat(b.Int(a.Battery), " %")
	case "Language":
		return a.Language
	}
	return a.Name
}

func (a *Settings) viewWifi(b *ui.Builder) {
	b.Heading("Wi-Fi")
	b.Switch("wifi", 0, "Use Wi-Fi", a.Wifi)
	if a.Wifi {
		b.Scroll("networks", 0)
		for i := range a.Networks {
			n := &a.Networks[i]
			b.Item("network", i, n.Name, networkWords(n, a.Network))
		}
		b.End()
	}
	if a.Pick != "network" || a.Open < 0 || a.Open >= len(a.Networks) {
		return
	}
	n := &a.Networks[a.Open]
	b.Dialog(n.Name)
	if !n.Saved && n.Secret != "" {
		b.Field("draft", 0, "Password", a.Draft)
		if a.Wrong {
			b.Label("Wrong password")
		}
		b.Row(2)
		b.Button("close", 0, "Cancel")
		b.Button("connect", 0, "Connect").Disable(a.Draft == "")
		return
	}
	if a.Network == n.Name {
		b.Button("disconnect", 0, "Disconnect")
	} else {
		b.Button("connect", 0, "Connect")
	}
	b.Row(2)
	b.Button("close", 0, "Cancel")
	b.Button("forget", 0, "Forget").Disable(!n.Saved)
}

func (a *Settings) viewBluetooth(b *ui.Builder) {
	b.Heading("Bluetooth")
	b.Switch("bluetooth", 0, "Use Bluetooth", a.Bluetooth)
	if a.Bluetooth {
		b.Scroll("gadgets", 0)
		for i := range a.Gadgets {
			g := &a.Gadgets[i]
			b.Item("gadget", i, g.Name, gadgetWords(g))
		}
		b.End()
	}
	if a.Pick != "gadget" || a.Open < 0 || a.Open >= len(a.Gadgets) {
		return
	}
	switch g := &a.Gadgets[a.Open]; {
	case !g.Paired:
		b.Dialog(b.Cat("Pair with ", g.Name, "?"))
		b.Row(2)
		b.Button("close", 0, "Cancel")
		b.Button("pair", 0, "Pair")
	default:
		b.Dialog(g.Name)
		if g.Connected {
			b.Button("disconnect", 0, "Disconnect")
		} else {
			b.Button("connect", 0, "Connect")
		}
		b.Row(2)
		b.Button("close", 0, "Cancel")
		b.Button("unpair", 0, "Unpair")
	}
}

func (a *Settings) viewDisplay(b *ui.Builder) {
	b.Heading("Display")
	b.Slider("brightness", 0, "Brightness", percent(b, a.Brightness))
	b.Switch("auto", 0, "Adaptive brightness", a.Auto)
	b.Switch("dark", 0, "Dark theme", a.Dark)
	b.Select("size", 0, "Font size", a.FontSize)
	b.Select("timeout", 0, "Screen timeout", a.Timeout)
	switch a.Pick {
	case "size":
		choose(b, "of-size", "Font size", fontSizes, a.FontSize)
	case "timeout":
		choose(b, "of-timeout", "Screen timeout", timeouts, a.Timeout)
	}
}

func (a *Settings) viewAbout(b *ui.Builder) {
	b.Heading("About phone")
	b.Item("rename", 0, "Phone name", a.Name)
	b.Label(a.Version).Describe("version")
	b.Label(a.Serial).Describe("serial number")
	if a.Pick == "name" {
		b.Dialog("Phone name")
		b.Field("draft", 0, "Name", a.Draft)
		b.Row(2)
		b.Button("close", 0, "Cancel")
		b.Button("save", 0, "Save").Disable(a.Draft == "")
	}
}

func percent(b *ui.Builder, level int) string { return b.Cat(b.Int(level*10), " %") }

func onOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

func connectedTo(network string) string {
	if network == "" {
		return "not connected"
	}
	return network
}

func networkWords(n *Network, connected string) string {
	switch {
	case n.Name == connected:
		return "connected"
	case n.Saved:
		return "saved"
	case n.Secret == "":
		return "open"
	}
	return "secured"
}

func gadgetWords(g *Gadget) string {
	switch {
	case g.Connected:
		return "connected"
	case g.Paired:
		return "paired"
	}
	return "nearby"
}
