package votes

import "errors"

// Errors that callers tell apart with errors.Is.
var (
	// ErrFile is returned for a file that is missing, no vote file, or of a
	// newer version.
	ErrFile = errors.New("votes: unusable file")

	// ErrWorld is returned when transitions of another world are to be added.
	ErrWorld = errors.New("votes: file of another world")

	// ErrAnnotator is returned when no annotator, or more than one, is meant.
	ErrAnnotator = errors.New("which annotator")

	// ErrBusy is returned by Label while another run labels as the same
	// annotator: both would pay for the same questions.
	ErrBusy = errors.New("votes: this annotator is labelling already")

	// ErrBudget is returned by Budget.Allow when it is used up.
	ErrBudget = errors.New("votes: the budget is used up")
)
