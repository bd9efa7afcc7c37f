package journal

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

type piece struct {
	N    int    `json:"n"`
	Text string `json:"text"`
}

type settings struct {
	Seed   uint64   `json:"seed"`
	Rules  string   `json:"rules,omitempty"`
	Limits limits   `json:"limits"`
	Names  []string `json:"player_names,omitempty"`
}

type limits struct{ Nodes, Depth int }

var given = settings{Seed: 1, Rules: "abapa", Limits: limits{Nodes: 400}, Names: []string{"a", "b"}}

// fixed is a codec of eight bytes per number.
var fixed = Codec[uint64]{
	Append: func(dst []byte, n uint64) ([]byte, error) { return binary.LittleEndian.AppendUint64(dst, n), nil },
	Decode: func(b []byte) (uint64, error) {
		if len(b) != 8 {
			return 0, fmt.Errorf("a record of %d bytes: expected 8", len(b))
		}
		return binary.LittleEndian.Uint64(b), nil
	},
}

// keep opens a journal, appends pieces and returns the pieces replayed.
func keep[R any](t *testing.T, path string, s any, codec Codec[R], add ...R) (found []R) {
	t.Helper()
	j := testkit.Must(Open(path, "test 1", s, codec, func(r R) error { found = append(found, r); return nil }))(t)
	for _, r := range add {
		testkit.NoError(t, j.Append(r))
	}
	testkit.NoError(t, j.sync(), j.Close())
	return found
}

func TestOpenReplaysPieces(t *testing.T) {
	t.Run("JSON", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "j")
		want := []piece{{1, "one"}, {2, ""}, {3, "three\n"}}
		keep(t, path, given, JSON[piece](), want[:2]...)
		testkit.EqualSlices(t, keep(t, path, given, JSON[piece](), want[2]), want[:2], "got")
		testkit.EqualSlices(t, keep(t, path, given, JSON[piece]()), want, "got")
	})
	t.Run("bytes", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "j")
		keep(t, path, map[string]int{"a": 1}, fixed, 5, 6)
		testkit.EqualSlices(t, keep(t, path, map[string]int{"a": 1}, fixed), []uint64{5, 6}, "got")
	})
}

func TestEmptyPathSavesNothing(t *testing.T) {
	t.Chdir(t.TempDir())
	if got := keep(t, "", given, fixed, 1, 2); got != nil {
		t.Errorf("replayed %v", got)
	}
	if files, err := os.ReadDir("."); err != nil || len(files) != 0 {
		t.Errorf("files %v, error %v: want none", files, err)
	}
	if err := Remove(""); err != nil {
		t.Error(err)
	}
}

func TestOtherSettingsAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	keep(t, path, given, fixed, 1)
	before := testkit.Read(t, path)
	for want, change := range map[string]func(*settings){
		"seed is 1, expected 2":                           func(s *settings) { s.Seed = 2 },
		`rules is "abapa", expected not set`:              func(s *settings) { s.Rules = "" },
		"limits.Nodes is 400, expected 500":               func(s *settings) { s.Limits.Nodes = 500 },
		`player names is ["a","b"], expected ["a"]`:       func(s *settings) { s.Names = s.Names[:1] },
		`"a","b"], expected ["` + strings.Repeat("x", 50): func(s *settings) { s.Names = []string{strings.Repeat("x", 1000)} },
	} {
		other := given
		change(&other)
		_, err := Open(path, "test 1", other, fixed, func(uint64) error { return nil })
		if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), "delete it") || len(err.Error()) > 500 {
			t.Errorf("error %v: want %q, the file and what to do", err, want)
		}
	}
	if after, _ := os.ReadFile(path); string(after) != string(before) {
		t.Error("a refused journal was changed")
	}
}

func TestForeignHeadersAreRefused(t *testing.T) {
	for name, head := range map[string]string{
		"another kind": `{"journal":"test 2","settings":{}}`,
		"older layout": `{"format":"test 1","seed":1}`,
		"no JSON":      "build, rules abapa",
		"nothing":      "",
		"no settings":  `{"journal":"test 1"}`,
		"many lines":   "{\"journal\":\"test 1\",\"settings\":{\"seed\":\n[1,\n2]}}",
		"settings":     `{"journal":"test 1","settings":[]}`,
	} {
		path := filepath.Join(t.TempDir(), "j")
		l, err := openRecordFile(path, []byte(head), skipRecord, skipRecord)
		if err != nil || l.Close() != nil {
			t.Fatal(err)
		}
		_, err = Open(path, "test 1", given, fixed, func(uint64) error { return nil })
		if err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "delete it") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBadPiecesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	keep(t, path, given, fixed, 1, 2)
	if _, err := Open(path, "test 1", given, JSON[piece](), func(piece) error { return nil }); err == nil ||
		!strings.Contains(err.Error(), "record 0") || !strings.Contains(err.Error(), path) {
		t.Errorf("bytes read as JSON: %v", err)
	}
	stop := errors.New("not of this work")
	_, err := Open(path, "test 1", given, fixed, func(n uint64) error {
		if n == 2 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || !strings.Contains(err.Error(), "record 1") {
		t.Errorf("replay refuses: %v", err)
	}
}

func TestSettingsMustBeAnObject(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	for _, s := range []any{nil, 3, []int{1}, func() {}} {
		_, err := Open(path, "test 1", s, fixed, nil)
		testkit.ErrorContains(t, err, path)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("stat: %v, want no file", err)
	}
}

func TestAppendFailsOnAnEncodingError(t *testing.T) {
	j := testkit.Must(Open(filepath.Join(t.TempDir(), "j"), "test 1", given, JSON[func()](), nil))(t)
	defer j.Close()
	if err := j.Append(func() {}); err == nil {
		t.Error("a function was kept")
	}
}

func TestRemove(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	keep(t, path, given, fixed, 1)
	for range 2 { // the second call finds no file
		if err := Remove(path); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("stat: %v, want no file", err)
		}
	}
	full := t.TempDir()
	testkit.NoError(t, os.WriteFile(filepath.Join(full, "x"), nil, 0o600))
	testkit.ErrorContains(t, Remove(full), full)
}

func TestAppendAllocatesNothing(t *testing.T) {
	j := testkit.Must(Open(filepath.Join(t.TempDir(), "j"), "test 1", given, fixed, nil))(t)
	defer j.Close()
	testkit.Equal(t, testing.AllocsPerRun(100, func() { j.Append(7) }), 0, "testing.AllocsPerRun")
}

// The header in a file can be any bytes.
func FuzzHeader(f *testing.F) {
	h, _, err := newHeader("test 1", given)
	testkit.NoError(f, err)
	f.Add([]byte(`{"journal":"test 1","settings":{"seed":1,"limits":{"Nodes":400,"Depth":0}}}`))
	f.Add([]byte(`{"journal":"test 1","settings":{"a":{"b":{}},"a.b":null}}`))
	f.Fuzz(func(t *testing.T, found []byte) {
		if err := h.check(found); err == nil {
			testkit.Contains(t, string(found), "abapa")
		} else if strings.Contains(err.Error(), "\n") {
			t.Errorf("an error of several lines: %q", err)
		}
	})
}

// Recorded values may differ, and are shown in errors about the settings next to them.
func TestRecordedSettingsAreNotCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	with := func(command, sum string) map[string]any {
		return map[string]any{"recorded": command, "program": map[string]string{"recorded": command, "sha256": sum}}
	}
	keep(t, path, with("./old/eng", "1f"), fixed, 1)
	testkit.EqualSlices(t, keep(t, path, with("./new/eng", "1f"), fixed), []uint64{1}, "a program that moved")
	_, err := Open(path, "test 1", with("./new/eng", "2f"), fixed, func(uint64) error { return nil })
	if !errors.Is(err, ErrOther) || !strings.Contains(err.Error(), `program.sha256 is "1f", expected "2f" (it was "./old/eng", now "./new/eng")`) {
		t.Errorf("another program: %v", err)
	}
}

// A journal starts over unless the same call wrote it; a file that is not a journal is not
// deleted.
func TestRenew(t *testing.T) {
	path := filepath.Join(t.TempDir(), "j")
	with := func(seed uint64, recorded string) any { return map[string]any{"seed": seed, "recorded": recorded} }
	for _, c := range []struct {
		settings any
		want     []uint64
	}{
		{with(1, ""), nil}, {with(1, "new"), nil}, {with(1, "new"), []uint64{1}}, {with(2, "new"), nil}, {with(2, "again"), nil},
	} {
		testkit.NoError(t, Renew(path, "test 1", c.settings))
		testkit.EqualSlices(t, keep(t, path, c.settings, fixed, uint64(len(c.want)+1)), c.want, "%v", c.settings)
	}
	text := filepath.Join(t.TempDir(), "notes")
	testkit.NoError(t, os.WriteFile(text, []byte("by hand"), 0o600))
	testkit.NoError(t, Renew(text, "test 1", with(1, "")))
	if got, _ := os.ReadFile(text); string(got) != "by hand" {
		t.Error("a file that is not a journal was deleted")
	}
}
