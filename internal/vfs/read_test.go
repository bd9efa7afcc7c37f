package vfs

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestReadFileRefusesLargeFiles(t *testing.T) {
	defer func(most int64) { mostRead = most }(mostRead)
	mostRead = 8
	path := filepath.Join(t.TempDir(), "file")
	for text, ok := range map[string]bool{"": true, "12345678": true, "123456789": false} {
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		data, err := ReadFile(path)
		if ok != (err == nil) || ok && string(data) != text || !ok && !strings.Contains(err.Error(), "more than 8 bytes") {
			t.Errorf("%q: %q, %v", text, data, err)
		}
	}
}
