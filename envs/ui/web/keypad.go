package web

import (
	"slices"

	"marlpit/envs"
	"marlpit/envs/ui"
)

var _ = add[keypadPage, keypadCode](ui.Template{
	Name: "keypad-code", Summary: "enter a code on a keypad", Apps: []string{"keypad"},
	Kind: ui.Operate, Level: 2, MaxTurns: 14,
})

// maxDigits is how many digits the keypad takes.
const maxDigits = 8

// keypadPage is a lock with keys.
type keypadPage struct {
	Form
	Digits []int
}

func (s *keypadPage) fill(_ *envs.Rand) { *s = keypadPage{} }

// App implements ui.Sim.
func (s *keypadPage) App() string { return "keypad" }

// View implements ui.Sim.
func (s *keypadPage) View(b *ui.Builder) {
	shown := ""
	for _, d := range s.Digits {
		shown = b.Cat(shown, b.Int(d))
	}
	b.Heading("Lock")
	b.Label(b.Cat("Code: ", shown))
	for d := range 9 {
		if d%3 == 0 {
			b.Row(3)
		}
		b.Button("key", d+1, b.Int(d+1))
	}
	b.Row(3)
	b.Button("erase", 0, "Erase").Disable(len(s.Digits) == 0)
	b.Button("key", 0, "0")
	b.Button("submit", 0, "Unlock")
}

// Update implements ui.Sim.
func (s *keypadPage) Update(e ui.Event) {
	switch n := len(s.Digits); {
	case e.Is(ui.Click, "key") && n < maxDigits:
		s.Digits = append(s.Digits, e.Key)
	case e.Is(ui.Click, "erase") && n > 0:
		s.Digits = s.Digits[:n-1]
	default:
		s.submits(e)
	}
}

// keypadCode asks for a code.
type keypadCode struct{ Code []int }

// Setup implements ui.Job.
func (j *keypadCode) Setup(_ *keypadPage, t *ui.Task) {
	j.Code = nil
	text := ""
	for range 4 + t.Rand.Intn(3) {
		d := t.Rand.Intn(10)
		j.Code, text = append(j.Code, d), text+string(rune('0'+d))
	}
	t.Say("Enter the code "+text+" and unlock.", "The lock opens with "+text+". Type it and press Unlock.")
}

// Want implements ui.Wanter.
func (j *keypadCode) Want(s *keypadPage) {
	s.Digits, s.Submitted = append(s.Digits[:0], j.Code...), true
}

// Solve implements ui.Job.
func (j *keypadCode) Solve(s *keypadPage, x *ui.Pilot) {
	switch n := len(s.Digits); {
	case n > len(j.Code) || !slices.Equal(s.Digits, j.Code[:n]):
		x.Tap("erase", 0)
	case n == len(j.Code):
		x.Tap("submit", 0)
	default:
		x.Tap("key", j.Code[n])
	}
}
