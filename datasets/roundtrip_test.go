package datasets

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

var (
	genKey = rapid.Custom(func(t *rapid.T) int64 {
		return rapid.Int64Range(0, oware.Ranks-1).Draw(t, "rank") + rapid.SampledFrom([]int64{0, oware.SouthKey}).Draw(t, "side")
	})
	genLabel = rapid.Float64Range(-1000, 1000)
	genDepth = rapid.Int32Range(0, 1<<31-1)
	genMeta  = rapid.Custom(func(t *rapid.T) Meta {
		text := rapid.StringN(0, 20, -1)
		return Meta{
			Game:  "oware",
			Rules: rapid.SampledFrom([]string{"abapa", "awari", "simple"}).Draw(t, "rules"),
			Seed:  rapid.Uint64().Draw(t, "seed"), Method: text.Draw(t, "method"), Limits: text.Draw(t, "limits"),
			Engine: text.Draw(t, "engine"), Evaluator: text.Draw(t, "evaluator"), Tool: text.Draw(t, "tool"),
			Note: text.Draw(t, "note"), OptionalColumns: OptionalColumns{Results: rapid.Bool().Draw(t, "results")},
		}
	})
)

// genPosition draws a position under rules.
func genPosition(m Meta) *rapid.Generator[tableRow] {
	return rapid.Custom(func(t *rapid.T) tableRow {
		r := tableRow{Position: onBoard(m.Rules, genKey.Draw(t, "key")), Game: rapid.Int32Min(0).Draw(t, "game"), Ply: rapid.Int32Min(0).Draw(t, "ply")}
		if m.Results && rapid.Bool().Draw(t, "ended") {
			r.Outcome = OutcomeOf(rapid.IntRange(-maxMargin, maxMargin).Draw(t, "margin"))
		}
		return r
	})
}

// roundTrip writes and reads rows in every format.
func roundTrip(t *rapid.T, dir, kind string, meta Meta, rows []tableRow) {
	meta.Kind = kind
	for _, ext := range extensions {
		path := filepath.Join(dir, "t"+ext)
		testkit.NoError(t, Write(game, path, meta, Rows(rows)))
		m, got, err := Read(game, path, kind)
		testkit.NoError(t, err)
		if diff := cmp.Diff(meta, m) + cmp.Diff(rows, got, cmpopts.EquateEmpty(), samePosition); diff != "" {
			t.Fatalf("%s: (-written +read)\n%s", ext, diff)
		}
	}
}

func TestPositionsRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		meta := genMeta.Draw(t, "meta")
		roundTrip(t, dir, Positions, meta, rapid.SliceOf(genPosition(meta)).Draw(t, "rows"))
	})
}

func TestLabelsRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		meta := genMeta.Draw(t, "meta")
		gen := rapid.Custom(func(t *rapid.T) tableRow {
			r := genPosition(meta).Draw(t, "position")
			r.Bound = Bound(rapid.IntRange(0, 2).Draw(t, "bound"))
			r.HasBest = true
			r.Best = rapid.Uint16Range(0, 5).Draw(t, "best")
			r.Score = rapid.Int32Range(-maxScore, maxScore).Draw(t, "score")
			r.Label = genLabel.Draw(t, "label")
			r.Depth = genDepth.Draw(t, "depth")
			r.Nodes, r.Exact = rapid.Int64Min(0).Draw(t, "nodes"), rapid.Bool().Draw(t, "exact")
			return r
		})
		roundTrip(t, dir, Labels, meta, rapid.SliceOf(gen).Draw(t, "rows"))
	})
}

func TestFeaturesRoundTrip(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		meta := genMeta.Draw(t, "meta")
		meta.FeatureSet = "set"
		meta.Features = rapid.SliceOfNDistinct(rapid.StringMatching(`[<>]?[a-z0-9]{1,9}`), 1, 6, ColumnName).Draw(t, "features")
		n := len(meta.Features)
		counts := rapid.SliceOfN(rapid.Uint8(), n, n)
		gen := rapid.Custom(func(t *rapid.T) tableRow {
			r := genPosition(meta).Draw(t, "position")
			r.Label = genLabel.Draw(t, "label")
			r.Depth = genDepth.Draw(t, "depth")
			r.Exact = rapid.Bool().Draw(t, "exact")
			r.Own, r.Opp = counts.Draw(t, "own"), counts.Draw(t, "opp")
			return r
		})
		roundTrip(t, dir, Features, meta, rapid.SliceOf(gen).Draw(t, "rows"))
	})
}

// More rows than go into one row group or record batch.
func TestManyChunksRoundTrip(t *testing.T) {
	rows := randomPositions(newRand(), chunkRows+17)
	for _, ext := range extensions {
		for _, n := range []int{0, 1, chunkRows, len(rows)} {
			path := filepath.Join(t.TempDir(), "p"+ext)
			testkit.NoError(t, writePositions(path, Meta{Game: "oware", Rules: "abapa"}, rows[:n]))
			_, got, err := Read(game, path, Positions)
			if err != nil || !slices.EqualFunc(got, rows[:n], func(a, b tableRow) bool { return a.Position == b.Position && a.Game == b.Game && a.Ply == b.Ply }) { // cmp takes seconds
				t.Errorf("%s, %d rows: %d come back, or others; error %v", ext, n, len(got), err)
			}
		}
	}
}

func TestSameRowsGiveSameBytes(t *testing.T) {
	rows := randomFeatures(newRand(), 500, 3)
	for _, ext := range extensions {
		var files [2][]byte
		for i := range files {
			path := filepath.Join(t.TempDir(), "same"+ext)
			testkit.NoError(t, writeFeatures(path, featureMeta("a", "<1", ">12"), rows))
			files[i] = append(testkit.Read(t, path), testkit.Read(t, ManifestPath(path))...)
		}
		if !bytes.Equal(files[0], files[1]) {
			t.Errorf("%s: two writes differ", ext)
		}
	}
}

// A row takes more than a byte even if all rows are equal, so the limit for manifests refuses no
// real file.
func TestEqualRowsTakeMoreThanAByteEach(t *testing.T) {
	rows := make([]tableRow, 100_000)
	for i := range rows {
		rows[i].Position = oware.Start(oware.Abapa)
	}
	path := filepath.Join(t.TempDir(), "p.parquet")
	testkit.NoError(t, writePositions(path, Meta{Game: "oware", Rules: "abapa"}, rows))
	if _, got, err := Read(game, path, Positions); err != nil || len(got) != len(rows) {
		t.Errorf("%d rows, error %v", len(got), err)
	}
}

func TestManifestDescribesTheFile(t *testing.T) {
	path, content := labelsFile(t, ".parquet")
	m, err := ReadManifest(path)
	testkit.NoError(t, err)
	hash, err := FileHash(path)
	testkit.NoError(t, err)
	want := Manifest{Format: "kroo-dataset", Version: 2, File: "labels.parquet", Bytes: int64(len(content)), SHA256: hash, Rows: 30, Meta: Meta{Kind: Labels, Game: "oware", Rules: "abapa"}}
	if diff := cmp.Diff(want, m, cmpopts.IgnoreFields(Manifest{}, "Digests")); diff != "" {
		t.Error(diff)
	}
}

// Column descriptions are informational and may differ.
func TestColumnDescriptionsMayDiffer(t *testing.T) {
	m := Meta{Kind: Labels, Game: "oware", Rules: "abapa"}
	rows := randomLabels(newRand(), 3)
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "t"+ext)
		testkit.NoError(t, writeLabels(path, m, rows))
		content, manifest := testkit.Read(t, path), testkit.Read(t, ManifestPath(path))
		old, other := []byte("plies of the search"), []byte("depth of the search")
		if !bytes.Contains(slices.Concat(content, manifest), old) {
			t.Fatalf("%s: no words", ext)
		}
		sum := sha256.Sum256(content)
		content = bytes.ReplaceAll(content, old, other)
		manifest = bytes.ReplaceAll(manifest, old, other)
		now := sha256.Sum256(content)
		testkit.Write(t, path, content)
		testkit.Write(t, ManifestPath(path), bytes.ReplaceAll(manifest, []byte(hex.EncodeToString(sum[:])), []byte(hex.EncodeToString(now[:]))))
		if _, got, err := Read(game, path, Labels); err != nil || !cmp.Equal(got, rows, samePosition) {
			t.Errorf("%s: %d rows, error %v", ext, len(got), err)
		}
	}
}

// Rows form a group if they are from one game or, without a game, from one position, seen by either
// side.
func TestGroupsAreGamesOrPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	all := map[uint64]bool{}
	for i := range 200 {
		p, err := game.Random(rng, "abapa")
		testkit.NoError(t, err)
		one := ClusterOf(0, GroupOf(game, p, 0))
		for _, q := range []oware.Position{p.Mirror(), p.Swap(), p.Swap().Mirror()} {
			if ClusterOf(1, GroupOf(game, q, 0)) != one {
				t.Errorf("%v and %v are two groups", p, q)
			}
		}
		group := GroupOf(game, p, int32(1+i/10))
		of := ClusterOf(0, group)
		if group != GroupOf(game, oware.Position{}, int32(1+i/10)) || of == ClusterOf(1, group) {
			t.Errorf("game %d: want one group, another in another file", 1+i/10)
		}
		all[one], all[of] = true, true
	}
	if len(all) != 200+20 {
		t.Errorf("%d groups: want one for each of 200 boards and of 20 games", len(all))
	}
}

// Tables with groups store them, keep those of other files, and read them back, also when adopted
// again.
func TestTablesStoreGroups(t *testing.T) {
	rows := randomLabels(newRand(), 200)
	for i := range rows {
		rows[i].Game = int32(i % 5)
		if i%7 == 0 && i%5 != 0 {
			rows[i].Group = int64(ClusterOf(3, int64(rows[i].Game)))
		}
	}
	meta := Meta{Kind: Labels, Game: "oware", Rules: "abapa", OptionalColumns: OptionalColumns{Grouped: true}}
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "l"+ext)
		testkit.NoError(t, writeLabels(path, meta, rows))
		again := filepath.Join(t.TempDir(), "again"+ext)
		_, _, err := Import(t.Context(), game, path, again, "", ImportOptions{})
		testkit.NoError(t, err)
		for _, path := range []string{path, again} {
			table, err := Open(t.Context(), game.Info, path)
			testkit.NoError(t, err)
			for b, err := range table.Batches(t.Context(), Query{Columns: []string{"group"}}) {
				testkit.NoError(t, err)
				for i, got := range b.Whole(0) {
					want := rows[i].Group
					if want == 0 {
						want = GroupOf(game, rows[i].Position, rows[i].Game)
					}
					if got != want {
						t.Fatalf("%s, row %d: group %d, want %d", ext, i, got, want)
					}
				}
			}
			table.Close()
			m, got, err := Read(game, path, Labels)
			if diff := cmp.Diff(rows, got, samePosition); diff != "" || err != nil || !m.Grouped {
				t.Errorf("%s: %v, error %v", ext, diff, err)
			}
		}
	}
}
