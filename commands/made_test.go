package commands

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"kroo/internal/testkit"
)

// Folders that commands make once for all tests.
var (
	madeIn   string   // the folder around them, set by TestMain
	madeOnce sync.Map // by command lines
)

// made returns a folder in which these commands were run, with their output in the file printed and
// the configuration, if any, in short.toml. Tests copy it and do not change it.
func made(config string, lines ...string) (string, error) {
	once, _ := madeOnce.LoadOrStore(strings.Join(lines, "\n"), sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp(madeIn, "")
		if err != nil {
			return "", err
		}
		if config != "" {
			if err := os.WriteFile(filepath.Join(dir, "short.toml"), []byte(config), 0o644); err != nil {
				return "", err
			}
		}
		var printed []byte
		for _, line := range lines {
			text, err := command(dir, strings.Fields(line)...).CombinedOutput()
			if err != nil {
				return "", errors.New(line + ": " + string(text))
			}
			printed = append(printed, text...)
		}
		return dir, os.WriteFile(filepath.Join(dir, "printed"), printed, 0o644)
	}))
	return once.(func() (string, error))()
}

// copyOf returns a copy of the folder of made.
func copyOf(t *testing.T, config string, lines ...string) string {
	t.Helper()
	from := testkit.Must(made(config, lines...))(t)
	dir := t.TempDir()
	testkit.NoError(t, os.CopyFS(dir, os.DirFS(from)))
	return dir
}
