package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/games/oware"
)

var extensions = []string{".parquet", ".arrow", ".csv", ".arff"}

func featureMeta(names ...string) Meta {
	return Meta{Kind: Features, Game: "oware", Rules: "abapa", FeatureSet: "test", Features: names}
}

func randomKey(rng *rand.Rand) int64 {
	key := rng.Int64N(oware.Ranks)
	if rng.IntN(2) == 0 {
		key += oware.SouthKey
	}
	return key
}

func randomPosition(rng *rand.Rand) PositionRow {
	return PositionRow{Key: randomKey(rng), Game: int32(rng.IntN(1000)), Ply: int32(rng.IntN(200))}
}

func randomPositions(rng *rand.Rand, n int) []PositionRow {
	rows := make([]PositionRow, n)
	for i := range rows {
		rows[i] = randomPosition(rng)
	}
	return rows
}

func randomLabels(rng *rand.Rand, n int) []LabelRow {
	rows := make([]LabelRow, n)
	for i := range rows {
		rows[i] = LabelRow{
			PositionRow: randomPosition(rng), Bound: Bound(rng.IntN(3)), Score: int32(rng.IntN(2*maxScore+1) - maxScore), Label: rng.Float64()*2000 - 1000,
			Depth: int32(rng.IntN(40)), Nodes: rng.Int64N(1 << 40), Exact: rng.IntN(4) == 0,
		}
	}
	return rows
}

func randomFeatures(rng *rand.Rand, n, features int) []FeatureRow {
	rows := make([]FeatureRow, n)
	for i := range rows {
		r := &rows[i]
		*r = FeatureRow{PositionRow: randomPosition(rng), Label: float64(rng.IntN(2001) - 1000), Depth: int32(rng.IntN(40)), Exact: rng.IntN(4) == 0}
		for range features {
			r.Own = append(r.Own, uint8(rng.IntN(7)))
			r.Opp = append(r.Opp, uint8(rng.IntN(256)))
		}
	}
	return rows
}

func newRand() *rand.Rand { return rand.New(rand.NewPCG(1, 2)) }

// labelsFile writes a small labels table and returns its path and bytes.
func labelsFile(t testing.TB, ext string) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "labels"+ext)
	if err := WriteLabels(path, Meta{Game: "oware", Rules: "abapa"}, randomLabels(newRand(), 30)); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

func put(t testing.TB, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o644); err != nil {
		t.Fatal(err)
	}
}

// forge puts any content at path under a manifest that fits it.
func forge(t testing.TB, path string, content []byte, m Meta, rows int64) {
	t.Helper()
	put(t, path, content)
	sum := sha256.Sum256(content)
	text, err := json.Marshal(Manifest{Format: ManifestFormat, Version: manifestVersion, File: "forged", Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:]), Rows: rows, Meta: m})
	if err != nil {
		t.Fatal(err)
	}
	put(t, ManifestPath(path), text)
}

// encoded is a file with these columns and this meta, whatever they hold.
func encoded(t testing.TB, ext string, m Meta, cols []column) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := formats[ext].encode(&out, allPairs(m, columnsFor(m)), cols)
	if err == nil {
		err = w.write(cols)
	}
	if err == nil {
		err = w.close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// wantError checks that there is an error of one line that begins with the
// package's name and holds the words.
func wantError(t testing.TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", words)
		return
	}
	text := err.Error()
	if strings.Contains(text, "\n") {
		t.Errorf("error %q: want one line that begins with the package's name", text)
	}
	for _, w := range words {
		if !strings.Contains(text, w) {
			t.Errorf("error %q: want it to say %q", text, w)
		}
	}
}
