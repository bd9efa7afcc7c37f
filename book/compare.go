package book

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"

	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

// Comparison is what differs between two books, A and B. Values are in points, differences are B minus A.
type Comparison struct {
	Books   [2]Description `json:"books"`
	Entries Changes        `json:"entries"` // all positions
	Met     Changes        `json:"met"`     // met by a player of A or B who plays only best moves
	Plies   []PlyChanges   `json:"plies"`   // by the least number of plies from a root: of A if it is in A
	Parting *Parting       `json:"parting,omitempty"`
	Start   [2]*Entry      `json:"start"` // nil if a book lacks the start
	// Largest are the positions of Met whose best values differ most, the largest difference first.
	Largest []changedEntry `json:"largest,omitempty"`

	names [2]string
	rules oware.Rules
}

// Changes counts positions of two books.
type Changes struct {
	Both        int    `json:"both"`
	Only        [2]int `json:"only"`         // in one book alone
	OtherValues int    `json:"other_values"` // in both, a move has another value
	OtherBest   int    `json:"other_best"`   // in both, without a best move in common
	// Distance is the sum, over the positions in both, of the absolute difference of the best values.
	Distance int `json:"distance"`
}

// PlyChanges counts the positions of a ply.
type PlyChanges struct {
	Ply     int     `json:"ply"`
	Entries Changes `json:"entries"`
	Met     Changes `json:"met"`
}

// Parting is where the line of best moves of A leaves the best moves of B.
type Parting struct {
	Line  string    `json:"line"` // to the position
	Board string    `json:"board"`
	Best  [2]string `json:"best"` // move of each book; "" if it has no entry
	Value [2]int    `json:"value"`
	entry [2]*Entry
}

// changedEntry is a position with its values in both books.
type changedEntry struct {
	Board  string                 `json:"board"`
	Scores [2][oware.Houses]int16 `json:"scores"`
	size   int
}

// largestChanges is the number of positions to show.
const largestChanges = 3

// Compare compares two books for the same rules, each a path or a name of [Names].
func Compare(ctx context.Context, a, b string) (*Comparison, error) {
	c := &Comparison{names: [2]string{a, b}}
	var books [2]*Book
	for i, name := range c.names {
		var err error
		books[i], err = Open(name)
		if err != nil {
			return nil, err
		}
		c.Books[i] = Description{Entries: books[i].Len(), Header: books[i].Header().Fields}
	}
	rules, err := commonRules(books[0], books[1])
	if err != nil {
		return nil, fmt.Errorf("cannot compare %s and %s: %w", a, b, err)
	}
	c.rules = rules
	var graphs [2]*graph
	for i := range books {
		graphs[i], err = newGraph(ctx, books[i], rules)
		if err != nil {
			return nil, fmt.Errorf("cannot compare: %w", err)
		}
	}
	c.count(graphs)
	c.part(graphs)
	start := oware.Start(rules).BookKey()
	for i, b := range books {
		if e, found := b.Lookup(start); found {
			c.Start[i] = &e
		}
	}
	return c, nil
}

// bookPlace is a position of a book: its entry, its plies from a root, and whether a player meets it.
type bookPlace struct {
	entry Entry
	plies int
	met   bool
}

// places returns the positions of a book by key.
func (g *graph) places() map[int64]bookPlace {
	roots := g.roots()
	all := map[int64]bookPlace{}
	list := func(i, plies int) { all[g.entries[i].Key] = bookPlace{entry: g.entries[i], plies: plies} }
	g.walk(roots, list, func(link) bool { return true })
	backEdges := g.certainBackEdges()
	for _, side := range []oware.Side{oware.South, oware.North} {
		meet := func(i, _ int) {
			one := all[g.entries[i].Key]
			one.met = true
			all[g.entries[i].Key] = one
		}
		g.walk(roots, meet, func(l link) bool { return g.plays(side, l) && backEdges[l.from]>>l.move&1 == 0 })
	}
	return all
}

// count counts the positions of both books.
func (c *Comparison) count(graphs [2]*graph) {
	a := graphs[0].places()
	b := graphs[1].places()
	var changed []changedEntry
	keys := slices.Collect(maps.Keys(a))
	for key := range b {
		if _, both := a[key]; !both {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	for _, key := range keys {
		inA, hasA := a[key]
		inB, hasB := b[key]
		var one Changes
		switch {
		case !hasB:
			one.Only[0] = 1
		case !hasA:
			one.Only[1] = 1
			inA.plies = inB.plies
		default:
			one = changesOf(inA.entry, inB.entry)
		}
		for len(c.Plies) <= inA.plies {
			c.Plies = append(c.Plies, PlyChanges{Ply: len(c.Plies)})
		}
		ply := &c.Plies[inA.plies]
		c.Entries.add(one)
		ply.Entries.add(one)
		if !inA.met && !inB.met {
			continue
		}
		c.Met.add(one)
		ply.Met.add(one)
		if one.Distance > 0 {
			p, _ := oware.FromBookKey(c.rules, key) // the books are sound
			scores := [2][oware.Houses]int16{inA.entry.Scores, inB.entry.Scores}
			changed = append(changed, changedEntry{Board: p.String(), Scores: scores, size: one.Distance})
		}
	}
	slices.SortStableFunc(changed, func(x, y changedEntry) int { return cmp.Compare(y.size, x.size) })
	c.Largest = changed[:min(len(changed), largestChanges)]
}

// changesOf compares two entries of a position.
func changesOf(a, b Entry) Changes {
	one := Changes{Both: 1}
	if a.Scores != b.Scores {
		one.OtherValues = 1
	}
	if a.bestMoves()&b.bestMoves() == 0 {
		one.OtherBest = 1
	}
	_, bestA := a.Best()
	_, bestB := b.Best()
	one.Distance = max(bestA-bestB, bestB-bestA)
	return one
}

func (c *Changes) add(o Changes) {
	c.Both += o.Both
	c.Only[0] += o.Only[0]
	c.Only[1] += o.Only[1]
	c.OtherValues += o.OtherValues
	c.OtherBest += o.OtherBest
	c.Distance += o.Distance
}

// part follows moves that are best in both books, from the first root of A on.
func (c *Comparison) part(graphs [2]*graph) {
	roots := graphs[0].roots()
	if len(roots) == 0 {
		return
	}
	line := oware.Descriptor().NewLine(graphs[0].position(roots[0]))
	for {
		p := line.Position()
		parting := Parting{Line: line.Text(), Board: p.String()}
		for i, g := range graphs {
			if at, found := g.find(p); found {
				e := g.entries[at]
				parting.entry[i] = &e
				move, value := e.Best()
				parting.Best[i] = oware.MoveName(move, p.ToMove())
				parting.Value[i] = value
			}
		}
		inA := parting.entry[0]
		inB := parting.entry[1]
		if inA == nil && inB == nil {
			return // both books end
		}
		if inA == nil || inB == nil || inA.bestMoves()&inB.bestMoves() == 0 {
			c.Parting = &parting
			return
		}
		common := Entry{Scores: inA.Scores}
		for m := range common.Scores {
			if inB.bestMoves()>>m&1 == 0 {
				common.Scores[m] = Illegal
			}
		}
		move, _ := common.Best()
		if line.Play(move) != nil { // a repetition has ended the game
			return
		}
	}
}

// Doc describes the comparison.
func (c *Comparison) Doc() *outline.Doc {
	d := &outline.Doc{Value: c, Title: fmt.Sprintf("book %s compared with %s", c.names[1], c.names[0])}
	for i, name := range []string{"A", "B"} {
		note := fmt.Sprintf("%d entries", c.Books[i].Entries)
		d.Facts = append(d.Facts, outline.Fact{Name: name, Value: c.names[i], Note: note})
	}
	d.Add(c.headerSection())
	d.Add(c.partingSection())
	d.Add(c.startSection())
	d.Add(c.totals())
	d.Add(c.plies("entries by ply", func(p PlyChanges) Changes { return p.Entries },
		"Plies are counted from the roots on the shortest way. "+
			"Distance: mean absolute difference of the best values, in seeds."))
	d.Add(c.plies("what a player meets", func(p PlyChanges) Changes { return p.Met },
		"The positions of games in which the player of A or B plays only best moves and the opponent any, "+
			"as in the drop-out diagrams of book stats."))
	if len(c.Largest) > 0 {
		far := outline.Section{
			Heading: "largest differences of the best value, of positions that a player meets",
			Text:    []string{"The values in A, and below those in B:"},
		}
		for _, one := range c.Largest {
			p, err := oware.ParseBoard(c.rules, one.Board)
			if err != nil {
				continue // its own text
			}
			side := p.ToMove()
			values := ScoresText(one.Scores[0], side) + "\n" + ScoresText(one.Scores[1], side)
			far.Boards = append(far.Boards, outline.Board{Board: one.Board, Diagram: p.Diagram(), Line: values})
		}
		d.Add(far)
	}
	return d
}

// headerSection shows the lines of the headers that differ.
func (c *Comparison) headerSection() outline.Section {
	one := outline.Section{Heading: "headers that differ"}
	var names []string
	for _, b := range c.Books {
		for _, f := range b.Header {
			if !isOfFile(f.Name) && f.Name != FieldMade && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	for _, name := range names {
		a := wording.WithoutIDs(Header{Fields: c.Books[0].Header}.Get(name))
		b := wording.WithoutIDs(Header{Fields: c.Books[1].Header}.Get(name))
		if a != b {
			one.Facts = append(one.Facts, outline.Facts(name+", A", cmp.Or(a, "–"), name+", B", cmp.Or(b, "–"))...)
		}
	}
	if one.Facts == nil {
		one.Text = []string{"None."}
	}
	return one
}

// partingSection says where the books part.
func (c *Comparison) partingSection() outline.Section {
	one := outline.Section{Heading: "where they part"}
	p := c.Parting
	if p == nil {
		one.Text = []string{"Nowhere: both books have the same line of best moves."}
		return one
	}
	one.Text = []string{fmt.Sprintf("Best moves agree up to: %s.", cmp.Or(p.Line, "the start, where they differ"))}
	for i, name := range []string{"A", "B"} {
		text := "has no entry there"
		if p.entry[i] != nil {
			text = fmt.Sprintf("plays %s, %+.2f seeds", p.Best[i], oware.InSeeds(p.Value[i]))
		}
		one.Facts = append(one.Facts, outline.Fact{Name: name, Value: text})
	}
	return one
}

// startSection shows the values at the start.
func (c *Comparison) startSection() outline.Section {
	one := outline.Section{Heading: "values at the start, in seeds"}
	if c.Start[0] == nil || c.Start[1] == nil {
		one.Text = []string{"At least one book lacks the start position."}
		return one
	}
	t := outline.NewTable("move", "A", "B", "B − A")
	for m := range oware.Houses {
		a := c.Start[0].Scores[m]
		b := c.Start[1].Scores[m]
		if a == Illegal || b == Illegal {
			continue
		}
		t.Add(
			oware.MoveName(oware.Move(m), oware.South),
			fmt.Sprintf("%+.2f", oware.InSeeds(a)),
			fmt.Sprintf("%+.2f", oware.InSeeds(b)),
			fmt.Sprintf("%+.2f", oware.InSeeds(int(b)-int(a))),
		)
	}
	one.Table = t
	return one
}

// totals sums up all positions.
func (c *Comparison) totals() outline.Section {
	t := outline.NewTable("positions", "in both", "only A", "only B", "other values", "other best", "distance")
	addChanges(t, "all", c.Entries)
	addChanges(t, "met", c.Met)
	return outline.Section{Heading: "entries", Table: t}
}

// addChanges adds a row of counts.
func addChanges(t *outline.Table, name any, c Changes) {
	distance := "–"
	if c.Both > 0 {
		distance = fmt.Sprintf("%.2f", oware.InSeeds(float64(c.Distance))/float64(c.Both))
	}
	t.Add(name, c.Both, c.Only[0], c.Only[1], c.OtherValues, c.OtherBest, distance)
}

// plies is a table of positions by ply, without plies that have none.
func (c *Comparison) plies(heading string, of func(PlyChanges) Changes, note string) outline.Section {
	t := outline.NewTable("ply", "in both", "only A", "only B", "other values", "other best", "distance")
	for _, p := range c.Plies {
		if one := of(p); one != (Changes{}) {
			addChanges(t, p.Ply, one)
		}
	}
	return outline.Section{Heading: heading, Table: t, Note: note}
}
