//go:build !unix

package study

import (
	"os"
	"path/filepath"
)

// lockFolder opens the file that locks a folder of labellings elsewhere; here
// nothing keeps a second server out.
func lockFolder(dir string) (*os.File, error) {
	return os.OpenFile(filepath.Join(dir, "lock"), os.O_CREATE|os.O_RDWR, 0o600)
}
