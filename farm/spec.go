package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/strictjson"
	"kroo/internal/vfs"
)

// EngineSpec says how to open an engine that answers as another one does, on a machine
// that may lack its files.
type EngineSpec struct {
	Game       string            `json:"game"`
	Rules      string            `json:"rules"`
	Config     engine.Config     `json:"config"` // without its tables, a path: they are a part
	Policy     engine.BookPolicy `json:"policy"`
	Evaluation Part              `json:"evaluation"`
	Tables     Part              `json:"tables"`
	Book       Part              `json:"book"`
}

// Part is something that an engine plays with: a file, or what the program has of its
// own. The zero value is nothing.
type Part struct {
	Name string `json:"name,omitempty"` // as records have it; checked after opening
	Own  string `json:"own,omitempty"`  // the name of the program's own
	File string `json:"file,omitempty"` // hash of a file
}

// maxSpec bounds the text of a spec.
const maxSpec = 1 << 16

// Describe tells how to open an engine elsewhere. book is the path that its book was
// opened by, "" for none.
func Describe[P search.Position[P]](e *engine.Engine[P], book string) (s EngineSpec, files []File, err error) {
	s = EngineSpec{Game: e.Kit.Game.Name, Rules: e.Rules, Config: e.Config, Policy: e.Policy}
	s.Config.Tables = ""
	switch eval := e.Eval; {
	case eval.Program != nil:
		err = fmt.Errorf("the program %s searches on this machine only: leave out the farm", eval.Name)
	case eval.Known != "" || eval.File != "":
		s.Evaluation, err = describePart(eval.Name, eval.Known, eval.File, &files)
	default:
		err = fmt.Errorf("the evaluation %s has neither a file nor a name that workers know: expected weights from a file", eval.Name)
	}
	if err == nil && e.Tables != nil {
		s.Tables, err = DescribeTables(e.Tables, e.Config.Tables, e.Rules, &files)
	}
	if err == nil && e.Book != nil {
		s.Book, err = describePart(e.Book.Checksum(), own(book == engine.DefaultName), book, &files)
	}
	return s, files, err
}

// DescribeTables tells how to open endgame tables elsewhere that a path has led to, ""
// for the program's own. A file of them joins the others.
func DescribeTables(tables any, path, rules string, files *[]File) (Part, error) {
	if path != "" {
		path = engine.TableFile(path, rules)
	}
	return describePart(nameOf(tables), own(path == ""), path, files)
}

// own is the name of what the program has of its own, "" for what is a file.
func own(is bool) string {
	if is {
		return engine.DefaultName
	}
	return ""
}

// describePart is the program's own if that has a name, or else a file, which joins the others.
func describePart(name, own, path string, files *[]File) (Part, error) {
	if own != "" {
		return Part{Name: name, Own: own}, nil
	}
	info, err := vfs.Stat(path)
	if err != nil {
		return Part{}, err
	}
	sum, err := checksum.File(path)
	if err != nil {
		return Part{}, err
	}
	*files = append(*files, File{Hash: sum, Size: info.Size(), Path: path})
	return Part{Name: name, File: sum}, nil
}

// path is where a part is on this machine, none for nothing. A name has to be one of what
// the program has of its own: it is no path that a coordinator may have opened.
func (p Part) path(files Files, none string, own ...string) (string, error) {
	switch {
	case p == Part{}:
		return none, nil
	case (p.File == "") == (p.Own == ""):
		return "", errors.New("a part of an engine: expected either a file or a name")
	case p.File != "":
		return files(p.File)
	case !slices.Contains(own, p.Own):
		return "", fmt.Errorf("this program has no %.40q of its own: expected %s; use the version of the coordinator", p.Own, games.OrList(own))
	}
	return p.Own, nil
}

// same refuses what has another name here than a part has.
func (p Part) same(what, here string) error {
	if here != p.Name {
		return fmt.Errorf("the %s of this program is %q: expected %q, as the coordinator has; use the same version", what, here, p.Name)
	}
	return nil
}

func (p Part) tablesPath(files Files) (string, error) {
	path, err := p.path(files, engine.NoTables, engine.DefaultName)
	if p.Own != "" {
		path = "" // the program's own
	}
	return path, err
}

// nameOf is the name of tables, or of a book; "" for none.
func nameOf(opened any) string {
	switch o := opened.(type) {
	case interface{ Name() string }:
		return o.Name()
	case interface{ Checksum() string }:
		return o.Checksum()
	}
	return ""
}

// OpenTables opens the tables of a part, nil for none.
func OpenTables[P search.Position[P]](k engine.Kit[P], p Part, rules string, files Files) (engine.Tables[P], error) {
	path, err := p.tablesPath(files)
	if err != nil || path == engine.NoTables || k.Tables == nil {
		return nil, err
	}
	t, err := k.Tables(path, rules)
	if err != nil {
		return nil, err
	}
	if err := p.same("endgame tables", nameOf(t)); err != nil {
		return nil, errors.Join(err, t.Close())
	}
	return t, nil
}

// OpenEngine opens the engine that a spec describes and makes sure that it is the same.
// It checks the memory for so many searchers.
func OpenEngine[P search.Position[P]](k engine.Kit[P], s EngineSpec, files Files, searchers int) (*engine.Engine[P], error) {
	c := s.Config
	switch {
	case c.Tables != "":
		return nil, errors.New("a configuration with a path of endgame tables: expected them as a part")
	case s.Evaluation == Part{}:
		return nil, errors.New("an engine without an evaluation")
	}
	evaluation, e1 := s.Evaluation.path(files, "", k.Names...)
	book, e2 := s.Book.path(files, engine.NoBook, engine.DefaultName)
	tables, e3 := s.Tables.tablesPath(files)
	if err := errors.Join(c.Check(), s.Policy.Check(), k.Game.CheckRules(s.Rules), e1, e2, e3); err != nil {
		return nil, err
	}
	if err := c.CheckMemory(searchers); err != nil {
		return nil, err
	}
	c.Tables = tables
	e, err := engine.Open(k, evaluation, book, c, s.Rules)
	if err != nil {
		return nil, err
	}
	e.Policy = s.Policy
	err = errors.Join(s.Evaluation.same("evaluation", e.Eval.Name), s.Tables.same("endgame tables", nameOf(e.Tables)), s.Book.same("book", nameOf(e.Book)))
	if err != nil {
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// DecodeSpec reads the JSON of a spec strictly.
func DecodeSpec(text []byte, v any) error {
	if err := strictjson.Decode(text, maxSpec, v); err != nil {
		return fmt.Errorf("what the coordinator wants: %w", err)
	}
	return nil
}

// DeadlineGrace is a part of every deadline, for all that is no search.
const DeadlineGrace = 30 * time.Second

// DeadlineOf is longer than a search so limited takes on a slow machine, but no longer
// than a worker accepts.
func DeadlineOf(c engine.Config) time.Duration {
	const (
		slowNode  = time.Second / 20_000
		mostNodes = 24 * time.Hour / slowNode
		unlimited = time.Hour
	)
	switch {
	case c.MoveTime.Duration > 0:
		return 2*min(c.MoveTime.Duration, maxDuration/2) + DeadlineGrace
	case c.Nodes > 0:
		return time.Duration(min(c.Nodes, int64(mostNodes)))*slowNode + DeadlineGrace
	}
	return unlimited
}

// EncodeSpec writes the JSON of a spec.
func EncodeSpec(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err == nil && len(text) > maxSpec {
		err = fmt.Errorf("%d bytes: expected at most %d", len(text), maxSpec)
	}
	if err != nil {
		return nil, fmt.Errorf("what the workers are to do: %w", err)
	}
	return text, nil
}
