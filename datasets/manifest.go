package datasets

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/outline"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// ManifestFormat identifies a manifest.
const ManifestFormat = "kroo-dataset"

const (
	manifestVersion = 2
	manifestSuffix  = ".manifest.json"
	maxManifest     = 1 << 20 // bytes
)

// Manifest is the content of FILE.manifest.json.
type Manifest struct {
	Format  string `json:"format"`  // "kroo-dataset"
	Version int    `json:"version"` // 2
	File    string `json:"file"`    // base name when written
	Bytes   int64  `json:"bytes"`   // length of the file
	SHA256  string `json:"sha256"`  // in hex
	Rows    int64  `json:"rows"`
	Meta    Meta   `json:"meta"`
	// Digests are the SHA-256 of each column's values in row order, in hex. They do not depend on
	// the format or the build.
	Digests map[string]string `json:"digests,omitempty"`
	// Columns describes the columns of a CSV file, which has no metadata.
	Columns []Column `json:"columns,omitempty"`
}

// Column describes a column of a table: Type is int64, int32, uint8, float64, bool or text; About
// is the meaning of the values, with their unit.
type Column struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	About string `json:"about"`
}

// nextSuffix is added to the name of a new manifest until the new file has its final name. Until
// then, and after a crash in between, the hash of the file shows which of the two manifests
// describes it, so the table reads as the old or the new one.
const nextSuffix = ".next"

// ManifestPath returns the name of a file's manifest.
func ManifestPath(path string) string { return path + manifestSuffix }

// ReadManifest reads the manifest of a table without checking the table.
func ReadManifest(path string) (Manifest, error) {
	if next, err := readManifestAt(path, ManifestPath(path)+nextSuffix); err == nil {
		if hasHash(path, next.SHA256) {
			return next, nil
		}
	}
	return readManifestAt(path, ManifestPath(path))
}

// missingManifest is the error for a table without its manifest.
type missingManifest struct{ table, manifest string }

func (m missingManifest) Error() string {
	return fmt.Sprintf("%s: its manifest %s is missing: copy it along with the file, make the file again, "+
		"or import it with `train adopt %s -o OUT`", m.table, filepath.Base(m.manifest), wording.Path(m.table))
}

func (missingManifest) Unwrap() error { return fs.ErrNotExist }

func readManifestAt(path, name string) (m Manifest, err error) {
	f, err := vfs.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, err := vfs.Stat(path); err != nil {
			return m, err
		}
		if _, err := formatOf(path); err != nil {
			return m, fmt.Errorf("%s: %w", path, err)
		}
		return m, missingManifest{path, name}
	}
	if err != nil {
		return m, err
	}
	defer f.Close()
	if err := strict.ReadJSON(f, maxManifest, &m); err != nil {
		if _, newer := errors.AsType[strict.Newer](err); !newer {
			err = fmt.Errorf("not a manifest: %w", err)
		}
		return Manifest{}, fmt.Errorf("%s: %w", name, err)
	}
	if err := m.check(); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", name, err)
	}
	return m, nil
}

func (m Manifest) check() error {
	switch {
	case m.Format != ManifestFormat:
		return fmt.Errorf("format is %q: expected %q", m.Format, ManifestFormat)
	case m.Version != manifestVersion:
		return fmt.Errorf("version is %d: this program reads %d%s; make the file again",
			m.Version, manifestVersion, madeBy(m.Meta.Tool))
	case m.Bytes < 0 || m.Rows < 0:
		return fmt.Errorf("%d bytes and %d rows: expected no negative number", m.Bytes, m.Rows)
	case m.Rows > m.Bytes:
		// Key and board are stored plainly, at least 39 bytes per row, which snappy compresses at
		// most 21 times. So no real file fails this check, and it limits the memory that a hostile
		// file can request.
		return fmt.Errorf("%d rows in %d bytes: a row takes more than a byte", m.Rows, m.Bytes)
	case !checksum.Is(m.SHA256):
		return fmt.Errorf("sha256 is %q: expected 64 hex digits", m.SHA256)
	}
	for name, sum := range m.Digests {
		if !checksum.Is(sum) {
			return fmt.Errorf("the digest of column %.80q is %q: expected 64 hex digits", name, sum)
		}
	}
	return m.Meta.check()
}

// madeBy returns, for an error, which build of the program made a table, if known.
func madeBy(tool string) string {
	if tool == "" {
		return ""
	}
	return fmt.Sprintf("; the file was written by %.80q", tool)
}

// checkGame refuses a table of another game or with columns that the game does not have.
func (m Manifest) checkGame(g games.Info) error {
	if err := m.Meta.checkGame(g); err != nil {
		return err
	}
	cols := columnsFor(m.Meta, g)
	same := func(a, b Column) bool { return a.Name == b.Name && a.Type == b.Type } // About may differ
	if m.Columns != nil && !slices.EqualFunc(m.Columns, listColumns(cols), same) {
		return errColumns
	}
	if m.Digests == nil {
		return nil
	}
	for _, c := range cols {
		if m.Digests[c.name] == "" || len(m.Digests) != len(cols) {
			return errors.New("its digests are not those of the columns in its meta")
		}
	}
	return nil
}

// listColumns describes columns for a manifest.
func listColumns(cols []column) (list []Column) {
	for _, c := range cols {
		list = append(list, Column{c.name, string(c.typ), c.about})
	}
	return list
}

// DigestTable has a row per column with the first 16 digits of its digest; it is nil if the
// manifest has no digests.
func (m Manifest) DigestTable() *outline.Table {
	if m.Digests == nil {
		return nil
	}
	names := slices.Sorted(maps.Keys(m.Digests))
	row := func(name string) []any { return []any{name, m.Digests[name][:16]} }
	return outline.TableOf([]string{"column", "digest"}, names, row)
}

// FileHash returns the SHA-256 of any file in hex, as in [Meta.Parent].
func FileHash(path string) (string, error) {
	return checksum.File(path)
}
