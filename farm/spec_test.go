package farm

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	owarefeatures "kroo/features/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

func TestDeadlinesAreLongerThanSearches(t *testing.T) {
	const day = 24 * time.Hour
	timed := func(d time.Duration) engine.Config { return engine.Config{MoveTime: engine.Duration{Duration: d}} }
	for _, c := range []struct {
		config engine.Config
		want   time.Duration
	}{
		{timed(time.Second), 2*time.Second + DeadlineGrace},
		{timed(20 * day), 30*day + DeadlineGrace},
		{timed(math.MaxInt64), 30*day + DeadlineGrace},
		{engine.Config{Nodes: 20_000}, time.Second + DeadlineGrace},
		{engine.Config{Nodes: 1 << 40}, day + DeadlineGrace},
		{engine.Config{Nodes: math.MaxInt64}, day + DeadlineGrace},
		{engine.Config{Depth: 10}, time.Hour},
	} {
		if got := DeadlineOf(c.config); got != c.want {
			t.Errorf("%s: a deadline of %s, want %s", c.config, got, c.want)
		}
	}
}

// setAll sets every field below v, so that none is zero.
func setAll(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			setAll(t, v.Field(i))
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.String:
		v.SetString("x")
	default:
		t.Fatalf("a field of kind %s: this test has to learn how to set it", v.Kind())
	}
}

// fileTables are endgame tables with nothing but their file.
type fileTables struct{ path string }

func (f fileTables) Final(tictactoe.Position) (low, high int, ok bool) { return 0, 0, false }
func (f fileTables) Name() string                                      { return "tables" }
func (f fileTables) Close() error                                      { return nil }
func (fileTables) Err() error                                          { return nil }

// fileKit is a game with tables that are files.
func fileKit() engine.Kit[tictactoe.Position] {
	k := engine.TicTacToe()
	k.Tables = func(path, _ string) (engine.Tables[tictactoe.Position], error) { return fileTables{path}, nil }
	return k
}

// All settings of an engine reach the workers, including future ones; paths of its files do not.
func TestEngineSpecRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tables")
	testkit.NoError(t, os.WriteFile(path, []byte("tables"), 0o644))
	var s engine.Spec
	setAll(t, reflect.ValueOf(&s.Search).Elem())
	setAll(t, reflect.ValueOf(&s.Policy).Elem())
	s.Weights, s.Search.Tables, s.Policy.Variety = "level", path, engine.Weighted // which have to be some that there are
	e, err := engine.Open(t.Context(), fileKit(), s, "standard")
	testkit.NoError(t, err)
	spec, files, err := Describe(e)
	if err != nil || len(files) != 1 || files[0].Path != path {
		t.Fatalf("files %v, error %v", files, err)
	}
	text, err := json.Marshal(spec)
	if err != nil || strings.Contains(string(text), path) {
		t.Fatalf("%s: error %v", text, err)
	}
	found := func(hash string) (string, error) {
		if hash != files[0].Hash {
			t.Errorf("asked for the file %s", hash)
		}
		return path, nil
	}
	var arrived EngineSpec
	testkit.NoError(t, DecodeSpec(text, &arrived))
	got, err := OpenEngine(fileKit(), arrived, found, 1)
	testkit.NoError(t, err)
	if got.Spec.Search != s.Search || got.Spec.Policy != s.Policy || got.Rules != e.Rules || got.Eval.Name != e.Eval.Name || got.Tables != e.Tables {
		t.Errorf("the engine is %+v, elsewhere %+v", e, got)
	}
}

// Workers have every built-in book, so they get its name.
func TestBuiltInBooksAreSentByName(t *testing.T) {
	for name, rules := range map[string]string{"default": "abapa", "default-awari": "awari"} {
		spec := engine.Spec{Weights: "captures", Book: name, Search: engine.Config{Nodes: 10, HashMB: 1, Tables: engine.NoTables}}
		e := testkit.Must(engine.Open(t.Context(), engine.Oware(), spec, rules))(t)
		described, files, err := Describe(e)
		if err != nil || len(files) > 0 || described.Spec.Book != name {
			t.Fatalf("%s: %+v, files %v, error %v", name, described.Spec, files, err)
		}
		there := testkit.Must(OpenEngine(engine.Oware(), described, nil, 1))(t)
		testkit.Equal(t, there.Book.Checksum(), e.Book.Checksum(), "the book %s", name)
	}
}

// A worker opens no file that a coordinator names by a path, and no engine that differs.
func TestAnEngineThatWorkersCannotOpenIsRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights")
	model, _ := owarefeatures.FindByName("thesis4")
	testkit.NoError(t, model.Save(path))
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: path, Search: engine.Config{Nodes: 10, HashMB: 1, Tables: engine.NoTables}}, "abapa"))(t)
	good, _, err := Describe(e)
	testkit.NoError(t, err)
	files := func(string) (string, error) { return path, nil }
	_ = testkit.Must(OpenSearches(engine.Oware(), good, files, 1))(t)
	for want, spoil := range map[string]func(*EngineSpec){
		"of its own: expected default, default-awari": func(s *EngineSpec) { s.Spec.Weights = path },
		"expected none, default or default-awari":     func(s *EngineSpec) { s.Spec.Book = path },
		"of its own: expected none;":                  func(s *EngineSpec) { s.Spec.Search.Tables = path },
		"workers start no programs":                   func(s *EngineSpec) { s.Spec.Program.Path = path },
		"no limit":                                    func(s *EngineSpec) { s.Spec.Search.Nodes = 0 },
		"hash_mb is 99999999":                         func(s *EngineSpec) { s.Spec.Search.HashMB = 99999999 },
		"unknown rules":                               func(s *EngineSpec) { s.Rules = "chess" },
		"no \"\" of its own":                          func(s *EngineSpec) { s.Spec.Weights = "" },
		"expected {\"other\"":                         func(s *EngineSpec) { s.Names.Evaluation = "other" },
		"\"99 seeds\"":                                func(s *EngineSpec) { s.Spec.Search.Tables, s.Names.Tables = "", "99 seeds" },
	} {
		bad := good
		spoil(&bad)
		_, err := OpenSearches(engine.Oware(), bad, files, 1)
		testkit.ErrorContains(t, err, want)
	}
	e.Eval = engine.Captures()
	if spec, _, err := Describe(e); err != nil || spec.Spec.Weights != "captures" {
		t.Errorf("captures: %+v, error %v", spec.Spec, err)
	}
	e.Eval.Known = ""
	_, _, err = Describe(e)
	testkit.ErrorContains(t, err, "expected weights from a file")
}
