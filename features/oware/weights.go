package oware

import (
	_ "embed" // default.weights, default-awari.weights
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/wording"
)

// centi is the value of a point in centi-seeds.
const centi = oware.CentiSeedsPerPoint

// Model is a function fitted to the columns of one of oware's sets.
type Model = features.Model[oware.Position]

// Opened are oware weights of any kind.
type Opened = features.Opened[oware.Position]

// defaultName is the name of the program's best weights for the rules.
const defaultName = "default"

// Names lists the names accepted wherever a weights file can be given.
func Names() (names []string) {
	for _, c := range champions {
		names = append(names, c.name)
	}
	for _, f := range publishedModels {
		names = append(names, f.name)
	}
	return names
}

// Find finds weights by a name of [Names], or reads a weights file. The default weights depend on
// the rules: captured seeds alone if the program has no champion for them.
func Find(name, rules string) (*Opened, error) {
	if slices.Contains(Names(), name) {
		return byName(name, rules)
	}
	data, err := features.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return features.Open(Sets, data, name)
}

// byName finds weights by a name of Names.
func byName(name, rules string) (*Opened, error) {
	o := features.OfGame(Sets, name)
	if c := championOf(name, rules); c != nil {
		e, err := c.read()
		o.Tables = e
		return o, err
	}
	if name == defaultName {
		name = capturesModel.name
	}
	o.Model, _ = FindByName(name)
	return o, nil
}

// packedWeights returns the content of a file of compiled weights, or of a champion's.
func packedWeights(name, rules string) ([]byte, error) {
	if c := championOf(name, rules); c != nil {
		return c.data, nil
	}
	return features.ReadFile(name)
}

// findFine is Find for compiled weights, with the tables as stored in their file.
func findFine(name, rules string) (c compilation, err error) {
	data, err := packedWeights(name, rules)
	if err != nil {
		return compilation{}, err
	}
	f, err := Sets.OpenPacked(data)
	if err == nil {
		c, err = opened{f}.compilation(true)
	}
	return c, features.InFile(name, err)
}

// printed is a published function of one of the Sets: points per unit, in the order of the set.
type printed struct {
	name, set, source string
	points            []float64
}

const salaSoler = "J. Sala Soler, Un motor de cerca per a l'aualé, UOC 2014: "

// The published functions.
var (
	capturesModel = printed{"captures", "captures", "seed difference, 1000/24 points per seed", []float64{100 / centi}}
	thesis4Model  = printed{"thesis4", "thesis4", salaSoler + "after backward elimination", []float64{36.58, -27.03, -51.94, 40.51}}
	thesis12Model = printed{"thesis12", "thesis", salaSoler + "full fit",
		[]float64{36.65, -19.09, -18.08, -47.37, -3.33, 6.80, -20.55, -4.76, 12.13, 17.66, 20.70, 18.92}}
	quick4Model = printed{"quick4", "thesis4", "train run, preset quick, revision 803cf08: thesis set of four",
		[]float64{42.9346, -24.3760, -51.6367, 33.2531}}
)

var publishedModels = []printed{capturesModel, thesis4Model, thesis12Model, quick4Model}

// FindPublished returns a function of Sala Soler 2014 for the rules abapa: for the set "thesis" the
// full fit, for "thesis4" the result of backward elimination. Other sets have none.
func FindPublished(set string) (m *Model, found bool) {
	for _, f := range []printed{thesis4Model, thesis12Model} {
		if f.set == set {
			return f.counts(), true
		}
	}
	return nil, false
}

// PublishedWeights returns a published function by name, as weights of the features of its set; nil for another
// name.
func PublishedWeights(name string) *features.Weights {
	for _, f := range publishedModels {
		if f.name == name {
			return f.counts().Named
		}
	}
	return nil
}

// FindByName returns a published function by name, for the rules abapa, as weights of the set
// store+houses: "captures" counts captured seeds; "thesis4" and "thesis12" are the two fits of Sala
// Soler 2014; "quick4" is a refit of the thesis's four features by a training run. They are
// antisymmetric under passing the turn.
func FindByName(name string) (*Model, bool) {
	for _, f := range publishedModels {
		if f.name == name {
			m := must(asPatterns(f.counts()))
			m.Provenance = features.Provenance{Name: f.name, Source: f.source}
			return m, true
		}
	}
	return nil, false
}

// counts returns the function of its set.
func (f printed) counts() *Model {
	s := must(Sets.ByName(f.set))
	return must(Sets.Model(must(features.New(Sets.Game.Name, oware.Abapa.String(), s.Info, s.Names(), f.points))))
}

// must panics on an error: published points are constants.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Compiled weights that come with the program.
var (
	//go:embed default.weights
	abapaWeights []byte
	//go:embed default-awari.weights
	awariWeights []byte
)

// champion are weights that come with the program.
type champion struct {
	name, rules string
	data        []byte
	read        func() (*Evaluator, error) // reads data, once
}

// champions are the best weights for the rules that have some.
var champions = []champion{
	newChampion(defaultName, oware.Abapa, abapaWeights),
	newChampion(defaultName+"-awari", oware.Awari, awariWeights),
}

func newChampion(name string, rules oware.Rules, data []byte) champion {
	return champion{name, rules.String(), data, sync.OnceValues(func() (*Evaluator, error) {
		e, err := parseTables(data)
		if err == nil && e.header.Rules != rules.String() {
			err = fmt.Errorf("weights for %s: expected %s", e.header.Rules, rules)
		}
		return e, features.InFile("embedded "+name, err)
	})}
}

// championOf finds the champion of a name, or under the name default the one for the rules, nil
// without one. The champion of abapa also serves arena.
func championOf(name, rules string) *champion {
	if r, err := oware.ParseRules(rules); err == nil && r.LikeAbapa() {
		rules = oware.Abapa.String()
	}
	at := slices.IndexFunc(champions, func(c champion) bool {
		return name == defaultName && c.rules == rules || name != defaultName && c.name == name
	})
	if at < 0 {
		return nil
	}
	return &champions[at]
}

// Default returns the evaluator of the champion for the rules, nil if the program has none. The
// tables are read once, at the first call.
func Default(rules string) (*Evaluator, error) {
	if c := championOf(defaultName, rules); c != nil {
		return c.read()
	}
	return nil, nil
}

// parseTables reads a file of compiled weights.
func parseTables(data []byte) (*Evaluator, error) {
	f, err := Sets.OpenPacked(data)
	if err != nil {
		return nil, err
	}
	return opened{f}.evaluator()
}

// patternSets are the sets of pattern features that [Parse] accepts, the same for all rules.
var patternSets = features.Patterns[oware.Position]{
	DefaultSet: "store+houses+pairs+triples", MaxStages: maxStages, Families: allFamilies(),
	Parse:  func(spec string) (features.ColumnSet[oware.Position], error) { return Parse(spec) },
	Unpack: func(f features.Packed) (features.Tables[oware.Position], error) { return opened{f}.evaluator() },
}

func init() { // not in the literals: these use Sets
	patternSets.Find = findFor
	patternSets.Keep = keep
	patternSets.Compile = compileAny
	Sets.Patterns = &patternSets
}

// compileAny makes the tables of a model of any set.
func compileAny(m *Model) (features.Tables[oware.Position], error) {
	if m.Named != nil {
		var err error
		m, err = asPatterns(m)
		if err != nil {
			return nil, err
		}
	}
	e, err := Compile(m)
	if err != nil {
		return nil, err
	}
	return e, nil
}

// findFor finds a model by a name of [Names] or in a file. For compiled weights it is the model next
// to their file if that is of the set; otherwise the tables are decompiled.
func findFor(name, rules string, set features.ColumnSet[oware.Position]) (*Model, error) {
	o, err := Find(name, rules)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("%w: %s, or a file", err, wording.Expect(name, Names()))
	}
	if err == nil {
		err = o.FindModel()
	}
	switch {
	case err != nil:
		return nil, err
	case o.Tables != nil && (o.Model == nil || o.Model.Set.Hash() != set.Hash()):
		c, err := findFine(name, rules)
		if err != nil {
			return nil, err
		}
		m, err := decompile(c, set.(*PatternSet))
		switch {
		case err == nil:
			return m, nil
		case strings.HasSuffix(name, features.CompiledSuffix):
			return nil, fmt.Errorf("%s: without its model, %s: %w", name, filepath.Base(features.ModelPath(name)), err)
		default:
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	case name == defaultName && o.Tables == nil:
		return nil, fmt.Errorf("the program has no weights of its own for %s: name a file", rules)
	case o.Named != nil:
		return nil, fmt.Errorf("%s: weights of the antisymmetric set %s: expected pattern weights", name, o.Named.Set)
	}
	return o.Model, nil
}

// keep writes the model, with pattern weights on the grid, and the compiled weights.
func keep(m *Model, out, models string) (k features.Kept, err error) {
	m.Set.(*PatternSet).ToGrid(m.Weights)
	k.Model, k.Hash = models, m.Hash()
	if err := m.Save(models); err != nil {
		return k, err
	}
	c, err := compile(m)
	if err != nil {
		return k, fmt.Errorf("%s is not written: %w; the model is in %s", out, err, models)
	}
	k.Compiled = out
	k.Play = c.Hash()
	k.Rounding = c.Rounding()
	return k, features.WritePacked(out, features.KindCompiled, c.header, c.sections())
}
