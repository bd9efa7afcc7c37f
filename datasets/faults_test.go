package datasets

import (
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
)

// Whichever call fails, the dataset reads as the old or the new one, and the next write works.
func TestAfterAFaultTheDatasetIsOldOrNew(t *testing.T) {
	meta := Meta{Game: "oware", Rules: "abapa"}
	older, newer := randomLabels(newRand(), 5), randomLabels(newRand(), 8)
	name := func(dir string) string { return filepath.Join(dir, "labels.parquet") }
	faults.Each(t,
		func(dir string) {
			testkit.NoError(t, writeLabels(name(dir), meta, older))
		},
		func(dir string) error { return writeLabels(name(dir), meta, newer) },
		func(dir, _ string, failed error) {
			_, got, err := Read(game, name(dir), Labels)
			switch {
			case err != nil:
				t.Errorf("after %v it is not read: %v", failed, err)
			case !cmp.Equal(got, newer, samePosition) && (failed == nil || !cmp.Equal(got, older, samePosition)):
				t.Errorf("%d rows that nobody wrote", len(got))
			}
			if err := writeLabels(name(dir), meta, newer); err != nil {
				t.Error(err)
			}
			if _, got, err := Read(game, name(dir), Labels); err != nil || !cmp.Equal(got, newer, samePosition) {
				t.Errorf("the next write: %v", err)
			}
		})
}

// A write killed after any of its renames leaves the old or the new dataset.
func TestAfterACrashTheDatasetIsOldOrNew(t *testing.T) {
	meta := Meta{Game: "oware", Rules: "abapa"}
	older, newer := randomLabels(newRand(), 5), randomLabels(newRand(), 8)
	killed := errors.New("killed")
	for after := range 4 {
		path := filepath.Join(t.TempDir(), "labels.csv")
		testkit.NoError(t, writeLabels(path, meta, older))
		renames := 0
		vfs.Fail(func(call, _ string) error {
			if call == "rename" {
				renames++
			}
			if renames > after { // from here on nothing is done
				return killed
			}
			return nil
		})
		err := writeLabels(path, meta, newer)
		vfs.Fail(func(string, string) error { return nil })
		if (err == nil) != (after == 3) {
			t.Errorf("%d renames: %v", after, err)
		}
		_, got, err := Read(game, path, Labels)
		if err != nil || !cmp.Equal(got, newer, samePosition) && !cmp.Equal(got, older, samePosition) {
			t.Errorf("after %d renames: %d rows, %v", after, len(got), err)
		}
	}
}

// Whichever call fails, a dataset is read completely or not at all.
func TestAFaultNeverGivesPartOfADataset(t *testing.T) {
	rows := randomLabels(newRand(), 50)
	for _, ext := range []string{".parquet", ".arrow", ".csv"} {
		name := func(dir string) string { return filepath.Join(dir, "labels"+ext) }
		faults.Each(t,
			func(dir string) {
				testkit.NoError(t, writeLabels(name(dir), Meta{Game: "oware", Rules: "abapa"}, rows))
			},
			func(dir string) error {
				_, got, err := Read(game, name(dir), Labels)
				if err == nil && !cmp.Equal(got, rows, samePosition) {
					t.Errorf("%s: %d rows", ext, len(got))
				}
				return err
			},
			func(dir, _ string, err error) {
				if err != nil && !strings.Contains(err.Error(), name(dir)) {
					t.Errorf("%s: the error does not name it: %v", ext, err)
				}
			})
	}
}

// A name too long for one of the files to be written is refused before the work.
func TestTooLongNamesAreRefusedBeforeTheWork(t *testing.T) {
	dir := t.TempDir()
	meta := Meta{Game: "oware", Rules: "abapa"}
	refused := 0
	for n := 190; n < 256; n++ {
		path := filepath.Join(dir, strings.Repeat("n", n-len(".csv"))+".csv")
		if err := CheckOutput(path); err != nil {
			refused++
			continue
		}
		if err := writeLabels(path, meta, randomLabels(newRand(), 1)); err != nil {
			t.Errorf("%d bytes: %v", n, err)
		}
	}
	if refused == 0 || refused > 40 {
		t.Errorf("%d names are refused", refused)
	}
}
