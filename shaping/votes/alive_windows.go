package votes

import "os"

// alive says whether a process of this host is there: only then it can be opened.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
