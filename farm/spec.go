package farm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/checksum"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// EngineSpec describes how to open an equivalent engine on a machine that may lack its files: it has
// their hashes.
type EngineSpec struct {
	Game  string      `json:"game"`
	Rules string      `json:"rules"`
	Spec  engine.Spec `json:"spec"`
	Names Names       `json:"names"`
}

// Names are the record names of an engine's parts, compared after opening; "" for a missing part.
type Names struct {
	Evaluation string `json:"evaluation"`
	Tables     string `json:"tables"`
	Book       string `json:"book"`
}

const maxSpec = 1 << 16 // bytes of an encoded spec

const byHash = "sha256:"

// Describe returns the spec of an engine, and the files that it needs.
func Describe[P search.Position[P]](e *engine.Engine[P]) (s EngineSpec, files []File, err error) {
	s = EngineSpec{e.Kit.Game.Name, e.Rules, e.Spec, namesOf(e)}
	switch eval := e.Eval; {
	case e.Spec.Program.Path != "":
		err = fmt.Errorf("the program %s searches on this machine only: leave out the farm", eval.Name)
	case eval.Known != "":
		s.Spec.Weights = eval.Known
	case eval.File != "":
		s.Spec.Weights, err = send(eval.File, &files)
	default:
		err = fmt.Errorf("the evaluation %s has neither a file nor a name that workers know: expected weights from "+
			"a file", eval.Name)
	}
	if err == nil {
		s.Spec.Search.Tables, err = SendTables(e.Tables, e.Spec.Search.Tables, e.Rules, &files)
	}
	s.Spec.OwnBook = false
	switch {
	case e.Book == nil:
		s.Spec.Book = engine.NoBook
	case s.Spec.Book == "":
		s.Spec.Book = engine.DefaultName
	case !slices.Contains(e.Kit.Books, s.Spec.Book) && err == nil:
		s.Spec.Book, err = send(s.Spec.Book, &files)
	}
	return s, files, err
}

func namesOf[P search.Position[P]](e *engine.Engine[P]) (n Names) {
	n.Evaluation = e.Eval.Name
	if e.Tables != nil {
		n.Tables = e.Tables.Name()
	}
	if e.Book != nil {
		n.Book = e.Book.Checksum()
	}
	return n
}

// send returns the reference to a file, and adds it to files.
func send(path string, files *[]File) (string, error) {
	info, err := vfs.Stat(path)
	if err != nil {
		return "", err
	}
	sum, err := checksum.File(path)
	*files = append(*files, File{Hash: sum, Size: info.Size(), Path: path})
	return byHash + sum, err
}

// SendTables returns the reference to endgame tables opened at path; tables may be nil. The empty
// string means the built-in tables.
func SendTables(tables any, path, rules string, files *[]File) (string, error) {
	if tables == nil {
		return engine.NoTables, nil
	}
	if path == "" {
		return "", nil
	}
	return send(engine.TableFile(path, rules), files)
}

// receive resolves a reference on this machine. A name must be one of own, the built-in ones: it is
// never a path, which a coordinator must not open here.
func receive(text string, files Files, own ...string) (string, error) {
	if hash, isFile := strings.CutPrefix(text, byHash); isFile {
		return files(hash)
	}
	if !slices.Contains(own, text) {
		return "", fmt.Errorf("this program has no %.40q of its own: %s; use the version of the coordinator",
			text, wording.Expect(text, own))
	}
	return text, nil
}

// ReceiveTables returns the path of endgame tables on this machine.
func ReceiveTables(text string, files Files) (string, error) {
	if text == "" {
		return "", nil
	}
	return receive(text, files, engine.NoTables)
}

// OpenEngine opens the engine of a spec and verifies that it is the same. It never starts a program.
// It checks the memory for a number of searchers.
func OpenEngine[P search.Position[P]](k engine.Kit[P], s EngineSpec, files Files, searchers int) (*engine.Engine[P], error) {
	own := s.Spec
	own.OwnBook = false
	if own.Program.Path != "" {
		return nil, errors.New("an engine with a program: workers start no programs")
	}
	var e1, e2, e3 error
	own.Weights, e1 = receive(own.Weights, files, k.Names...)
	own.Book, e2 = receive(own.Book, files, append([]string{engine.NoBook}, k.Books...)...)
	own.Search.Tables, e3 = ReceiveTables(own.Search.Tables, files)
	if err := errors.Join(own.Check(), k.Game.CheckRules(s.Rules), e1, e2, e3); err != nil {
		return nil, err
	}
	if err := own.Search.CheckMemory(searchers); err != nil {
		return nil, err
	}
	e, err := engine.Open(context.Background(), k, own, s.Rules)
	if err != nil {
		return nil, err
	}
	if here := namesOf(e); here != s.Names {
		err := fmt.Errorf("this program plays with %q: expected %q, as the coordinator has; use the same version",
			here, s.Names)
		return nil, errors.Join(err, e.Close())
	}
	return e, nil
}

// DecodeSpec decodes the JSON of a spec strictly.
func DecodeSpec(text []byte, v any) error {
	if err := strict.JSON(text, maxSpec, v); err != nil {
		return fmt.Errorf("the coordinator's session: %w", err)
	}
	return nil
}

// DeadlineGrace is the part of every deadline for everything but the search.
const DeadlineGrace = 30 * time.Second

// DeadlineOf returns a bound above the time of a search with these limits on a slow machine.
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
