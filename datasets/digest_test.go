package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// digestsOf writes rows and returns the digests in their manifest.
func digestsOf(t *testing.T, name string, meta Meta, rows []tableRow) map[string]string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	testkit.NoError(t, Write(game, path, meta, Rows(rows)))
	m, err := ReadManifest(path)
	testkit.NoError(t, err)
	return m.Digests
}

// A digest is the SHA-256 of a column's values as docs/formats.md describes them.
func TestDigestIsTheHashOfTheValues(t *testing.T) {
	rows := randomLabels(newRand(), 3)
	got := digestsOf(t, "t.parquet", Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, rows)
	keys, boards := sha256.New(), sha256.New()
	for _, r := range rows {
		key, _ := game.Key(r.Position)
		binary.Write(keys, binary.LittleEndian, key)
		board := game.Print(r.Position)
		binary.Write(boards, binary.LittleEndian, uint32(len(board)))
		boards.Write([]byte(board))
	}
	if want := fmt.Sprintf("%x", keys.Sum(nil)); got["key"] != want {
		t.Errorf("digest of key is %s: expected %s", got["key"], want)
	}
	if want := fmt.Sprintf("%x", boards.Sum(nil)); got["board"] != want {
		t.Errorf("digest of board is %s: expected %s", got["board"], want)
	}
}

// Digests do not depend on the file's format or the build.
func TestDigestsDoNotDependOnFormatOrBuild(t *testing.T) {
	rows, meta := randomLabels(newRand(), 3), Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	want := digestsOf(t, "t.parquet", meta, rows)
	meta.Tool = "build of another day"
	for _, ext := range extensions {
		if got := digestsOf(t, "t"+ext, meta, rows); !maps.Equal(got, want) {
			t.Errorf("%s: digests are %v: expected %v", ext, got, want)
		}
	}
}

// A value changes the digest of its own column only, and a further column changes none.
func TestDigestsOfColumnsAreIndependent(t *testing.T) {
	rows, meta := randomLabels(newRand(), 3), Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	before := digestsOf(t, "t.parquet", meta, rows)
	other := slices.Clone(rows)
	other[1].Nodes++
	for name, sum := range digestsOf(t, "t.parquet", meta, other) {
		if changed := sum != before[name]; changed != (name == "nodes") {
			t.Errorf("column %s: changed is %v when a number of nodes changes", name, changed)
		}
	}
	meta.Weighted = true
	after := digestsOf(t, "t.parquet", meta, rows)
	delete(after, weightColumn)
	if !maps.Equal(after, before) {
		t.Errorf("with weights of rows, the other digests are %v: expected %v", after, before)
	}
}

// A manifest with digests of other columns is refused.
func TestDigestsOfOtherColumnsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "t.parquet")
	testkit.NoError(t, Write(game, path, Meta{Kind: Labels, Game: "oware", Rules: "abapa"}, Rows(randomLabels(newRand(), 3))))
	m, err := ReadManifest(path)
	testkit.NoError(t, err)
	m.Digests["more"] = m.SHA256
	if err := m.checkGame(game.Info); err == nil {
		t.Error("a digest of a column that is not there: no error")
	}
	m.Digests = map[string]string{"key": "0"}
	if err := m.check(); err == nil {
		t.Error("a digest that is none: no error")
	}
}
