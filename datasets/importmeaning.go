package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kroo/games"
	"kroo/internal/wording"
)

// mover is the view of scores from the side to move.
const mover = "mover"

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

// resolveBoardsOnly makes the meta describe boards, with the requested columns if any.
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
