package datasets

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// An adopted table gets the same manifest as the lost one, apart from the mark.
func TestAdoptRestoresALostManifest(t *testing.T) {
	for _, from := range oneOfEach(t, t.TempDir()) {
		for _, ext := range extensions {
			path := filepath.Join(t.TempDir(), "t"+ext)
			want, err := Convert(t.Context(), game.Info, from, path, "", nil)
			testkit.NoError(t, err)
			_, err = Adopt(t.Context(), game, path, Origin{})
			wantError(t, err, path, "has a manifest", "remove it first")
			testkit.NoError(t, os.Remove(ManifestPath(path)))
			var origin Origin
			if ext == ".csv" { // which does not record its origin
				origin = Origin{Rules: want.Meta.Rules}
				want.Meta = Meta{Kind: want.Meta.Kind, Game: "oware", Rules: want.Meta.Rules, Has: want.Meta.Has, Features: want.Meta.Features}
			}
			want.Adopted, want.Digests = true, nil
			for range 2 { // the second time changes nothing
				if _, err := Adopt(t.Context(), game, path, origin); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
			}
			got, err := ReadManifest(path)
			if diff := cmp.Diff(want, got); diff != "" || err != nil {
				t.Errorf("%s: %v (-want +got):\n%s", path, err, diff)
			}
			if rows, err := readAny(path); err != nil || rows != 12 {
				t.Errorf("%s: %v", path, err)
			}
		}
	}
}

func TestAdoptRefuses(t *testing.T) {
	dir := t.TempDir()
	path := oneOfEach(t, dir)[0]
	testkit.NoError(t, os.Remove(ManifestPath(path)))
	good := testkit.Read(t, path)
	_, err := Adopt(t.Context(), game, path, Origin{Rules: "simple"})
	wantError(t, err, path, "its rules is abapa: expected simple")
	_, err = Adopt(t.Context(), tictactoe.Descriptor(), path, Origin{})
	wantError(t, err, path, "its game is oware: expected tictactoe")
	_, err = Adopt(t.Context(), game, filepath.Join(dir, "none.csv"), Origin{})
	wantError(t, err, "no such file")
	_, err = Adopt(t.Context(), game, filepath.Join(dir, "notes.txt"), Origin{})
	wantError(t, err, "expected .parquet")
	testkit.Write(t, path, good[:len(good)-9])
	_, err = Adopt(t.Context(), game, path, Origin{})
	wantError(t, err, path)
	csv := filepath.Join(dir, "x.csv")
	testkit.Write(t, csv, []byte("key,board,phase,game,ply\n15187160556680,4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,47,0,0\n"))
	_, err = Adopt(t.Context(), game, csv, Origin{Rules: "abapa"})
	wantError(t, err, csv, "row 0: phase is 47")
	testkit.Write(t, csv, []byte("key,board,phase,game,ply\nx,4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,48,0,0\n"))
	_, err = Adopt(t.Context(), game, csv, Origin{Rules: "abapa"})
	wantError(t, err, csv, `line 2: column key contains "x"`)
	testkit.Write(t, csv, []byte("side,value\nS,4\n"))
	_, err = Adopt(t.Context(), game, csv, Origin{Rules: "abapa"})
	wantError(t, err, csv, "its columns differ")
	if _, err := os.Stat(ManifestPath(csv)); err == nil {
		t.Error("a refused table has a manifest")
	}
}

// Any file is adopted and then readable, or refused with an error of one line.
func FuzzAdopt(f *testing.F) {
	decodeInProcess = true
	f.Cleanup(func() { decodeInProcess = false })
	for i, ext := range extensions {
		_, content := labelsFile(f, ext)
		f.Add(uint8(i), content)
		f.Add(uint8(i), content[:len(content)/2])
	}
	f.Fuzz(func(t *testing.T, kind uint8, content []byte) {
		path := filepath.Join(t.TempDir(), "f"+extensions[int(kind)%len(extensions)])
		testkit.Write(t, path, content)
		if _, err := Adopt(t.Context(), game, path, Origin{Rules: "abapa"}); err != nil {
			wantError(t, err, path)
			return
		}
		if _, err := readAny(path); err != nil {
			t.Fatal(err)
		}
	})
}
