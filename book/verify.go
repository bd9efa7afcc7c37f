package book

import (
	"fmt"
	"math/bits"

	"kroo/games/oware"
	"kroo/internal/mapfile"
)

// Kind is a kind of fault that Verify finds.
type Kind string

// The kinds of faults, of the file as a whole and of its entries.
const (
	WrongHeaderChecksum Kind = "header checksum"          // the header does not match its checksum
	PartialEntry        Kind = "partial entry"            // the entries do not fill a multiple of EntrySize
	WrongChecksum       Kind = "checksum"                 // the entries do not match the header's CRC-32C
	NoChecksum          Kind = "no checksum"              // the header has none, as in foreign books
	WrongCount          Kind = "count"                    // the header claims another number of entries
	WrongRules          Kind = "rules"                    // the header names other rules than those asked for
	BadOrder            Kind = "order"                    // key below the one before
	Duplicate           Kind = "duplicate"                // key equal to the one before
	BadKey              Kind = "no position"              // key is no position
	Unreachable         Kind = "unreachable position"     // cannot occur in play
	GameOver            Kind = "game over"                // position ends the game
	LegalUnmarked       Kind = "legal move without value" // a legal move is marked Illegal
	IllegalValued       Kind = "illegal move with value"  // an illegal move has a value
	BadScore            Kind = "score out of range"       // beyond ±MaxScore
)

// Problem stands for all faults of one kind.
type Problem struct {
	Kind  Kind
	Count int    // entries that have it; 1 for faults of the file
	First int    // index of the first such entry; -1 for faults of the file
	Key   int64  // its key
	Board string // its position in the notation of oware.ParseBoard, "" if there is none
	Text  string // the fault in words
}

// Report is what Verify found.
type Report struct {
	Header   Header
	Entries  int
	Problems []Problem // those of the file, then those of entries by first appearance

	// How well entries agree, for information. A move to another position of the
	// book should have the negative of that position's best value. Repetitions
	// and merged books make some differ. Both are 0 when the order is bad.
	Links         int // moves to another position of the book
	Disagreements int // links with another value
}

// OK reports whether there are no problems.
func (r *Report) OK() bool { return len(r.Problems) == 0 }

// Verify reads a whole book and checks it against the rules. It returns an error
// for a file that is no book at all. All other faults are in the report.
func Verify(path string, rules oware.Rules) (*Report, error) {
	file, err := mapfile.Open(path, "a header")
	if err != nil {
		return nil, fmt.Errorf("book: %w", err)
	}
	defer file.Close()
	var report *Report
	if fault := file.Guard(func() { report, err = verify(path, file.Data, rules) }); fault != nil {
		return nil, fmt.Errorf("book: %w", fault)
	}
	return report, err
}

func verify(path string, data []byte, rules oware.Rules) (*Report, error) {
	b, defects, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("book: %s: %w", path, err)
	}
	c := checker{book: b, rules: rules, at: map[Kind]int{}}
	c.report.Header, c.report.Entries = b.header, b.Len()
	for _, d := range defects {
		c.file(d.kind, d.text)
	}
	if named := b.header.Get(FieldRules); named != "" && named != rules.String() {
		c.file(WrongRules, fmt.Sprintf("the header says rules %q, checked against %q", named, rules))
	}
	for i := range b.Len() {
		c.entry(i)
	}
	c.links()
	return &c.report, nil
}

type checker struct {
	book   *Book
	rules  oware.Rules
	report Report
	at     map[Kind]int // index in report.Problems
}

func (c *checker) file(kind Kind, text string) {
	c.report.Problems = append(c.report.Problems, Problem{Kind: kind, Count: 1, First: -1, Text: text})
}

// fault records a fault of entry i. p is its position, or nil if it has none.
func (c *checker) fault(kind Kind, i int, p *oware.Position, format string, args ...any) {
	if at, ok := c.at[kind]; ok {
		c.report.Problems[at].Count++
		return
	}
	problem := Problem{Kind: kind, Count: 1, First: i, Key: c.book.At(i).Key, Text: fmt.Sprintf(format, args...)}
	if p != nil {
		problem.Board = p.String()
	}
	c.at[kind] = len(c.report.Problems)
	c.report.Problems = append(c.report.Problems, problem)
}

func (c *checker) entry(i int) {
	e := c.book.At(i)
	p, err := oware.FromBookKey(c.rules, e.Key)
	board := &p
	if err != nil {
		board = nil
	}
	if i > 0 {
		switch before := c.book.At(i - 1).Key; {
		case e.Key < before:
			c.fault(BadOrder, i, board, "key %d after %d", e.Key, before)
		case e.Key == before:
			c.fault(Duplicate, i, board, "key %d a second time", e.Key)
		}
	}
	if err != nil {
		c.fault(BadKey, i, nil, "key %d: %v", e.Key, err)
		return
	}
	if !p.Reachable() {
		c.fault(Unreachable, i, board, "a store holds exactly one seed")
	}
	if _, over := p.Terminal(); over {
		c.fault(GameOver, i, board, "the game is over: no move to choose")
	} else {
		c.marks(i, e, p)
	}
	for h, s := range e.Scores {
		if s != Illegal && (s > MaxScore || s < -MaxScore) {
			c.fault(BadScore, i, board, "house %d: %d points: expected -%d to %d", h+1, s, MaxScore, MaxScore)
			break
		}
	}
}

// marks compares the moves that have a value with the legal moves.
func (c *checker) marks(i int, e Entry, p oware.Position) {
	legal, valued := p.Legal(), e.legal()
	if legal&^valued != 0 {
		c.fault(LegalUnmarked, i, &p, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	if valued&^legal != 0 {
		c.fault(IllegalValued, i, &p, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
}

func (c *checker) links() {
	if _, bad := c.at[BadOrder]; bad {
		return
	}
	for i := range c.book.Len() {
		e := c.book.At(i)
		p, err := oware.FromBookKey(c.rules, e.Key)
		if err != nil {
			continue
		}
		for set := p.Legal() & e.legal(); set != 0; set &= set - 1 {
			m := oware.Move(bits.TrailingZeros8(set))
			child, ok := c.book.Lookup(p.Play(m).BookKey())
			if !ok {
				continue
			}
			if _, best := child.Best(); best != Illegal {
				c.report.Links++
				if int(e.Scores[m]) != -best {
					c.report.Disagreements++
				}
			}
		}
	}
}
