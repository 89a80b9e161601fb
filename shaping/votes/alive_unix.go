//go:build unix

package votes

import (
	"errors"
	"syscall"
)

// alive says whether a process of this host is there.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
