package serve

import (
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

// Names that are not UTF-8 are left out of the list with a note, and everything else is listed.
func TestNamesThatAreNotUTF8(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "caf\xe9.ogn"), []byte("1. E f *\n"), 0o666))
	testkit.NoError(t, os.Mkdir(filepath.Join(dir, "d\xe9"), 0o777), os.Mkdir(filepath.Join(dir, "café"), 0o777))
	for _, name := range []string{"good.ogn", "café/good.ogn", "d\xe9/good.ogn"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("1. E f *\n"), 0o666))
	}
	answers(t, s, "GET", "/files", 200, "good.ogn", "café/good.ogn", "not UTF-8 are not listed (2, such as &#34;caf\\xe9.ogn&#34;)")
	answers(t, s, "GET", "/files?name=good.ogn", 200, "1 game")
	answers(t, s, "GET", "/files?name=caf%E9.ogn", 400)
	answers(t, s, "GET", "/runs", 200)
}
