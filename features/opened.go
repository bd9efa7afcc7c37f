package features

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
	"kroo/internal/outline"
)

// AnyWeights are weights of any kind and game, without the type of its positions. [Open] reads them.
type AnyWeights interface {
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
	return cmp.Or(f.Header.Game, defaultGame), InFile(name, err)
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
		o.Named, err = parseWeights(data)
		switch {
		case err != nil:
		case o.Named.Columns != nil:
			err = o.sets.checkGame(o.Named)
		default:
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
	case m.Hash() == o.Tables.Header().ModelHash:
		o.Model = m
	}
	return nil
}

// errNoModel is the error for compiled weights without their model.
var errNoModel = errors.New("compiled weights have no weights of columns: expected the model that train fit writes " +
	"next to them, NAME.model")

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

// Points returns the weights as a function in points for the side to move: exact if the model is at
// hand, else by the tables.
func (o *Opened[P]) Points() (func(P) float64, error) {
	if o.Model == nil && o.Tables != nil {
		hundredth := o.Game.PointsPerUnit() / 100
		return func(p P) float64 { return hundredth * float64(o.Tables.Evaluate(p)) }, nil
	}
	m, err := o.Function()
	if err != nil {
		return nil, err
	}
	return m.Exact, nil
}

// ByFamily returns the points of a position by family of columns, or of tables if there is no model.
func (o *Opened[P]) ByFamily(p P) map[string]float64 {
	all := map[string]float64{}
	if o.Model == nil {
		for _, part := range o.Tables.Parts(p) {
			all[part.Family] += part.Points
		}
		return all
	}
	ones, vals := o.Model.Set.AppendRow(nil, nil, p)
	for _, i := range ones {
		vals = append(vals, Entry{i, 1})
	}
	families := o.Model.Set.Families()
	for _, v := range vals {
		at := slices.IndexFunc(families, func(f Family) bool { return int(v.Index) < f.To })
		all[families[at].Name] += o.Model.Weights[v.Index] * float64(v.Value)
	}
	return all
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
		return nil, fmt.Errorf("%s: weights for %s: expected weights of a game whose evaluators are tables, such as oware",
			o.Name, o.Game.Name)
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

// Recalibrate returns the content of a weights file with another calibration, and records the command
// that made it.
func Recalibrate(path string, c *Calibration, made string) ([]byte, error) {
	data, err := ReadFile(path)
	if err != nil {
		return nil, err
	}
	if IsPacked(data) {
		data, err = calibratedPacked(data, c, made)
		return data, InFile(path, err)
	}
	w, err := ParseWeights(data, path)
	if err != nil {
		return nil, err
	}
	w.Calibration = c
	w.Provenance.Made = made
	return w.seal()
}

// Explanation breaks down the value of a position. All numbers are points for the side to move.
type Explanation struct {
	Weights    string         `json:"weights"`
	Position   string         `json:"position"`
	Points     float64        `json:"points"`
	CentiSeeds int            `json:"centi_seeds"` // hundredths of the game's unit, as the engine computes it, rounded
	Families   []FamilyPoints `json:"families"`
	Houses     []HousePoints  `json:"houses,omitempty"` // the side to move's from its left, then the other side's; empty in games without houses
	Board      float64        `json:"board"`            // what does not depend on single houses: stores, phase, counts
	Columns    []Part         `json:"columns"`          // contributions, largest first

	diagram, unit string
	perUnit       float64
}

// FamilyPoints is a family's contribution.
type FamilyPoints struct {
	Name   string  `json:"name"`
	Points float64 `json:"points"`
}

// HousePoints is a house's contribution; houses of a pattern share its value equally.
type HousePoints struct {
	House  string  `json:"house"` // in the game's notation: A…F South's, a…f North's
	Seeds  int     `json:"seeds"`
	Points float64 `json:"points"`
}

// Board parses a board under rules that the weights must be for; "" means their own.
func (o *Opened[P]) Board(rules, board string) (p P, err error) {
	rules = cmp.Or(rules, o.Rules())
	if err := o.Game.CheckRules(rules); err != nil {
		return p, err
	}
	if err := checkRules(o.Rules(), rules); err != nil {
		return p, err
	}
	return o.Game.Parse(rules, board)
}

// Explain implements [AnyWeights].
func (o *Opened[P]) Explain(rules, board string) (*Explanation, error) {
	p, err := o.Board(rules, board)
	if err != nil {
		return nil, err
	}
	return o.ExplainPosition(p)
}

// ExplainPosition breaks down the value of a position, by columns if their weights are available,
// else by entries of the engine's tables. The position's rules must be those of the weights, as
// Board ensures.
func (o *Opened[P]) ExplainPosition(p P) (*Explanation, error) {
	x := &Explanation{
		Weights:  o.Name,
		Position: o.Game.Print(p),
		diagram:  o.Game.Diagram(p),
		unit:     o.Game.Unit,
		perUnit:  o.Game.PointsPerUnit(),
	}
	tables, noTables := o.Evaluator()
	m, err := o.Function()
	switch {
	case err == nil:
		for _, f := range m.Set.Families() {
			x.Families = append(x.Families, FamilyPoints{Name: f.Name})
		}
		x.add(m.Parts(p), placesOf(m.Set, p))
	case noTables != nil:
		return nil, err
	default:
		x.add(tables.Parts(p), placesOf(tables, p))
	}
	x.CentiSeeds = int(math.Round(x.Points / x.perUnit * 100))
	if noTables == nil {
		x.CentiSeeds = tables.Evaluate(p)
	}
	return x, nil
}

// placesOf returns the places of a position by a set or tables; nil if their columns concern none.
func placesOf[P any](of any, p P) []Place {
	if placed, ok := of.(placedSet[P]); ok {
		return placed.Places(p)
	}
	return nil
}

// add adds up parts.
func (x *Explanation) add(parts []Part, places []Place) {
	byPlace := make([]float64, len(places))
	for _, part := range parts {
		x.Points += part.Points
		k := slices.IndexFunc(x.Families, func(f FamilyPoints) bool { return f.Name == part.Family })
		if k < 0 {
			k = len(x.Families)
			x.Families = append(x.Families, FamilyPoints{Name: part.Family})
		}
		x.Families[k].Points += part.Points
		for i, share := range part.Shares {
			byPlace[i] += share
		}
		if part.Shares == nil {
			x.Board += part.Points
		}
		if part.Points != 0 {
			x.Columns = append(x.Columns, part)
		}
	}
	for i, place := range places {
		if place.Name == "" {
			x.Board += byPlace[i]
			continue
		}
		x.Houses = append(x.Houses, HousePoints{place.Name, place.Content, byPlace[i]})
	}
	slices.SortFunc(x.Columns, func(a, b Part) int {
		return cmp.Or(cmp.Compare(math.Abs(b.Points), math.Abs(a.Points)), cmp.Compare(a.Column, b.Column))
	})
}

// maxListed is the number of column contributions that Doc lists.
const maxListed = 25

// Doc formats the explanation.
func (x *Explanation) Doc() *outline.Doc {
	worth := func(points float64) string {
		rounded := math.Round(points/x.perUnit*100) / 100
		return fmt.Sprintf("%+.2f", rounded+0) // -0 + 0 is 0: no "-0.00"
	}
	d := &outline.Doc{
		Value: x, Title: fmt.Sprintf("%+.2f %ss for the side to move", float64(x.CentiSeeds)/100, x.unit),
		Sections: []outline.Section{
			{Boards: []outline.Board{{Board: x.Position, Diagram: x.diagram}}},
			{Heading: "families", Table: outline.TableOf([]string{"family", "worth, " + x.unit + "s"}, x.Families,
				func(f FamilyPoints) []any { return []any{f.Name, worth(f.Points)} })},
		},
	}
	columns := outline.Section{Heading: "columns",
		Table: outline.TableOf([]string{"column", "worth, " + x.unit + "s", "value"}, x.Columns[:min(len(x.Columns),
			maxListed)],
			func(c Part) []any {
				return []any{c.Name, worth(c.Points), c.Value}
			})}
	if more := len(x.Columns) - maxListed; more > 0 {
		columns.Note = fmt.Sprintf("%d more", more)
	}
	if x.Houses != nil {
		houses := outline.TableOf([]string{"house", "seeds", "worth, " + x.unit + "s"}, x.Houses,
			func(h HousePoints) []any { return []any{h.House, h.Seeds, worth(h.Points)} })
		houses.Add("the board", "", worth(x.Board))
		d.Add(outline.Section{Heading: "houses", Table: houses,
			Text: []string{"Patterns are shared equally by their houses."}})
		columns.Text = []string{"A B C are the side to move's houses in the names of columns, a b c the other side's."}
	}
	if len(columns.Table.Rows) > 0 {
		d.Add(columns)
	}
	return d
}

// Export writes the weights as "json" (the weight of every column) or "c" (a C99 source file). json
// has the tables if the weights are compiled and their model is missing.
func (o *Opened[P]) Export(to io.Writer, format string) (err error) {
	switch {
	case format == "json" && o.Named != nil:
		var data []byte
		data, err = o.Named.seal()
		if err == nil {
			_, err = to.Write(data)
		}
	case format == "json" && o.Model != nil:
		err = o.Model.writeJSON(to)
	case format == "c" && o.Named != nil && o.Named.Columns != nil:
		err = o.Named.writeC(to)
	default:
		e, err := o.Evaluator()
		if err != nil {
			return err
		}
		return e.Export(to, format)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// number returns the shortest text that parses to the same number with this many bits.
func number(x float64, bits int) string { return strconv.FormatFloat(x, 'g', -1, bits) }

// writeJSON writes the header and an object of the weights in points by column name, in column
// order.
func (m *Model[P]) writeJSON(w io.Writer) error {
	head, err := json.MarshalIndent(m.Header(), "  ", "  ")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"header\": %s,\n  \"points\": {", head)
	comma := ""
	for i, x := range m.Weights {
		fmt.Fprintf(b, "%s\n    %q: %s", comma, m.Set.ColumnName(i), number(x, 32))
		comma = ","
	}
	b.WriteString("\n  }\n}\n")
	return b.Flush()
}

// writeC writes weights by name as C99, without the code of the features, which this package does
// not know.
func (w *Weights) writeC(to io.Writer) error {
	var names, points strings.Builder
	for i, name := range w.Features {
		fmt.Fprintf(&names, "    %s,\n", quoteC(name))
		fmt.Fprintf(&points, "    %s, /* %s */\n", number(w.Points[i], 64), EscapeComment(name))
	}
	_, err := fmt.Fprintf(to, columnsC, w.Hash(), EscapeComment(w.Rules), len(w.Features), names.String(), points.String())
	return err
}

// EscapeComment changes a text so that it cannot start or end a C comment it is in, nor continue a line: a
// backslash or trigraph before a newline could join the two characters that end a comment.
func EscapeComment(text string) string { return commentEscaper.Replace(text) }

var commentEscaper = strings.NewReplacer("*", " * ", "\\", "/", "?", ".")

// quoteC formats a text as a C string literal.
func quoteC(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(text) {
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '?' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "\\%03o", c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

const columnsC = `/* Weights %s for %s: the value of a position for the side to move is
 * the sum of weight times feature, in points: 1000 are a won game. A feature is what the
 * side to move has, less what the other side has. */

enum { kroo_features = %d };

const char *const kroo_names[kroo_features] = {
%s};

const double kroo_points[kroo_features] = {
%s};

double kroo_evaluate(const double feature[kroo_features])
{
    double sum = 0;
    for (int i = 0; i < kroo_features; i++)
        sum += kroo_points[i] * feature[i];
    return sum;
}
`
