package weights

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/features/oware/thesis"
	"kroo/features/weightsfile"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/regress"
)

// Weights are weights of any kind, by file or by name; one or two of them are there.
type Weights struct {
	Name             string // as given
	patterns.Weights        // Thesis is of an antisymmetric set of any game
	Other            *Info  // of patterns of another game

	of games.Info // of Thesis
}

// Games are those whose weights are read.
type Games interface {
	// CheckWeights finds the game of antisymmetric weights, and refuses those that are
	// not of one of its sets.
	CheckWeights(*features.Weights) (games.Info, error)
	// Game tells of the game of a name.
	Game(name string) (games.Info, error)
	// Model sums up a file's model of a pattern set of a game ([OfModel]).
	Model(game string, data []byte, file string) (Info, error)
}

// Load reads a weights file, or finds weights of oware by a name, the default for
// abapa. The model of compiled weights comes along if it lies beside them.
func Load(name string, all Games) (w *Weights, err error) {
	w = &Weights{Name: name}
	if slices.Contains(patterns.Names(), name) {
		w.Weights, err = patterns.Find(name, oware.Abapa.String())
		return w, err
	}
	data, err := weightsfile.Read(name)
	if err != nil {
		return nil, fmt.Errorf("%w; by name there are %s", err, strings.Join(patterns.Names(), ", "))
	}
	if weightsfile.Holds(data) {
		return w, w.parse(data, all)
	}
	if w.Thesis, err = features.ParseWeights(data, name); err != nil {
		return nil, err
	}
	if w.Thesis.Columns != nil {
		w.of, err = all.Game(w.Thesis.GameName())
	} else {
		w.of, err = all.CheckWeights(w.Thesis)
	}
	return w, weightsfile.InFile(name, err)
}

// Describe describes a weights file.
func Describe(path string, all Games) (*doc.Doc, error) {
	w, err := Load(path, all)
	if err != nil {
		return nil, err
	}
	return w.Info().Doc(), nil
}

// parse reads pattern weights.
func (w *Weights) parse(data []byte, all Games) error {
	f, err := weightsfile.Open(data, 1)
	if err == nil && f.Header.Game != "" { // none is oware
		i, err := all.Model(f.Header.Game, data, w.Name)
		w.Other = &i
		return err
	}
	if w.Weights, err = patterns.ParseWeights(data, w.Name); err != nil || w.Compiled == nil {
		return err
	}
	return w.findModel()
}

// findModel reads the model beside compiled weights, unless it is of others. One that
// cannot be read is not one that is not there: who asks for the columns would get the
// tables.
func (w *Weights) findModel() error {
	beside := regress.ModelPath(w.Name)
	if beside == w.Name {
		return nil
	}
	m, err := patterns.LoadModel(beside)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("the model beside %s: %w: restore it, or remove it to go on with the tables alone", w.Name, err)
	case m.Hash() == w.Compiled.Header().Weights:
		w.Model = m
	}
	return nil
}

// game is the name of the game that the weights are for.
func (w *Weights) game() string {
	switch {
	case w.Other != nil:
		return w.Other.of.Name
	case w.Thesis != nil:
		return w.Thesis.GameName()
	}
	return oware.Descriptor().Name
}

// needOware refuses weights of another game.
func (w *Weights) needOware() error {
	if game := w.game(); game != oware.Descriptor().Name {
		return fmt.Errorf("%s: weights for %s: expected some for oware", w.Name, game)
	}
	return nil
}

// errNoModel explains what compiled weights lack.
var errNoModel = errors.New("compiled weights hold no weights of columns: expected the model that train fit writes beside them, NAME.model")

// model is the weight of each column, whatever the kind.
func (w *Weights) model() (*patterns.Model, error) {
	if err := w.needOware(); err != nil {
		return nil, err
	}
	if w.Thesis != nil && w.Thesis.Columns != nil {
		return nil, fmt.Errorf("%s: weights of columns that another program has computed, %s: no function of a board", w.Name, strings.Join(w.Thesis.Columns, ", "))
	}
	if w.Thesis != nil {
		return modelOf(w.Thesis)
	}
	if w.Model == nil {
		return nil, fmt.Errorf("%s: %w", w.Name, errNoModel)
	}
	return w.Model, nil
}

// Evaluator is the tables of the weights; an error if no tables can hold them.
func (w *Weights) Evaluator() (*patterns.Evaluator, error) {
	if w.Compiled != nil {
		return w.Compiled, nil
	}
	m, err := w.model()
	if err != nil {
		return nil, err
	}
	return patterns.Compile(m)
}

// modelOf is an antisymmetric function as a model of the set store+houses.
func modelOf(w *features.Weights) (*patterns.Model, error) {
	places, err := thesis.PlacesOf(w)
	if err != nil {
		return nil, err
	}
	rules, err := oware.ParseRules(w.Rules)
	if err != nil {
		return nil, err
	}
	set, err := patterns.Parse("store+houses")
	if err != nil {
		return nil, err
	}
	points := make([]float32, set.Len())
	points[0] = float32(places[oware.Houses][1]) // captures are linear
	houses := set.Families()[1]
	counts := (houses.To - houses.From) / (2 * oware.Houses) // the last stands for all larger ones, which no feature tells apart
	for i := range houses.To - houses.From {
		house, seeds := i/counts, i%counts
		if house < oware.Houses {
			points[houses.From+i] = float32(places[house][seeds])
		} else {
			points[houses.From+i] = -float32(places[house-oware.Houses][seeds])
		}
	}
	return patterns.New(rules, set, points, patterns.Provenance{Name: w.Set + " " + w.Hash()})
}
