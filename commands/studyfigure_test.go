package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestAStudyPrintsItsResultIfAFigureCannotBeWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	notes := filepath.Join(dir, "study-orders.svg")
	testkit.NoError(t, os.WriteFile(notes, []byte("my notes"), 0o666))
	study := []string{"study", "orders", "--depth", "2", "--positions", "1", "--plots", "."}
	out, complaint, code := train(t, dir, study...)
	if code != exitFailed || !strings.Contains(out, "minimal tree") || !strings.Contains(complaint, "--force") {
		t.Errorf("exit %d, %q, %q: expected the result, and how to replace the file", code, out, complaint)
	}
	if left, err := os.ReadFile(notes); err != nil || string(left) != "my notes" {
		t.Errorf("%v, %q: the file was replaced", err, left)
	}
	if _, complaint, code := train(t, dir, append(study, "--force")...); code != exitDone {
		t.Errorf("with --force: exit %d, %q", code, complaint)
	}
}
