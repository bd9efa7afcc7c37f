package features

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"kroo/games"
)

// Loaded are weights of any kind and game, without the type of its positions. [Open] reads them.
type Loaded interface {
	// Facts describes the weights.
	Facts() Facts
	// Explain breaks down the value of a board. Empty rules mean those of the weights.
	Explain(rules, board string) (*Explanation, error)
	// Export writes the weights: see [Opened.Export].
	Export(to io.Writer, format string) error
}

// Opened are weights of a game, by file or name: a model, tables compiled from one, or both; or
// weights of columns computed by another program.
type Opened[P games.Position[P]] struct {
	Name   string // as given
	Game   *games.Game[P]
	Model  *Model[P]
	Tables Tables[P] // nil if absent
	Named  *Weights  // from JSON, including those of another program's columns

	sets Sets[P]
}

// GameOf returns the name of a weights file's game; name is the file's in errors.
func GameOf(data []byte, name string) (string, error) {
	if !IsPacked(data) {
		w, err := ParseWeights(data, name)
		if err != nil {
			return "", err
		}
		return w.gameName(), nil
	}
	f, err := openPacked(data)
	return cmp.Or(f.Header.Game, oldGame), InFile(name, err)
}

// OfGame returns empty weights of a game, to be filled in.
func OfGame[P games.Position[P]](s Sets[P], name string) *Opened[P] {
	return &Opened[P]{Name: name, Game: s.Game, sets: s}
}

// Open parses a weights file of a game, of any kind. name is the file's; the model of compiled
// weights is expected next to it.
func Open[P games.Position[P]](s Sets[P], data []byte, name string) (*Opened[P], error) {
	o := OfGame(s, name)
	if err := o.read(data); err != nil {
		return nil, InFile(name, err)
	}
	return o, nil
}

func (o *Opened[P]) read(data []byte) (err error) {
	if !IsPacked(data) {
		if o.Named, err = parseWeights(data); err == nil && o.Named.Columns == nil {
			o.Model, err = o.sets.Model(o.Named)
		}
		return err
	}
	f, err := o.sets.OpenPacked(data)
	switch {
	case err != nil:
	case f.Kind == KindCompiled:
		o.Tables, err = o.sets.Patterns.Unpack(f)
	default:
		o.Model, err = o.sets.unpack(f)
	}
	return err
}

// FindModel adds the model next to a file of compiled weights if it is theirs. An unreadable model
// is an error: otherwise columns would be missing without notice.
func (o *Opened[P]) FindModel() error {
	next := ModelPath(o.Name)
	if o.Tables == nil || o.Model != nil || next == o.Name {
		return nil
	}
	m, err := o.sets.Load(next)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the model next to %s: %w: restore it, or remove it to use the tables alone", o.Name, err)
	case m.Hash() == o.Tables.Header().Weights:
		o.Model = m
	}
	return nil
}

// errNoModel is the error for compiled weights without their model.
var errNoModel = errors.New("compiled weights have no weights of columns: expected the model that train fit writes next to them, NAME.model")

// Function returns the model, whatever the kind.
func (o *Opened[P]) Function() (*Model[P], error) {
	switch {
	case o.Model != nil:
		return o.Model, nil
	case o.Named != nil:
		return nil, InFile(o.Name, o.Named.foreign())
	}
	return nil, fmt.Errorf("%s: %w", o.Name, errNoModel)
}

// Evaluator returns the tables of the weights, or an error if tables cannot represent them.
func (o *Opened[P]) Evaluator() (Tables[P], error) {
	if o.Tables != nil {
		return o.Tables, nil
	}
	m, err := o.Function()
	switch {
	case err != nil:
		return nil, err
	case o.sets.Patterns == nil:
		return nil, fmt.Errorf("%s: weights for %s: expected weights of a game whose evaluators are tables, such as oware", o.Name, o.Game.Name)
	}
	return o.sets.Patterns.Compile(m)
}

// Rules returns the rules of the weights.
func (o *Opened[P]) Rules() string {
	switch {
	case o.Model != nil:
		return o.Model.Rules
	case o.Tables != nil:
		return o.Tables.Header().Rules
	}
	return o.Named.Rules
}

// Calibrated returns the content of a weights file with another calibration.
func Calibrated(path string, c *Calibration) ([]byte, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	if IsPacked(data) {
		data, err = calibratedPacked(data, c)
		return data, InFile(path, err)
	}
	w, err := ParseWeights(data, path)
	if err != nil {
		return nil, err
	}
	w.Calibration = c
	return w.seal()
}
