package phone

import "marlpit/envs/ui"

// viewTime covers the screen with the choice of an hour, then of a minute: pick is "hour" or "minute".
func viewTime(b *ui.Builder, pick string, minutes int) {
	hour := minutes / 60 * 60
	if pick == "hour" {
		menu(b, "Hour")
		for h := range 24 {
			if h%6 == 0 {
				b.Row(6)
			}
			b.Button("hour", h, b.Clock(h*60)).Select(h*60 == hour)
		}
		return
	}
	menu(b, "Minute")
	for m := 0; m < 60; m += 5 {
		if m%20 == 0 {
			b.Row(4)
		}
		b.Button("minute", m, b.Clock(hour+m)).Select(hour+m == minutes)
	}
}

// updateTime handles what viewTime shows: it moves pick from "hour" to "minute" to "".
func updateTime(e ui.Event, pick *string, minutes *int) {
	switch {
	case e.Is(ui.Click, "hour") && e.Key >= 0 && e.Key < 24:
		*minutes, *pick = e.Key*60+(*minutes%60+60)%60, "minute"
	case e.Is(ui.Click, "minute") && e.Key >= 0 && e.Key < 60:
		*minutes, *pick = *minutes/60*60+e.Key, ""
	}
}

// solveTime chooses a time in what viewTime shows.
func solveTime(x *ui.Pilot, pick string, now, want int) {
	switch {
	case pick == "hour":
		x.Tap("hour", want/60)
	case pick == "minute" && now/60 == want/60:
		x.Tap("minute", want%60)
	}
	x.Back()
}
