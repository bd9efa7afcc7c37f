package datasets

import (
	"cmp"
	"math/rand/v2"
	"path/filepath"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// Rows form a group if they are from one game or, without a game, from one position, seen by either
// side.
func TestGroupsAreGamesOrPositions(t *testing.T) {
	rng := rand.New(rand.NewPCG(51, 1))
	all := map[int64]bool{}
	for i := range 200 {
		p, err := game.Random(rng, "abapa")
		testkit.NoError(t, err)
		one := GroupOf(game, 0, p, 0)
		for _, q := range []oware.Position{p.Mirror(), p.Swap(), p.Swap().Mirror()} {
			if GroupOf(game, 1, q, 0) != one {
				t.Errorf("%v and %v are two groups", p, q)
			}
		}
		of := GroupOf(game, 0, p, int32(1+i/10))
		if of != GroupOf(game, 0, oware.Position{}, int32(1+i/10)) || of == GroupOf(game, 1, p, int32(1+i/10)) {
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
			rows[i].Group = GroupOf(game, 3, rows[i].Position, rows[i].Game)
		}
	}
	meta := Meta{Kind: Labels, Game: "oware", Rules: "abapa", Has: Has{Grouped: true}}
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "l"+ext)
		testkit.NoError(t, writeLabels(path, meta, rows))
		again := filepath.Join(t.TempDir(), "again"+ext)
		_, _, err := Adopt(t.Context(), game, path, again, "", Foreign{})
		testkit.NoError(t, err)
		for _, path := range []string{path, again} {
			table, err := Open(t.Context(), game.Info, path)
			testkit.NoError(t, err)
			for b, err := range table.Batches(t.Context(), Query{Columns: []string{"group"}}) {
				testkit.NoError(t, err)
				for i, got := range b.Whole(0) {
					if want := cmp.Or(rows[i].Group, GroupOf(game, 0, rows[i].Position, rows[i].Game)); got != want {
						t.Fatalf("%s, row %d: group %d, want %d", ext, i, got, want)
					}
				}
			}
			table.Close()
			m, got, err := Read(game, path, Labels)
			if diff := gocmp.Diff(rows, got, samePosition); diff != "" || err != nil || !m.Grouped {
				t.Errorf("%s: %v, error %v", ext, diff, err)
			}
		}
	}
	meta.Grouped = false
	wantError(t, writeLabels(filepath.Join(t.TempDir(), "l.csv"), meta, rows), "row 7", "group is")
}
