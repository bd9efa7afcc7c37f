package testenv

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// FarmServer builds the farm's server program and adds it to PATH. Call remove at the end. It
// does nothing while fuzzing, where every worker would build it.
func FarmServer() (remove func(), err error) {
	if fuzzing() {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "kroo-test-")
	if err != nil {
		return nil, err
	}
	remove = func() { os.RemoveAll(dir) }
	if out, err := exec.Command("go", "build", "-o", dir+string(filepath.Separator), "kroo/cmd/kroo-farm").CombinedOutput(); err != nil {
		remove()
		return nil, fmt.Errorf("%w: %s", err, out)
	}
	return remove, os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
}
