package mapfile

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// Whichever call fails, Open returns the whole file or an error, mapped or not.
func TestOpenFaults(t *testing.T) {
	defer func(small int64) { Small = small }(Small)
	content := bytes.Repeat([]byte("content "), 1000)
	for _, Small = range []int64{0, 1 << 20} {
		faults.Each(t,
			func(dir string) {
				testkit.NoError(t, os.WriteFile(filepath.Join(dir, "a"), content, 0o666))
			},
			func(dir string) error {
				f, err := Open(filepath.Join(dir, "a"), "content")
				if err != nil {
					return err
				}
				if !bytes.Equal(f.Data, content) {
					t.Error("the file is given in part")
				}
				return f.Close()
			},
			func(_, failed string, err error) {
				if failed != "" && err == nil {
					t.Error("no error")
				}
			})
	}
}
