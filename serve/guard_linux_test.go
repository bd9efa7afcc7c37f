package serve

import (
	"html"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// The token is not an argument of the command that opens the browser, which all users can see, but in a
// file that only this user can read.
func TestTheTokenIsNoArgumentOfABrowser(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "xdg-open"), []byte("#!/bin/sh\nprintf %s \"$1\" > "+dir+"/opened\n"), 0o777))
	opened := func(address string) (string, func()) {
		remove, err := Browse(address)
		text, bad := os.ReadFile(filepath.Join(dir, "opened"))
		if err != nil || bad != nil {
			t.Fatal(err, bad)
		}
		return string(text), remove
	}
	const address = "http://127.0.0.1:80/?token=a%2Bb%26%22c"
	path, remove := opened(address)
	info, err := os.Stat(path)
	if strings.Contains(path, "a%2Bb") || err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("opened %q: %v, %v", path, info, err)
	}
	if page, err := os.ReadFile(path); err != nil || !strings.Contains(html.UnescapeString(string(page)), `content="0; url=`+address+`"`) {
		t.Errorf("the file contains %s, %v", page, err)
	}
	remove()
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is left")
	}
	if path, remove := opened("http://127.0.0.1:80/"); path != "http://127.0.0.1:80/" {
		t.Errorf("without a token: opened %q", path)
	} else {
		remove()
	}
}
