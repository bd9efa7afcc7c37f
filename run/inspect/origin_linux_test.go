package inspect

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/internal/testkit"
)

// A record does not lead to a file of another folder, by its name or by a link.
func TestOriginsAreInTheFolder(t *testing.T) {
	dir := t.TempDir()
	secret := filepath.Join(t.TempDir(), "secret.csv")
	dataset(t, secret, datasets.Positions, "", 7, "sample")
	testkit.NoError(t, os.Symlink(secret, filepath.Join(dir, "link.csv")))
	labels := filepath.Join(dir, "labels.csv")
	dataset(t, labels, datasets.Labels, "", 1, "label", "link.csv", "--tables="+secret)
	text := testkit.Must(File(t.Context(), labels, allGames, Options{}))(t).Text("")
	testkit.Contains(t, text, "└─ link.csv – not checked for changes")
	if strings.Contains(text, "7 rows") || strings.Contains(text, "└─ "+secret) {
		t.Errorf("the origin describes a file of another folder:\n%s", text)
	}
}
