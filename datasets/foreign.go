package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
	"kroo/internal/wording"
)

// Foreign describes how to read a table written by another program. Columns can be in any order,
// among others, and all but the board are optional. Their names default to those of our own tables.
type Foreign struct {
	Rules string `name:"rules" help:"rules of the positions, if the file does not name them: {rules}"` // "" means those of the file, else the game's default
	Board string `name:"board" help:"column of the boards (default board)"`
	Scores
	Set         string   `name:"set" help:"feature set of a features table, if the file does not name it"`
	SetNames    []string // names of its features, in order; nil without a set
	Columns     []string `name:"columns" help:"columns of numbers to take as features for train fit"`
	ColumnsView string   `name:"columns_view" help:"with --columns: whose view these are: mover or a side, such as South (default mover)"`
	Weight      string   `name:"weight" help:"column of row weights (default weight, if present)"`
	SkipBad     bool     `name:"skip_bad_rows" help:"leave out rows that cannot be read, and list the first of them"`
}

// Scores describes the labels of a table written by another program.
type Scores struct {
	Score  string  `name:"score_column" flag:"score" group:"Tables of other programs" help:"column of the scores of a table (default label, in points, else score)"`
	Unit   float64 `name:"score_unit" range:"1e-6..1e6" group:"Tables of other programs" help:"how much of a score one seed is worth (disc, pawn): 1 if scores are seeds (default 100, hundredths)"`
	View   string  `name:"score_view" group:"Tables of other programs" help:"whose view scores are: mover or a side, such as South (default mover)"`
	Result string  `name:"result_column" flag:"result" group:"Tables of other programs" help:"column of results (1-0, 0-1 or 1/2-1/2) to use as labels (default none)"`
}

// BadRow is the error for an unreadable row if no row may be left out.
type BadRow struct{ error }

func (b BadRow) Unwrap() error { return b.error }

// mover is the view of scores from the side to move.
const mover = "mover"

// Rejected counts the rows that were left out or changed.
type Rejected struct {
	Rows    int64    // that could not be read
	First   []string // place and reason of the first of them
	Clamped int64    // labels limited to ±MaxPoints
}

const (
	listedRejected = 5
	defaultUnit    = 100
	provenScore    = 10_000 // and beyond, in hundredths, is a proven result
)

// ForeignTable is a table written by another program. Its Meta is that of our own table with its
// rows.
type ForeignTable[P games.Position[P]] struct {
	Foreign
	Rejected    // of the last Scan
	Meta        Meta
	path        string
	game        *games.Game[P]
	rows        *rowCodec[P]   // of our own table
	width       int            // number of columns in the file
	wanted      []string       // columns of the file that are read
	at          map[string]int // index into wanted, by requested name
	ambiguous   []string       // requested names that match two columns of the file
	side        int            // whose view the scores are; -1 is the side to move
	columnsSide int            // whose view Columns are, likewise
	bad         []badColumn    // of Columns
	bare        bool           // read only Columns: they are joined to labels elsewhere

	decimalComma bool // a comma in a number is a decimal mark
}

// OpenForeign opens a table and works out its content from its metadata and the names of its
// columns.
func OpenForeign[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, how Foreign) (*ForeignTable[P], error) {
	return openForeign(ctx, g, path, how, false)
}

func openForeign[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, how Foreign, bare bool) (*ForeignTable[P], error) {
	f := &ForeignTable[P]{Foreign: how, path: path, game: g, at: map[string]int{}, bare: bare}
	about, err := request{Path: path}.read(ctx, nil)
	if err != nil {
		return nil, err
	}
	if err := f.plan(about); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// plan works out the content and the columns to read from a description.
func (f *ForeignTable[P]) plan(about description) (err error) {
	if f.Meta, err = about.meta(); err != nil {
		return err
	}
	if err := f.Check(f.game.Info); err != nil {
		return err
	}
	f.Board, f.width = cmp.Or(f.Board, defaultBoard), len(about.Names)
	f.side, f.columnsSide = sideOf(f.game.Info, f.View), sideOf(f.game.Info, f.ColumnsView)
	if err := f.find(about.Names); err != nil {
		return err
	}
	if len(f.ambiguous) > 0 {
		return twoColumns(f.ambiguous[0])
	}
	if f.Rules != "" && f.Meta.Rules != "" && f.Rules != f.Meta.Rules {
		return fmt.Errorf("its rules are %s: expected %s", f.Meta.Rules, f.Rules)
	}
	f.Meta.Game = cmp.Or(f.Meta.Game, f.game.Name)
	f.Meta.Rules = cmp.Or(f.Rules, f.Meta.Rules, f.game.Rules[0])
	f.Meta.Method = cmp.Or(f.Meta.Method, "of "+filepath.Base(f.path))
	if f.Meta.Kind == Features {
		f.Meta.FeatureSet = cmp.Or(f.Meta.FeatureSet, f.Set)
	}
	if f.Set != "" && f.Meta.Kind != Features {
		return fmt.Errorf("it contains %s: --set is for features", f.Meta.Kind)
	}
	f.rows = newRowCodec(f.game, &f.Meta)
	return cmp.Or(f.Meta.check(), f.Meta.checkGame(f.game.Info), f.checkNumbers(about.Texts))
}

// checkNumbers refuses columns of text where numbers are expected: 101 may be three bits.
func (f *ForeignTable[P]) checkNumbers(texts []string) error {
	numbers := []string{f.Score, f.Weight}
	for _, d := range f.rows.defs {
		if !d.derived && d.typ != typeText && d.typ != typeBool {
			numbers = append(numbers, d.name)
		}
	}
	for _, name := range numbers {
		if i, ok := f.at[name]; ok && slices.Contains(texts, f.wanted[i]) {
			return fmt.Errorf("column %q: its type is text: expected numbers; in SQL, CAST(%s AS DOUBLE) makes them", f.wanted[i], f.wanted[i])
		}
	}
	return nil
}

// Check refuses a description that contradicts itself or does not fit the game.
func (f Foreign) Check(g games.Info) error {
	for _, view := range []string{f.View, f.ColumnsView} {
		if sideOf(g, view) == noSide {
			return fmt.Errorf("the view is %.40q: expected %s, %s or %s", view, mover, g.Sides[0], g.Sides[1])
		}
	}
	switch {
	case f.Unit != 0 && !(f.Unit >= 1e-6 && f.Unit <= 1e6):
		return fmt.Errorf("the unit of scores is %g: expected 1e-6 to 1e6", f.Unit)
	case f.Result != "" && (f.Score != "" || f.Unit != 0 || f.View != ""):
		return errors.New("both results and scores are named as labels: name one of them")
	case f.Rules != "":
		return g.CheckRules(f.Rules)
	}
	return nil
}

// noSide marks an unknown view.
const noSide = -2

// sideOf returns the side of a view, ignoring case; -1 is the side to move.
func sideOf(g games.Info, view string) int {
	if view == "" || strings.EqualFold(view, mover) {
		return -1
	}
	side := slices.IndexFunc(g.Sides[:], func(name string) bool { return strings.EqualFold(name, view) })
	if side < 0 {
		return noSide
	}
	return side
}

// find locates the columns that fill ours, and determines the kind of table.
func (f *ForeignTable[P]) find(names []string) error {
	for _, name := range []string{f.Board, f.Score, f.Result, f.Weight} {
		if name != "" && !f.want(names, name) {
			return lacks(f.game, name, names)
		}
	}
	labelled := f.Score != "" || f.Result != ""
	if !labelled {
		label, score := f.want(names, "label"), f.want(names, "score")
		labelled = label || score
	}
	if f.Columns == nil {
		f.Columns = f.Meta.Columns
	}
	for _, name := range f.Columns {
		if !f.want(names, name) {
			return lacks(f.game, name, names)
		}
	}
	f.bad = make([]badColumn, len(f.Columns))
	if f.bare {
		f.Meta.Kind, f.Meta.Features, f.Meta.Columns, f.Meta.Has = Features, nil, f.Columns, Has{}
		return nil
	}
	f.Meta.Kind = Positions
	if labelled {
		f.Meta.Kind = Labels
	}
	if _, counted := (description{Names: names}).guess(); counted != nil && labelled {
		f.Meta.Kind = Features
		if f.SetNames != nil {
			f.Meta.Features = f.SetNames
		} else if f.Meta.Features == nil {
			f.Meta.Features = counted
		}
	}
	if f.Columns != nil {
		if f.Meta.Kind == Positions {
			return errors.New("it has no labels: expected a column label or score, or the dataset that has the labels (--labels)")
		}
		f.Meta.Kind = Features
	}
	f.Meta.Columns = f.Columns
	if f.Meta.Kind != Features {
		f.Meta.Features, f.Meta.FeatureSet, f.Meta.Columns = nil, "", nil
	}
	f.Meta.AllMoves = f.Meta.Kind == Labels && slices.Contains(names, "scores")
	f.Meta.Weighted, f.Meta.Grouped = false, f.Meta.Grouped && f.Meta.Kind != Positions
	if f.Meta.Kind != Positions {
		f.Weight = cmp.Or(f.Weight, weightColumn)
		f.Meta.Weighted = f.want(names, f.Weight)
	}
	for _, c := range definitions(f.game, &f.Meta) {
		if c.derived || (f.Score != "" || f.Result != "") && (c.name == "label" || c.name == "score") {
			continue // the board, or another column, has it
		}
		if !f.want(names, c.name) && (strings.HasPrefix(c.name, "own_") || strings.HasPrefix(c.name, "opp_")) {
			return fmt.Errorf("there is no column %q, which the feature set %s needs", c.name, f.Set)
		}
	}
	return nil
}

// lacks is the error for a missing column, with a likely reason.
func lacks[P games.Position[P]](g *games.Game[P], name string, names []string) error {
	hint := ""
	isBoard := func(text string) bool {
		_, err := g.Parse(g.Rules[0], strings.TrimSpace(text))
		return err == nil
	}
	switch {
	case slices.ContainsFunc(names, isBoard):
		hint = "; these look like a row: the first line has to name the columns"
	case len(names) == 1 && strings.ContainsAny(names[0], "|: "):
		hint = "; commas, semicolons or tabs separate columns"
	case name == defaultBoard:
		hint = "; --board names the one of the boards"
	}
	return fmt.Errorf("there is no column %q: its columns are %s%s", name, wording.Short(strings.Join(names, ", ")), hint)
}

func twoColumns(name string) error {
	return fmt.Errorf("there are two columns %q: expected one", name)
}

// defaultBoard is the default name of the column of boards.
const defaultBoard = "board"

// placesNamed returns the places of the columns with a name. Case does not matter unless two columns
// differ only by case.
func placesNamed(names []string, name string) (places []int) {
	is := func(n string) bool { return strings.TrimSpace(n) == name }
	if !slices.ContainsFunc(names, is) {
		is = func(n string) bool { return strings.EqualFold(strings.TrimSpace(n), name) }
	}
	for i, n := range names {
		if is(n) {
			places = append(places, i)
		}
	}
	return places
}

// want adds a column to those read, if the file has it.
func (f *ForeignTable[P]) want(names []string, name string) bool {
	if _, ok := f.at[name]; ok {
		return true
	}
	places := placesNamed(names, name)
	if len(places) > 1 {
		f.ambiguous = append(f.ambiguous, name)
	}
	if len(places) > 0 {
		f.at[name] = len(f.wanted)
		f.wanted = append(f.wanted, names[places[0]])
	}
	return len(places) > 0
}

// Boards passes on the boards of a table written by any program, each with its place. column is
// their column ("" for "board"). A file that names other rules is refused, unless rules is "".
func Boards[P games.Position[P]](ctx context.Context, g *games.Game[P], path, column, rules string, each func(place, board string) error) error {
	about, err := request{Path: path}.read(ctx, nil)
	if err != nil {
		return err
	}
	column = cmp.Or(column, defaultBoard)
	places := placesNamed(about.Names, column)
	m, err := about.meta()
	switch {
	case err != nil:
	case len(places) == 0:
		err = lacks(g, column, about.Names)
	case len(places) > 1:
		err = twoColumns(column)
	case m.Rules != "" && rules != "" && m.Rules != rules:
		err = fmt.Errorf("its rules are %s: expected %s", m.Rules, rules)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = request{Path: path, Names: []string{about.Names[places[0]]}}.read(ctx, func(place string, cells []string) error {
		if cells == nil {
			return fmt.Errorf("%s%s: expected %s, one for each column", path, place, wording.Count(len(about.Names), "value"))
		}
		if err := each(place, cells[0]); err != nil {
			return fmt.Errorf("%s%s: %w", path, place, err)
		}
		return nil
	})
	return err
}

// Scan yields the rows, and counts the rows left out in Rejected. An error ends the sequence.
func (f *ForeignTable[P]) Scan(ctx context.Context) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		f.Rejected = Rejected{}
		var some bool
		_, err := request{Path: f.path, Names: f.wanted}.read(ctx, func(place string, cells []string) error {
			if err := f.withDecimalPoints(ctx, cells); err != nil {
				return err
			}
			r, err := f.row(cells)
			switch {
			case err == nil:
				some = true
				if !yield(r, nil) {
					return errEnough
				}
			case f.SkipBad:
				f.add(strings.TrimPrefix(place, ": "), err)
			default:
				return BadRow{fmt.Errorf("%s%s: %w", f.path, place, err)}
			}
			return nil
		})
		if err == nil {
			err = f.empty(some)
		}
		if err != nil && !errors.Is(err, errEnough) {
			yield(Row[P]{}, err)
		}
	}
}

func (s *Rejected) add(place string, err error) {
	if s.Rows++; len(s.First) < listedRejected {
		s.First = append(s.First, place+": "+err.Error())
	}
}

// row converts cells to a row of our own and checks it.
func (f *ForeignTable[P]) row(cells []string) (r Row[P], err error) {
	if cells == nil {
		return r, fmt.Errorf("expected %s, one for each column", wording.Count(f.width, "value"))
	}
	p, err := f.game.Parse(f.Meta.Rules, cells[f.at[f.Board]])
	if err != nil {
		return r, err
	}
	v, err := f.valuation(p, cells)
	if err != nil {
		return r, err
	}
	if f.Meta.Kind == Features {
		if err := f.numbers(cells); err != nil {
			return r, err
		}
	}
	f.rows.blank()
	f.rows.row.Position = p
	for i := range f.rows.defs {
		d := &f.rows.defs[i]
		if d.derived {
			continue
		}
		d.reset()
		if err := parseCell(&d.column, f.text(p, d, cells, v)); err != nil {
			return r, err
		}
		if _, err := d.check(); err != nil {
			return r, err
		}
		if err := d.take(&f.rows.row, &d.column, 0); err != nil {
			return r, err
		}
	}
	return f.rows.row, f.rows.taken()
}

// valuation is a position's value for the side to move: in points, and in hundredths of a unit.
type valuation struct{ label, score float64 }

// valuation parses a row's label and score.
func (f *ForeignTable[P]) valuation(p P, cells []string) (v valuation, err error) {
	if f.Meta.Kind == Positions || f.bare {
		return v, nil
	}
	label, score, given := f.cell(cells, "label"), f.cell(cells, cmp.Or(f.Score, "score")), false
	scored := false // the label is computed from the score
	switch {
	case f.Result != "":
		v.label, err = resultText(f.cell(cells, f.Result))
		v.label *= f.sign(p, 0)
	case f.Score != "" || label == "" && (score != "" || !f.has("label")):
		v.score, err = numberText(cmp.Or(f.Score, "score"), score)
		v.score = math.Round(v.score * defaultUnit / cmp.Or(f.Unit, defaultUnit) * f.sign(p, f.side))
		v.label, scored = float64(f.game.Points(v.score)), true // rounded as train label does
	default:
		v.label, err = numberText("label", label)
		if given = score != ""; err == nil && given {
			v.score, err = numberText("score", score)
		}
	}
	proven := f.Unit == 0 && math.Abs(v.score) >= provenScore && math.Abs(v.score) <= maxScore
	if within := max(-maxLabel, min(v.label, maxLabel)); within != v.label {
		v.label, scored = within, false
		if !proven {
			f.Clamped++
		}
	}
	if !proven && !given && !scored {
		v.score = v.label / (f.game.PointsPerUnit() / 100)
	}
	return v, err
}

// sign returns -1 if side's view is not that of the side to move, else 1.
func (f *ForeignTable[P]) sign(p P, side int) float64 {
	if side >= 0 && side != f.game.SideToMove(p) {
		return -1
	}
	return 1
}

// has reports whether a column is among those read.
func (f *ForeignTable[P]) has(name string) bool {
	_, ok := f.at[name]
	return ok
}

// cell returns a row's value in a column, "" if either is missing.
func (f *ForeignTable[P]) cell(cells []string, name string) string {
	if i, ok := f.at[name]; ok {
		return cells[i]
	}
	return ""
}

// text returns a row's value in one of our columns.
func (f *ForeignTable[P]) text(p P, c *definition[P], cells []string, v valuation) string {
	switch c.name {
	case "score":
		return strconv.FormatInt(int64(math.Round(v.score)), 10)
	case "label":
		return strconv.FormatFloat(v.label, 'g', -1, 64)
	case weightColumn:
		return f.cell(cells, f.Weight)
	}
	text := cmp.Or(f.cell(cells, c.name), c.missing)
	switch c.typ {
	case typeFloat64:
		if f.sign(p, f.columnsSide) < 0 {
			return negated(text)
		}
		return text
	case typeBool:
		return truthText(text)
	case typeText:
		return text
	}
	return wholeText(text)
}

// maxNumber bounds labels and scores.
const maxNumber = 1e6

// numberText parses a number of a column.
func numberText(column, text string) (float64, error) {
	if text == "" {
		return 0, fmt.Errorf("column %.40q has no value: expected a number", column)
	}
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v >= -maxNumber && v <= maxNumber) {
		return 0, fmt.Errorf("%.40q is %.40q: expected a number within ±%g", column, text, maxNumber)
	}
	return v, nil
}

// wholeText turns 3.0, which data frames write in columns with missing values, into 3, and an empty
// text into 0.
func wholeText(text string) string {
	if v, err := strconv.ParseFloat(text, 64); err == nil && v == math.Trunc(v) && math.Abs(v) < 1<<53 {
		return strconv.FormatInt(int64(v), 10)
	}
	return cmp.Or(text, "0")
}

// truthText converts common spellings of true and false to ours.
func truthText(text string) string {
	switch strings.ToLower(text) {
	case "true", "t", "1", "yes":
		return "true"
	case "", "false", "f", "0", "no":
		return "false"
	}
	return text
}

// resultText parses a game's result, in points for the side that moved first.
func resultText(text string) (float64, error) {
	switch text {
	case "1-0", "1", "1.0":
		return games.MaxPoints, nil
	case "0-1", "0", "0.0":
		return -games.MaxPoints, nil
	case "1/2-1/2", "0.5", "1/2":
		return 0, nil
	}
	return 0, fmt.Errorf("the result is %.40q: expected 1-0, 0-1 or 1/2-1/2", text)
}

// Adopt converts a table written by another program to one of our own, with its manifest, at out.
// The meta names the source file; made is the command in it.
func Adopt[P games.Position[P]](ctx context.Context, g *games.Game[P], path, out, made string, how Foreign) (Manifest, Rejected, error) {
	f, err := OpenForeign(ctx, g, path, how)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	meta := f.Meta
	meta.Made = made
	meta.Grouped = meta.Kind != Positions && !slices.ContainsFunc(meta.Columns, func(name string) bool { return strings.EqualFold(name, GroupColumn) })
	if meta.Parent, err = FileHash(path); err != nil {
		return Manifest{}, Rejected{}, err
	}
	if err := Write(g, out, meta, f.Scan(ctx)); err != nil {
		return Manifest{}, f.Rejected, err
	}
	m, err := ReadManifest(out)
	return m, f.Rejected, err
}
