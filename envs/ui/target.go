package ui

// Target is the state in which the data are as the task wants them, for a Solve
// that works towards it: read only. Without a Wanter it is the start.
func Target[S any](x *Pilot) *S {
	return x.d.play.wanted().(*S)
}
