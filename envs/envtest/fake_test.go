package envtest

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
)

// fakeTB records what a check reports.
type fakeTB struct {
	testing.TB
	said    []string
	failed  bool
	skipped bool
}

func (f *fakeTB) Helper()      {}
func (f *fakeTB) Failed() bool { return f.failed }

func (f *fakeTB) Error(args ...any) {
	f.failed = true
	f.said = append(f.said, fmt.Sprint(args...))
}

func (f *fakeTB) Errorf(format string, args ...any) { f.Error(fmt.Sprintf(format, args...)) }

func (f *fakeTB) Fatal(args ...any) {
	f.Error(args...)
	runtime.Goexit()
}

func (f *fakeTB) Fatalf(format string, args ...any) { f.Fatal(fmt.Sprintf(format, args...)) }

func (f *fakeTB) Skip(args ...any) {
	f.skipped = true
	runtime.Goexit()
}

// verdict runs all checks of a subject and returns the names of those that
// failed, and all they said.
func verdict(t *testing.T, s *subject) (failed []string, said string) {
	t.Helper()
	var all []string
	for _, c := range s.checks() {
		f := &fakeTB{}
		done := make(chan any)
		go func() {
			defer func() { done <- recover() }()
			c.run(f, s)
		}()
		if p := <-done; p != nil {
			f.Error("panic: ", p)
		}
		if f.failed {
			failed = append(failed, c.name)
			all = append(all, f.said...)
		}
	}
	return failed, strings.Join(all, "\n")
}
