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
	"kroo/internal/strict"
	"kroo/internal/wording"
)

// ImportOptions describes how to read a table written by another program. Columns can be in any order,
// among others, and all but the board are optional. Their names default to those of our own tables.
type ImportOptions struct {
	Rules string `name:"rules" help:"rules of the positions, if the file does not name them: {rules}"` // "" means those of the file, else the game's default
	Board string `name:"board" help:"column of the boards (default board)"`
	Scores
	Set         string   `name:"set" help:"feature set of a features table, if the file does not name it"`
	SetNames    []string // names of its features, in order; nil without a set
	Columns     []string `name:"columns" help:"columns of numbers to take as features for train fit"`
	ColumnsView string   `name:"columns_view" help:"with --columns: whose view these are: mover or a side, such as South (default mover)"`
	Weight      string   `name:"weight" help:"column of row weights (default weight, if present)"`
	SkipBad     bool     `name:"skip_bad_rows" help:"leave out rows that cannot be read, and list the first of them"`

	decoding decoding
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

// BadBoard is the error for a board that the game does not read.
type BadBoard struct{ Err error }

func (b BadBoard) Error() string { return b.Err.Error() }
func (b BadBoard) Unwrap() error { return b.Err }

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

// importTable is a table written by another program. Its meta is that of our own table with its
// rows.
type importTable[P games.Position[P]] struct {
	ImportOptions
	Rejected // of the last scan
	meta     Meta
	path     string
	game     *games.Game[P]
	codec    *rowCodec[P] // of our own table

	names       []string       // of the file's columns
	selected    []string       // of those that are read
	at          map[string]int // index into selected, by requested name
	duplicate   string         // a requested name that two columns have
	side        int            // whose view the scores are; -1 is the side to move
	columnsSide int            // whose view Columns are, likewise

	isValued     bool // rows have labels
	decimalComma bool // a comma in a number is a decimal mark
}

// openImport opens a table and works out its content from its metadata and the names of its
// columns. With boardsOnly, it reads only the boards and how.Columns, which are joined to labels
// elsewhere.
func openImport[P games.Position[P]](
	ctx context.Context, g *games.Game[P], path string, how ImportOptions, boardsOnly bool,
) (*importTable[P], error) {
	about, err := request{Path: path, decoding: how.decoding}.describe(ctx)
	if err != nil {
		return nil, err
	}
	f := &importTable[P]{ImportOptions: how, path: path, game: g, names: about.Names, at: map[string]int{}}
	if err := f.resolve(about, boardsOnly); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return f, nil
}

// resolve determines the meta and the columns to read, and checks them.
func (f *importTable[P]) resolve(about description, boardsOnly bool) (err error) {
	f.meta, err = about.meta()
	if err == nil {
		err = f.Check(f.game.Info)
	}
	if err == nil {
		err = f.resolveNames(boardsOnly)
	}
	if err == nil {
		err = f.resolveRules()
	}
	if err != nil {
		return err
	}
	if boardsOnly {
		f.resolveBoardsOnly()
	} else {
		err = f.resolveKind(about)
	}
	if err == nil && f.duplicate != "" {
		err = fmt.Errorf("there are two columns %q: expected one", f.duplicate)
	}
	if err != nil {
		return err
	}
	f.codec = newRowCodec(f.game, &f.meta)
	return cmp.Or(f.meta.check(), f.meta.checkGame(f.game.Info), f.checkNumbers(about.Texts))
}

// resolveNames finds the columns that the user names.
func (f *importTable[P]) resolveNames(boardsOnly bool) error {
	f.Board = cmp.Or(f.Board, defaultBoard)
	f.side = sideOf(f.game.Info, f.View)
	f.columnsSide = sideOf(f.game.Info, f.ColumnsView)
	if f.Columns == nil && !boardsOnly {
		f.Columns = f.meta.Columns
	}
	for _, name := range append([]string{f.Board, f.Score, f.Result, f.Weight}, f.Columns...) {
		if name != "" && !f.selectColumn(name) {
			return f.lacks(name)
		}
	}
	return nil
}

// resolveRules determines game and rules, and how the positions were drawn.
func (f *importTable[P]) resolveRules() error {
	m := &f.meta
	if f.Rules != "" && m.Rules != "" && f.Rules != m.Rules {
		return fmt.Errorf("its rules are %s: expected %s", m.Rules, f.Rules)
	}
	m.Game = cmp.Or(m.Game, f.game.Name)
	m.Rules = cmp.Or(f.Rules, m.Rules, f.game.Rules[0])
	m.Method = cmp.Or(m.Method, "of "+filepath.Base(f.path))
	return nil
}

// resolveBoardsOnly makes the meta that of boards, with the requested columns if any.
func (f *importTable[P]) resolveBoardsOnly() {
	f.meta.Kind = Features
	if f.Columns == nil {
		f.meta.Kind = Positions
	}
	f.meta.Features = nil
	f.meta.FeatureSet = ""
	f.meta.Columns = f.Columns
	f.meta.OptionalColumns = OptionalColumns{}
}

// resolveKind determines the kind of table, its features and its optional columns.
func (f *importTable[P]) resolveKind(about description) error {
	m := &f.meta
	isNamed := f.Score != "" || f.Result != ""
	f.isValued = isNamed
	if !isNamed {
		label := f.selectColumn("label")
		score := f.selectColumn("score")
		f.isValued = label || score
		if label && (f.View != "" || f.Unit != 0) {
			return errors.New("--score-view and --score-unit are for a column of scores: name it with --score; " +
				"a label is in points for the side to move")
		}
	}
	_, inNames := about.guess()
	kind, err := f.kindOf(inNames)
	if err != nil {
		return err
	}
	m.Kind = kind
	if kind == Features {
		f.resolveFeatures(inNames)
	} else {
		m.Features = nil
		m.FeatureSet = ""
		m.Columns = nil
	}
	f.resolveOptional(about.Names)
	return f.selectDefined(isNamed)
}

// kindOf returns the kind of table; inNames are the features that the columns' names show.
func (f *importTable[P]) kindOf(inNames []string) (kind string, err error) {
	switch {
	case !f.isValued && f.Columns != nil:
		return "", errors.New("it has no labels: expected a column label or score, " +
			"or the dataset that has the labels (--labels)")
	case !f.isValued:
		kind = Positions
	case inNames == nil && f.Columns == nil:
		kind = Labels
	default:
		return Features, nil
	}
	if f.Set != "" {
		return "", fmt.Errorf("it contains %s: --set is for features", kind)
	}
	return kind, nil
}

// resolveFeatures names the features: those of the user's set, the file's, or those in its columns'
// names.
func (f *importTable[P]) resolveFeatures(inNames []string) {
	f.meta.Columns = f.Columns
	f.meta.FeatureSet = cmp.Or(f.meta.FeatureSet, f.Set)
	switch {
	case f.SetNames != nil:
		f.meta.Features = f.SetNames
	case f.meta.Features == nil:
		f.meta.Features = inNames
	}
}

// resolveOptional determines which optional columns there are. Another program's column of the same
// name may mean something else.
func (f *importTable[P]) resolveOptional(names []string) {
	isOurs := strings.HasPrefix(strings.Join(names, ","), "key,board,phase,game,ply,")
	f.meta.OptionalColumns = OptionalColumns{Results: isOurs && slices.Contains(names, "margin")}
	if f.meta.Kind != Positions {
		f.meta.Grouped = isOurs && slices.Contains(names, GroupColumn)
		f.Weight = cmp.Or(f.Weight, weightColumn)
		f.meta.Weighted = f.selectColumn(f.Weight)
	}
}

// selectDefined selects the columns of our own table. Features may not be missing. isNamed means that the
// user names the column of the labels.
func (f *importTable[P]) selectDefined(isNamed bool) error {
	for _, c := range definitions(f.game.Info, &f.meta) {
		if c.derived || isNamed && (c.name == "label" || c.name == "score") {
			continue // the board, or another column, has it
		}
		isFeature := strings.HasPrefix(c.name, "own_") || strings.HasPrefix(c.name, "opp_")
		if !f.selectColumn(c.name) && isFeature {
			return fmt.Errorf("there is no column %q, which the feature set %s needs", c.name, f.Set)
		}
	}
	return nil
}

// checkNumbers refuses columns of text where numbers are expected: 101 may be three bits.
func (f *importTable[P]) checkNumbers(texts []string) error {
	numbers := []string{f.Score, f.Weight}
	for _, d := range f.codec.defs {
		if !d.derived && d.typ != typeText && d.typ != typeBool {
			numbers = append(numbers, d.name)
		}
	}
	for _, name := range numbers {
		if i, ok := f.at[name]; ok && slices.Contains(texts, f.selected[i]) {
			return fmt.Errorf("column %q: its type is text: expected numbers; in SQL, CAST(%s AS DOUBLE) makes them",
				f.selected[i], f.selected[i])
		}
	}
	return nil
}

// Check refuses a description that contradicts itself or does not fit the game.
func (f ImportOptions) Check(g games.Info) error {
	for _, view := range []string{f.View, f.ColumnsView} {
		if sideOf(g, view) == noSide {
			return fmt.Errorf("the view is %.40q: %s", view, wording.Expect(view, []string{mover, g.Sides[0], g.Sides[1]}))
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
	is := func(name string) bool { return strings.EqualFold(name, cmp.Or(view, mover)) }
	return slices.IndexFunc([]string{mover, g.Sides[0], g.Sides[1]}, is) - 1
}

// lacks is the error for a missing column, with a likely reason.
func (f *importTable[P]) lacks(name string) error {
	hint := ""
	isBoard := func(text string) bool {
		_, err := f.game.Parse(f.game.Rules[0], strings.TrimSpace(text))
		return err == nil
	}
	switch {
	case slices.ContainsFunc(f.names, isBoard):
		hint = "; these look like a row: the first line has to name the columns"
	case len(f.names) == 1 && strings.ContainsAny(f.names[0], "|: "):
		hint = "; commas, semicolons or tabs separate columns"
	case name == defaultBoard:
		hint = "; --board names the one of the boards"
	}
	return fmt.Errorf("there is no column %q: %sits columns are %s%s", name, wording.Suggest(name, f.names), wording.Short(strings.Join(f.names, ", ")), hint)
}

// defaultBoard is the default name of the column of boards.
const defaultBoard = "board"

// selectColumn adds a column to those that are read, and reports whether the file has it. Case does not
// matter unless two columns differ only by case.
func (f *importTable[P]) selectColumn(name string) (found bool) {
	if _, ok := f.at[name]; ok {
		return true
	}
	is := func(n string) bool { return strings.TrimSpace(n) == name }
	if !slices.ContainsFunc(f.names, is) {
		is = func(n string) bool { return strings.EqualFold(strings.TrimSpace(n), name) }
	}
	i := slices.IndexFunc(f.names, is)
	if i < 0 {
		return false
	}
	if slices.ContainsFunc(f.names[i+1:], is) {
		f.duplicate = cmp.Or(f.duplicate, name)
	}
	f.at[name] = len(f.selected)
	f.selected = append(f.selected, f.names[i])
	return true
}

// cells yields the cells of the selected columns. An error names the file and ends the sequence.
func (f *importTable[P]) cells(ctx context.Context) iter.Seq2[cellRow, error] {
	return request{Path: f.path, Names: f.selected, decoding: f.decoding}.rows(ctx)
}

// complete refuses a row with another number of values than the file has columns.
func (f *importTable[P]) complete(cells []string) error {
	if cells == nil {
		return fmt.Errorf("expected %s, one for each column", wording.Count(len(f.names), "value"))
	}
	return nil
}

// scan yields the rows, and counts the rows left out in Rejected. An error ends the sequence.
func (f *importTable[P]) scan(ctx context.Context) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		f.Rejected = Rejected{}
		some := false
		for row, err := range f.cells(ctx) {
			if err == nil {
				err = f.withDecimalPoints(ctx, row.Cells)
			}
			if err != nil {
				yield(Row[P]{}, err)
				return
			}
			r, clamped, err := f.row(row.Cells)
			switch {
			case err != nil && f.SkipBad:
				f.Rejected.add(f.path+row.Place, err)
				continue
			case err != nil:
				yield(Row[P]{}, BadRow{fmt.Errorf("%s%s: %w", f.path, row.Place, err)})
				return
			case clamped:
				f.Clamped++
			}
			some = true
			if !yield(r, nil) {
				return
			}
		}
		if !some {
			yield(Row[P]{}, f.noRows())
		}
	}
}

// noRows is the error for a table without a row that can be read.
func (f *importTable[P]) noRows() error {
	if f.Rejected.Rows > 0 {
		return fmt.Errorf("none of %d rows can be read: %s", f.Rejected.Rows, f.First[0])
	}
	return fmt.Errorf("%s: it has no rows: expected at least one", f.path)
}

func (s *Rejected) add(place string, err error) {
	s.Rows++
	if len(s.First) < listedRejected {
		s.First = append(s.First, place+": "+err.Error())
	}
}

// row converts cells to a row of our own and checks it. It reports whether the label is clamped.
func (f *importTable[P]) row(cells []string) (r Row[P], clamped bool, err error) {
	if err := f.complete(cells); err != nil {
		return r, false, err
	}
	p, err := f.game.Parse(f.meta.Rules, cells[f.at[f.Board]])
	if err != nil {
		return r, false, BadBoard{Err: err}
	}
	f.codec.reset()
	f.codec.row.Position = p
	var v valuation
	if f.isValued {
		v, err = f.valueOf(p, cells)
		if err != nil {
			return r, false, err
		}
	}
	for i := range f.codec.defs {
		d := &f.codec.defs[i]
		if d.derived {
			continue
		}
		if err := f.setColumn(p, d, cells, v); err != nil {
			return r, false, err
		}
	}
	return f.codec.row, v.clamped, f.codec.complete()
}

// setColumn parses a row's value in one of our columns, checks it and sets the row's field.
func (f *importTable[P]) setColumn(p P, d *rowColumn[P], cells []string, v valuation) (err error) {
	d.reset()
	switch d.name {
	case "score":
		d.ints = append(d.ints, int64(math.Round(v.hundredths)))
	case "label":
		d.floats = append(d.floats, v.points)
	default:
		err = f.parse(p, d, cells)
	}
	if err == nil {
		_, err = d.check()
	}
	if err == nil {
		err = d.take(&f.codec.row, &d.column, 0)
	}
	return err
}

// parse appends a row's value in one of our columns.
func (f *importTable[P]) parse(p P, d *rowColumn[P], cells []string) error {
	if d.name == weightColumn {
		return parseCell(&d.column, f.cell(cells, f.Weight))
	}
	text := cmp.Or(f.cell(cells, d.name), d.missing)
	switch d.typ {
	case typeFloat64:
		err := parseCell(&d.column, text)
		if f.sign(p, f.columnsSide) < 0 {
			d.floats[0] = 0 - d.floats[0]
		}
		return err
	case typeBool:
		text = truthText(text)
	case typeText:
	default:
		text = wholeText(text)
	}
	return parseCell(&d.column, text)
}

// valuation is the value of a position for the side to move.
type valuation struct {
	points     float64 // the label
	hundredths float64 // the score, in hundredths of a unit
	isProven   bool    // the score is that of a proven result
	clamped    bool    // the label was beyond a won game, and no proven score explains it
}

// valueOf returns a position's value, with a label of at most a won game.
func (f *importTable[P]) valueOf(p P, cells []string) (valuation, error) {
	v, err := f.labelOf(p, cells)
	if err != nil {
		return v, err
	}
	points := clampLabel(v.points)
	v.clamped = points != v.points && !v.isProven
	v.points = points
	return v, nil
}

// labelOf returns a position's value by its result, its score or its label, as the file has them.
func (f *importTable[P]) labelOf(p P, cells []string) (valuation, error) {
	label := f.cell(cells, "label")
	score := f.cell(cells, cmp.Or(f.Score, "score"))
	_, hasLabels := f.at["label"]
	switch {
	case f.Result != "":
		return f.labelFromResult(p, f.cell(cells, f.Result))
	case f.Score != "" || label == "" && (score != "" || !hasLabels):
		return f.labelFromScore(p, score)
	}
	return f.labelAsGiven(label, score)
}

// labelFromResult returns the value of the result of a game.
func (f *importTable[P]) labelFromResult(p P, result string) (v valuation, err error) {
	points, err := resultText(result)
	v.points = points*f.sign(p, 0) + 0 // a label of -0 is 0: equal labels have equal digests
	v.hundredths = f.hundredthsOf(v.points)
	return v, err
}

// labelFromScore returns the value of a score. One beyond a won game is only kept if it is proven.
func (f *importTable[P]) labelFromScore(p P, score string) (v valuation, err error) {
	number, err := numberText(cmp.Or(f.Score, "score"), score)
	v.hundredths = math.Round(number * defaultUnit / cmp.Or(f.Unit, defaultUnit) * f.sign(p, f.side))
	v.isProven = f.isProven(v.hundredths)
	v.points = float64(f.game.Points(v.hundredths)) + 0 // rounded as train label does
	if points := clampLabel(v.points); points != v.points && !v.isProven {
		v.hundredths = f.hundredthsOf(points)
	}
	return v, err
}

// labelAsGiven returns the value of a label, with the score next to it if there is one.
func (f *importTable[P]) labelAsGiven(label, score string) (v valuation, err error) {
	points, err := numberText("label", label)
	if err != nil {
		return v, err
	}
	v.points = points + 0
	if score == "" {
		v.hundredths = f.hundredthsOf(clampLabel(v.points))
		return v, nil
	}
	v.hundredths, err = numberText("score", score)
	v.isProven = f.isProven(v.hundredths)
	return v, err
}

// isProven reports whether a score means a proven result. In units of another program none is.
func (f *importTable[P]) isProven(hundredths float64) bool {
	size := math.Abs(hundredths)
	return f.Unit == 0 && size >= provenScore && size <= maxScore
}

// hundredthsOf returns the score of a label in points.
func (f *importTable[P]) hundredthsOf(points float64) float64 {
	return points / (f.game.PointsPerUnit() / 100)
}

// clampLabel limits a label to a won game.
func clampLabel(points float64) float64 { return max(-maxLabel, min(points, maxLabel)) }

// sign returns -1 if side's view is not that of the side to move, else 1.
func (f *importTable[P]) sign(p P, side int) float64 {
	if side >= 0 && side != f.game.SideToMove(p) {
		return -1
	}
	return 1
}

// cell returns a row's value in a column, "" if either is missing.
func (f *importTable[P]) cell(cells []string, name string) string {
	if i, ok := f.at[name]; ok {
		return cells[i]
	}
	return ""
}

// maxNumber bounds labels and scores.
const maxNumber = 1e6

// numberText parses a number of a column.
func numberText(column, text string) (float64, error) {
	if text == "" {
		return 0, fmt.Errorf("column %.40q has no value, or NaN: expected a number", column)
	}
	v, err := strict.Number(text)
	if err != nil || !(v >= -maxNumber && v <= maxNumber) {
		return 0, fmt.Errorf("%.40q is %.40q: expected a number within ±%g", column, text, maxNumber)
	}
	return v, nil
}

// wholeText turns 3.0, which data frames write in columns with missing values, into 3, and an empty
// text into 0.
func wholeText(text string) string {
	if v, err := strict.Number(text); err == nil && v == math.Trunc(v) && math.Abs(v) < maxExact {
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

// Import converts a table written by another program to one of our own, with its manifest, at out.
// The meta names the source file; made is the command in it.
func Import[P games.Position[P]](
	ctx context.Context, g *games.Game[P], path, out, made string, how ImportOptions,
) (Manifest, Rejected, error) {
	f, err := openImport(ctx, g, path, how, false)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	meta := f.meta
	meta.Made = made
	isGroup := func(name string) bool { return strings.EqualFold(name, GroupColumn) }
	meta.Grouped = meta.Kind != Positions && !slices.ContainsFunc(meta.Columns, isGroup)
	meta.Parent, err = FileHash(path)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	if err := Write(g, out, meta, f.scan(ctx)); err != nil {
		return Manifest{}, f.Rejected, err
	}
	m, err := ReadManifest(out)
	return m, f.Rejected, err
}

// Join writes the rows of a dataset of labels or features with the columns how.Columns of another
// program's table as further features, matched by board. Rows without a match are left out and
// counted as rejected. The meta is that of the dataset; made is the command in it.
func Join[P games.Position[P]](
	ctx context.Context, g *games.Game[P], dataset, path, out, made string, how ImportOptions,
) (Manifest, Rejected, error) {
	t, err := Open(ctx, g.Info, dataset)
	if err != nil {
		return Manifest{}, Rejected{}, err
	}
	defer t.Close()
	if t.Meta.Kind == Positions {
		return Manifest{}, Rejected{}, fmt.Errorf("%s: contains %s: expected labels or features", dataset, t.Meta.Kind)
	}
	values, rejected, err := valuesOf(ctx, g, t.Meta.Rules, path, how)
	if err != nil {
		return Manifest{}, rejected, err
	}
	hash, err := FileHash(path)
	if err != nil {
		return Manifest{}, rejected, err
	}
	from := filepath.Base(path)
	meta := t.Meta
	meta.Kind = Features
	meta.Columns = append(meta.Columns, how.Columns...)
	meta.Parent = t.SHA256
	meta.Made = made
	note := fmt.Sprintf("%s; columns %s of %s, %s", meta.Note, strings.Join(how.Columns, ", "), from, hash)
	meta.Note = strings.TrimPrefix(note, "; ")
	err = Write(g, out, meta, joinRows(Scan(ctx, g, t, Query{}), values, &rejected, from))
	if err != nil {
		return Manifest{}, rejected, err
	}
	m, err := ReadManifest(out)
	return m, rejected, err
}

// joinRows yields the rows with the values of their positions, and counts those without in rejected.
// It is an error if no row has values.
func joinRows[P games.Position[P]](
	rows iter.Seq2[Row[P], error], values map[P][]float64, rejected *Rejected, from string,
) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		number := int64(0)
		some := false
		for r, err := range rows {
			if err != nil {
				yield(r, err)
				return
			}
			more, ok := values[r.Position]
			if ok {
				some = true
				r.Values = append(r.Values, more...)
				if !yield(r, nil) {
					return
				}
			} else {
				rejected.add(wording.Row(number), fmt.Errorf("its board is not in %s", from))
			}
			number++
		}
		if !some {
			yield(Row[P]{}, fmt.Errorf("%s has none of the boards", from))
		}
	}
}

// valuesOf reads the numbers of another program's table, by position.
func valuesOf[P games.Position[P]](
	ctx context.Context, g *games.Game[P], rules, path string, how ImportOptions,
) (map[P][]float64, Rejected, error) {
	how.Rules = rules
	f, err := openImport(ctx, g, path, how, true)
	if err != nil {
		return nil, Rejected{}, err
	}
	values := map[P][]float64{}
	for r, err := range f.scan(ctx) {
		if err != nil {
			return nil, f.Rejected, err
		}
		before, again := values[r.Position]
		if again && !slices.Equal(before, r.Values) {
			return nil, f.Rejected, fmt.Errorf("%s: the board %s appears twice, with different numbers: "+
				"expected one row per board", path, g.Print(r.Position))
		}
		values[r.Position] = r.Values
	}
	return values, f.Rejected, nil
}
