package layering

import (
	"io/fs"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"
)

// No error begins with the name of the package that makes it: whoever reads it wants to
// know what went wrong with what, and each layer adds what it was doing.
func TestErrorsDoNotBeginWithTheirPackage(t *testing.T) {
	root := os.DirFS("../..")
	begin := regexp.MustCompile(`(?:Errorf|errors\.New)\(["` + "`" + `]([a-z/]+): `)
	read := 0
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := fs.ReadFile(root, name)
		if err != nil {
			return err
		}
		read++
		folder := path.Dir(name)
		for _, m := range begin.FindAllSubmatch(text, -1) {
			if who := string(m[1]); who == folder || who == path.Base(folder) {
				t.Errorf("%s: an error begins with %q: expected what went wrong with what", name, who)
			}
		}
		return nil
	})
	if err != nil || read == 0 {
		t.Errorf("%d files read, error %v", read, err)
	}
}
