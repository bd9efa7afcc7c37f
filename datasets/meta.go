package datasets

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"kroo/games"
	"kroo/internal/checksum"
)

// The kinds of table, for [Meta.Kind].
const (
	Positions = "positions"
	Labels    = "labels"
	Features  = "features"
)

const (
	maxFeatures  = 1000      // of a table
	maxMetaBytes = 256 << 10 // of its texts
	maxName      = 80        // bytes of the name of another program's column
)

// Meta describes a table and its origin. The file stores it as pairs of key and value
// ("kroo.rules", "abapa"), the manifest as JSON. Fields that do not apply are empty. It must not
// contain anything that differs between two runs with the same input, such as a date.
type Meta struct {
	Kind      string `json:"kind"`                // one of Positions, Labels, Features
	Game      string `json:"game,omitempty"`      // games.Info.Name
	Rules     string `json:"rules"`               // rule set of the positions, a name of the game's
	Seed      uint64 `json:"seed,omitempty"`      // of the sample
	Method    string `json:"method,omitempty"`    // of drawing the positions
	Limits    string `json:"limits,omitempty"`    // of the labelling searches
	Engine    string `json:"engine,omitempty"`    // signature of the searcher
	Evaluator string `json:"evaluator,omitempty"` // of the labelling searches
	OptionalColumns
	FeatureSet string   `json:"feature_set,omitempty"` // name of the set, features tables only
	Features   []string `json:"features,omitempty"`    // its features in column order, features tables only
	Columns    []string `json:"columns,omitempty"`     // numbers computed by another program, in order, features tables only
	Parent     string   `json:"parent,omitempty"`      // SHA-256 in hex of the source file
	Tool       string   `json:"tool,omitempty"`        // revision of the program
	Note       string   `json:"note,omitempty"`
	Made       string   `json:"made,omitempty"` // command; only in the manifest
}

// CheckRules returns an error if the table was made for another game or other rules.
func (m Meta) CheckRules(game, rules string) error {
	if m.Game != game || m.Rules != rules {
		return fmt.Errorf("the %s table is of %s under the rules %q: expected %s under %q",
			m.Kind, m.Game, m.Rules, game, rules)
	}
	return nil
}

func (m Meta) check() error {
	if m.Kind != Positions && m.Kind != Labels && m.Kind != Features {
		return fmt.Errorf("unknown kind of table %q: expected %s, %s or %s", m.Kind, Positions, Labels, Features)
	}
	if m.Parent != "" && !checksum.Is(m.Parent) {
		return fmt.Errorf("meta: parent is %q: expected a SHA-256 of 64 hex digits", m.Parent)
	}
	size := 0
	for _, p := range m.pairs() {
		size += len(p.value)
		if !utf8.ValidString(p.value) {
			return errors.New("meta: a text is not valid UTF-8")
		}
	}
	if size > maxMetaBytes {
		return fmt.Errorf("meta: %d bytes of text: at most %d", size, maxMetaBytes)
	}
	return m.checkFeatures()
}

// checkGame refuses a table of another game, or with rules that the game does not have.
func (m Meta) checkGame(g games.Info) error {
	if m.Game != g.Name {
		return fmt.Errorf("meta: the game is %q: expected %s", m.Game, g.Name)
	}
	if err := g.CheckRules(m.Rules); err != nil {
		return fmt.Errorf("meta: %w", err)
	}
	return nil
}

func (m Meta) checkFeatures() error {
	if m.Kind != Features {
		if len(m.Features)+len(m.Columns) != 0 || m.FeatureSet != "" {
			return fmt.Errorf("meta: a %s table has no features", m.Kind)
		}
		return nil
	}
	if n := len(m.Features) + len(m.Columns); n == 0 || n > maxFeatures {
		return fmt.Errorf("meta: %d features: expected 1 to %d", n, maxFeatures)
	}
	seen := map[string]bool{}
	for i, name := range m.Features {
		if name == "" || strings.Contains(name, ",") || seen[ColumnName(name)] {
			return fmt.Errorf("meta: feature %d is named %q: expected different names without commas, "+
				"which differ in letters or digits", i+1, name)
		}
		seen[ColumnName(name)] = true
	}
	return m.checkColumns()
}

// HasPredictions reports whether the last columns are an evaluation's predictions.
func (m Meta) HasPredictions() bool {
	n := len(m.Columns) - len(PredictionColumns)
	return n >= 0 && slices.Equal(m.Columns[n:], PredictionColumns)
}

// FitColumns lists the columns of other programs that weights can be fitted to: all but predictions.
func (m Meta) FitColumns() []string {
	if m.HasPredictions() {
		return m.Columns[:len(m.Columns)-len(PredictionColumns)]
	}
	return m.Columns
}

// checkColumns refuses names of other programs' columns that are also names of our own, or need
// quotes somewhere. The name of one of our columns that is optional and absent is allowed.
func (m Meta) checkColumns() error {
	seen, ours := map[string]bool{}, map[string]bool{}
	own := m
	own.Columns = nil
	for _, d := range allDefinitions(games.Info{}, &own) {
		if d.has == nil || d.isIn(&m) {
			ours[d.name] = true
		}
	}
	for _, name := range m.Columns {
		lower := strings.ToLower(name)
		odd := strings.ContainsFunc(name, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_.-", r)
		})
		switch {
		case name == "" || len(name) > maxName || odd:
			return fmt.Errorf("column %.80q: expected a name of letters, digits and _ . -, at most %d; rename it",
				name, maxName)
		case ours[lower] || strings.HasPrefix(lower, "own_") || strings.HasPrefix(lower, "opp_"):
			return fmt.Errorf("column %q has the name of one of Kroo's own columns: rename it", name)
		case seen[lower]:
			return fmt.Errorf("column %q is named twice: name each once", name)
		}
		seen[lower] = true
	}
	return nil
}

// NoteOf returns a dataset's note, with the filter of its rows, if any.
func NoteOf(note, filter string) string {
	if filter == "" {
		return note
	}
	return strings.TrimPrefix(fmt.Sprintf("%s; rows where %q", note, filter), "; ")
}

// pair is a key and its value in a file's metadata.
type pair struct{ key, value string }

// formatKey is the key of the schema's version.
const formatKey = "kroo.version"

// texts lists all that a file stores of the meta, in order, given the texts of its numbers and lists.
func (m *Meta) texts(seed, features, columns *string) (keys []string, values []*string) {
	return []string{"kind", "game", "rules", "seed", "method", "limits", "engine", "evaluator",
			"feature_set", "features", "columns", "parent", "tool", "note"},
		[]*string{&m.Kind, &m.Game, &m.Rules, seed, &m.Method, &m.Limits, &m.Engine, &m.Evaluator,
			&m.FeatureSet, features, columns, &m.Parent, &m.Tool, &m.Note}
}

// pairs returns the meta as stored in a file, deterministically.
func (m Meta) pairs() []pair {
	list := []pair{{formatKey, strconv.Itoa(manifestVersion)}}
	seed := strconv.FormatUint(m.Seed, 10)
	features := strings.Join(m.Features, ",")
	columns := strings.Join(m.Columns, ",")
	keys, values := m.texts(&seed, &features, &columns)
	for i, value := range values {
		if *value != "" {
			list = append(list, pair{"kroo." + keys[i], *value})
		}
	}
	return list
}

// allPairs returns a file's metadata: the meta, and a line for each column.
func allPairs(m Meta, cols []column) []pair {
	list := m.pairs()
	for _, c := range cols {
		list = append(list, pair{"column." + c.name, c.about})
	}
	return list
}

// errColumns reports columns that the meta does not call for.
var errColumns = errors.New("its columns are not those of its meta")

// description is the metadata of a file.
type description struct {
	Pairs map[string]string
	Names []string // of its columns
	Texts []string // columns of text, if the columns have types
}

func newDescription(keys, values []string) description {
	d := description{Pairs: make(map[string]string, len(keys))}
	for i, key := range keys {
		d.Pairs[key] = values[i]
	}
	return d
}

func (d *description) add(name string, isText bool) {
	d.Names = append(d.Names, name)
	if isText {
		d.Texts = append(d.Texts, name)
	}
}

// check refuses a file whose meta differs from its manifest's.
func (d description) check(m Meta) error {
	for _, p := range m.pairs() {
		if d.Pairs[p.key] != p.value {
			return errors.New("the meta in the file is not the one in its manifest")
		}
	}
	return nil
}

// meta returns the file's meta. Without one, the kind of table is guessed from the columns.
func (d description) meta() (m Meta, err error) {
	if v, ok := d.Pairs[formatKey]; ok && v != strconv.Itoa(manifestVersion) {
		return m, fmt.Errorf("version is %.20q: this program reads %d%s", v, manifestVersion, madeBy(d.Pairs["kroo.tool"]))
	}
	var seed, features, columns string
	keys, values := m.texts(&seed, &features, &columns)
	for i, key := range keys {
		*values[i] = d.Pairs["kroo."+key]
	}
	if seed != "" {
		m.Seed, err = strconv.ParseUint(seed, 10, 64)
		if err != nil {
			return m, fmt.Errorf("seed is %.40q: expected a number", seed)
		}
	}
	if features != "" {
		m.Features = strings.Split(features, ",")
	}
	if columns != "" {
		m.Columns = strings.Split(columns, ",")
	}
	if m.Kind == "" {
		m.Kind, m.Features = d.guess()
	}
	return m, nil
}

// guess returns the kind of table and its features, from the names of the columns.
func (d description) guess() (kind string, features []string) {
	for _, name := range d.Names {
		if of, ok := strings.CutPrefix(name, "own_"); ok {
			features = append(features, featureOf(of))
		}
	}
	switch {
	case features != nil:
		return Features, features
	case slices.Contains(d.Names, "score"):
		return Labels, nil
	}
	return Positions, nil
}

// featureOf is the inverse of [ColumnName]: lt_1 becomes <1.
func featureOf(column string) string {
	for sign, prefix := range map[string]string{"<": "lt_", ">": "gt_"} {
		if number, ok := strings.CutPrefix(column, prefix); ok {
			return sign + number
		}
	}
	return column
}

// GameOf returns the game of a table, from its manifest or the file itself, or "" if neither names
// it.
func GameOf(ctx context.Context, path string) (string, error) {
	if m, err := ReadManifest(path); err == nil {
		return m.Meta.Game, nil
	}
	about, err := request{Path: path}.describe(ctx)
	if err != nil {
		return "", err
	}
	m, err := about.meta()
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return m.Game, nil
}
