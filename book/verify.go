package book

import (
	"context"
	"fmt"
	"slices"

	"kroo/games/oware"
	"kroo/internal/outline"
)

// Kind is a kind of fault that Verify finds.
type Kind string

// The kinds of faults, of the file as a whole and of its entries.
const (
	wrongHeaderChecksum Kind = "header checksum"          // the header does not match its checksum
	partialEntry        Kind = "partial entry"            // the entries do not fill a multiple of entrySize
	wrongChecksum       Kind = "checksum"                 // the entries do not match the header's CRC-32C
	noChecksum          Kind = "no checksum"              // the header lacks one, as in books of other programs
	wrongCount          Kind = "count"                    // the header has a different number of entries
	badOrder            Kind = "order"                    // key below the one before
	duplicate           Kind = "duplicate"                // key equal to the one before
	badKey              Kind = "no position"              // key is out of range or encodes no position
	unreachable         Kind = "unreachable position"     // cannot occur in play
	gameOver            Kind = "game over"                // position ends the game
	legalUnmarked       Kind = "legal move without value" // a legal move is marked Illegal
	illegalValued       Kind = "illegal move with value"  // an illegal move has a value
	badScore            Kind = "score out of range"       // beyond ±maxScore
	inconsistent        Kind = "inconsistent"             // the value of a move differs from that of the entry it leads to
	endlessLine         Kind = "endless line"             // a cycle of entries without a move that has the value of a repetition
	provenCycle         Kind = "proven repetition"        // a move that closes a cycle has the value of a proven win or loss
	wrongEnding         Kind = "wrong ending"             // the value of a move that ends the game differs from the rules
	againstTables       Kind = "against the tables"       // the endgame tables prove another outcome
)

// warnings are the kinds that occur in good books of other programs.
var warnings = map[Kind]bool{noChecksum: true, wrongCount: true}

// Problem is all faults of one kind.
type Problem struct {
	Kind    Kind   `json:"kind"`
	Warning bool   `json:"warning,omitempty"` // not a fault
	Count   int    `json:"count"`             // entries or moves with the fault; 1 for faults of the file
	First   int    `json:"first"`             // index of the first such entry; -1 for faults of the file
	Key     int64  `json:"key,omitempty"`     // its key
	Board   string `json:"board,omitempty"`   // its position in the notation of oware.ParseBoard, "" if unknown
	Text    string `json:"text"`              // the fault in words
}

// Report is the result of Verify.
type Report struct {
	Header    Header    `json:"-"`
	Entries   int       `json:"entries"`
	Problems  []Problem `json:"problems"` // those of the file, then those of entries by first appearance
	Links     int       `json:"links"`    // moves to another entry of the book
	BackEdges int       `json:"closing"`  // links that close a cycle and do not take the value of their target
	Probed    int       `json:"probed"`   // moves with bounds in the endgame tables
}

// OK reports whether there are no faults. There may be warnings.
func (r *Report) OK() bool {
	for _, p := range r.Problems {
		if !p.Warning {
			return false
		}
	}
	return true
}

// Doc describes the result.
func (r *Report) Doc() *outline.Doc {
	d := &outline.Doc{
		Value: struct {
			*Report
			OK bool `json:"ok"` // no faults, perhaps warnings
		}{r, r.OK()},
		Facts: []outline.Fact{
			{Name: "entries", Value: fmt.Sprint(r.Entries)},
			{Name: "moves to another entry", Value: fmt.Sprint(r.Links), Note: fmt.Sprintf("%d close a cycle", r.BackEdges)},
			{Name: "moves in endgame tables", Value: fmt.Sprint(r.Probed)},
		},
	}
	if len(r.Problems) > 0 {
		d.Add(outline.Section{Table: outline.TableOf([]string{"problem", "", "count", "the first", "position"}, r.Problems,
			func(p Problem) []any {
				severity := "fault"
				if p.Warning {
					severity = "warning"
				}
				return []any{severity, p.Kind, p.Count, p.Text, p.Board}
			})})
	}
	if r.OK() {
		d.Addf("no faults")
	}
	return d
}

// NoTables is the argument of [Verify] that opens no endgame tables.
func NoTables(oware.Rules) (Prober, error) { return nil, nil }

// Prober is endgame tables: bounds of the final difference for the side to move, in seeds, in a
// position to which no earlier one can return.
type Prober interface {
	Final(p oware.Position) (low, high int, ok bool)
}

// Verify reads a whole book and checks it against the rules, itself and endgame tables. open returns
// those for the rules of the book, nil for none. It returns an error for a file that is not a book.
// All other faults are in the report: those of the file (parse), of each entry (entryFaults), of the
// moves between entries (checkLinks) and of values that the tables refute (checkTables).
//
// A book is consistent if the value of every move to another entry is the negative of the best value
// there. The exception is a move that leads back to an earlier entry of its line: it may have the
// result that the rules give for a repetition. Every cycle must have one such move. Also, a capture
// may have the outcome that the tables prove, whatever the value of its target.
func Verify(ctx context.Context, path string, open func(oware.Rules) (Prober, error)) (*Report, error) {
	data, err := read(path)
	if err != nil {
		return nil, err
	}
	b, problems, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	rules, err := b.Rules()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	tables, err := open(rules)
	if err != nil {
		return nil, err
	}
	c := newChecker(b, rules, tables)
	c.report.Problems = problems
	return &c.report, c.check(ctx)
}

type checker struct {
	book   *Book
	rules  oware.Rules
	tables Prober // may be nil
	report Report
	at     map[Kind]int // index in report.Problems
}

func newChecker(b *Book, rules oware.Rules, tables Prober) *checker {
	return &checker{
		book:   b,
		rules:  rules,
		tables: tables,
		at:     map[Kind]int{},
		report: Report{Header: b.header, Entries: b.Len(), Problems: []Problem{}},
	}
}

// check checks each entry and, if they are in order, their consistency.
func (c *checker) check(ctx context.Context) error {
	for i := range c.book.Len() {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		c.book.entryFaults(c.rules, i, func(kind Kind, board, text string) { c.fault(kind, i, board, text) })
	}
	if slices.ContainsFunc([]Kind{badOrder, duplicate, badKey}, c.found) {
		return nil // no entry can be looked up
	}
	g, err := linkEntries(ctx, c.book, c.rules)
	if err != nil {
		return err
	}
	c.checkLinks(g)
	if c.tables != nil {
		c.checkTables(g)
	}
	return context.Cause(ctx)
}

// entryFaults calls report for every fault of entry i by itself or by its place in the order. board
// is its position, "" if the key is invalid.
func (b *Book) entryFaults(rules oware.Rules, i int, report func(kind Kind, board, text string)) {
	e := b.entries[i]
	p, err := oware.FromBookKey(rules, e.Key)
	fault := func(kind Kind, format string, args ...any) {
		board := ""
		if err == nil {
			board = p.String()
		}
		report(kind, board, fmt.Sprintf(format, args...))
	}
	if i > 0 {
		switch before := b.entries[i-1].Key; {
		case e.Key < before:
			fault(badOrder, "key %d after %d", e.Key, before)
		case e.Key == before:
			fault(duplicate, "key %d a second time", e.Key)
		}
	}
	if err != nil {
		fault(badKey, "key %d: %v", e.Key, err)
		return
	}
	if !p.Reachable() {
		fault(unreachable, "a store has exactly one seed")
	}
	legal, valued := p.Legal(), e.legal()
	if _, over := p.Terminal(); over {
		fault(gameOver, "the game is over: no move to choose")
		legal = valued
	}
	if legal&^valued != 0 {
		fault(legalUnmarked, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	if valued&^legal != 0 {
		fault(illegalValued, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	for h, s := range e.Scores {
		if s != Illegal && (s > maxScore || s < -maxScore) {
			fault(badScore, "house %d: %d points: expected -%d to %d", h+1, s, maxScore, maxScore)
			break
		}
	}
}

// found reports whether any entry has a fault of that kind.
func (c *checker) found(kind Kind) bool {
	_, found := c.at[kind]
	return found
}

// fault records a fault of entry i. board is its position, "" if the key is invalid.
func (c *checker) fault(kind Kind, i int, board, text string) {
	if c.found(kind) {
		c.report.Problems[c.at[kind]].Count++
		return
	}
	c.at[kind] = len(c.report.Problems)
	c.report.Problems = append(c.report.Problems,
		Problem{Kind: kind, Count: 1, First: i, Key: c.book.entries[i].Key, Board: board, Text: text})
}

// checkLinks checks the values of moves against those of the entries that they lead to, and against the
// rules where they end the game.
func (c *checker) checkLinks(g *graph) {
	c.report.BackEdges = count(g.certainBackEdges())
	component := g.components(func(link) bool { return true }, nil)
	closes := make([]uint8, len(g.entries)) // moves that count as closing a cycle, bit i for house i
	for i := range g.entries {
		for l := range g.links(i) {
			switch {
			case l.to == gameEnd:
				c.checkEnding(g, l)
			case l.to >= 0:
				c.report.Links++
				if c.checkLink(g, l, component[i] == component[l.to]) {
					closes[i] |= 1 << l.move
				}
			}
		}
	}
	g.components(func(l link) bool { return closes[l.from]>>l.move&1 == 0 }, func(l link) {
		c.moveFault(endlessLine, g, l,
			"leads back to an entry of its line and takes the value of that entry, %d: expected %d, as for a repetition",
			g.score(l), repetitionPoints(g.position(l.to)))
	})
}

// checkLink checks a move to an entry and reports whether it may count as closing a cycle.
func (c *checker) checkLink(g *graph, l link, onCycle bool) (closes bool) {
	value, repeats := g.score(l), repetitionPoints(g.position(l.to))
	switch {
	case onCycle && value == repeats:
		return true
	case value == g.backedUpValue(l), value == g.clampToTables(c.tables, l, g.backedUpValue(l)):
	case onCycle && repeats == maxScore-1 && value == maxScore, onCycle && repeats == 1-maxScore && value == -maxScore:
		c.moveFault(provenCycle, g, l, "closes a cycle and counts as proven: expected %d", repeats)
		return true
	default:
		c.moveFault(inconsistent, g, l, "is worth %d: the entry that it leads to has %d", value, g.backedUpValue(l))
	}
	return false
}

// checkEnding checks the value of a move that ends the game.
func (c *checker) checkEnding(g *graph, l link) {
	if want := ending(g.position(l.from).Play(l.move)); g.score(l) != want {
		c.moveFault(wrongEnding, g, l, "ends the game and is worth %d: expected %d", g.score(l), want)
	}
}

// moveFault records a fault of a move.
func (c *checker) moveFault(kind Kind, g *graph, l link, format string, args ...any) {
	p := g.position(l.from)
	c.fault(kind, l.from, p.String(), "move "+oware.MoveName(l.move, p.ToMove())+" "+fmt.Sprintf(format, args...))
}

// checkTables reports values that the tables refute. A bound of the tables is independent of the earlier
// game only after a capture.
func (c *checker) checkTables(g *graph) {
	for i := range g.entries {
		for l := range g.links(i) {
			least, most, ok := g.bounds(c.tables, l)
			if !ok {
				continue
			}
			c.report.Probed++
			value := g.score(l)
			if least > 0 && value <= 0 || most < 0 && value >= 0 || most <= 0 && value == maxScore ||
				least >= 0 && value == -maxScore {
				c.moveFault(againstTables, g, l,
					"is worth %d points: the game ends between %+d and %+d seeds by the tables", value, least, most)
			}
		}
	}
}
