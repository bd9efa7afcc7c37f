package uci

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// session is the state of one Serve. Only the goroutine of Serve touches it;
// a search has copies of what it needs.
type session struct {
	cfg     *Config
	maxHash int
	out     *output
	rng     *rand.Rand

	rules    oware.Rules
	hashMB   int
	threads  int
	tables   tables
	eval     evaluation
	book     opening
	ownBook  bool
	margin   int
	overhead int // milliseconds of a clock that are kept back
	lines    int // told of every search
	wdl      bool
	analyse  bool

	contempt    int
	drawSearch  bool
	contemptFor oware.Side // whose the contempt was in the table

	game     *oware.Game
	searcher *search.Searcher[oware.Position] // nil until needed, and after a change of its options
	proves   bool                             // the searcher is for wins in so many moves
	run      *run                             // nil when idle
}

func newSession(s *Server, out *output) *session {
	c := &session{
		cfg: &s.cfg, maxHash: s.maxHash, out: out,
		rng:     rand.New(rand.NewPCG(s.cfg.Seed, 0)),
		rules:   s.cfg.Rules,
		hashMB:  s.cfg.HashMB,
		threads: s.cfg.Threads,
		ownBook: s.cfg.Book != nil,

		overhead: defaultOverhead, lines: 1, drawSearch: true,
	}
	c.eval = c.givenEvaluation()
	c.book = c.givenBook()
	c.setDefaultTables()
	c.newGame()
	return c
}

func (c *session) close() {
	c.book.close()
	c.tables.close()
}

func (c *session) newGame() { c.game = oware.NewGame(oware.Start(c.rules)) }

// line carries out a command; it is true for quit.
func (c *session) line(ctx context.Context, l line) (quit bool) {
	if l.tooLong {
		c.out.note("line longer than %d bytes: ignored", MaxLine)
		return false
	}
	word, rest := cutWord(l.text)
	var err error
	switch word {
	case "uci":
		c.identify()
	case "isready":
		c.ready()
	case "go":
		err = c.search(ctx, rest)
	case "stop":
		c.stop()
	case "ponderhit":
		err = c.ponderHit()
	case "d":
		c.draw()
	case "quit":
		return true
	case "position", "setoption", "ucinewgame":
		err = c.change(word, rest)
	default:
		c.out.note("unknown command %s: expected uci, isready, ucinewgame, setoption, position, go, stop, ponderhit, d or quit", quote(word))
	}
	if err != nil {
		c.out.note("%s: %.800v", word, err) // some errors quote what they were given
	}
	return false
}

// change carries out the commands that a search could trip over.
func (c *session) change(word, rest string) error {
	if c.run != nil {
		return fmt.Errorf("a search is running: expected stop first")
	}
	switch word {
	case "position":
		return c.position(rest)
	case "setoption":
		return c.setOption(rest)
	}
	c.newGame()
	if c.searcher != nil {
		c.searcher.Clear()
	}
	return nil
}

func (c *session) identify() {
	c.out.line("id name %s", strings.TrimSpace(c.cfg.Name+" "+c.cfg.Version))
	c.out.line("id author %s", c.cfg.Author)
	for _, o := range options {
		c.out.line("option name %s type %s", o.name, o.kind(c))
	}
	c.tellEvaluation()
	c.tellBook()
	c.out.line("uciok")
}

// ready allocates the hash table, which may take time, and then says so.
func (c *session) ready() {
	if c.run == nil {
		c.prepare(c.proves)
	}
	c.out.line("readyok")
}

// prepare makes a searcher for the options in force. One that is to prove wins
// looks at every line and at no table of endings, which do not tell how soon
// they are won.
func (c *session) prepare(proves bool) {
	if c.searcher != nil && c.proves == proves {
		return
	}
	c.searcher, c.proves = nil, proves // the memory of its hash table is needed
	if proves {
		k := search.Knowledge[oware.Position]{Eval: evaluations.Captures{}, LastPly: evaluations.Captures{}}
		c.searcher = search.NewSearcher(k, search.Options{HashMB: c.hashMB, Threads: c.threads, FullWidth: true})
	} else {
		k := search.Knowledge[oware.Position]{Eval: c.evaluator()}
		if t := c.tables.open(c.out); t != nil {
			k.Prober = t
		}
		c.searcher = search.NewSearcher(k, search.Options{HashMB: c.hashMB, Threads: c.threads})
	}
}

// draw shows the board and all that decides what is played on it.
func (c *session) draw() {
	p := c.game.Position()
	var b strings.Builder
	b.WriteString(p.Diagram())
	fmt.Fprintf(&b, "board %s\nrules %s\n", p, c.rules)
	if _, reason, over := c.game.Over(); over {
		south, north := c.game.Stores()
		fmt.Fprintf(&b, "over %s: south %g, north %g\n", reason, south, north)
	} else {
		fmt.Fprintf(&b, "moves %s\n", letters(p, p.AppendMoves(nil)...))
	}
	fmt.Fprintf(&b, "evaluation %s\n", oneLine(c.evaluationName()))
	c.out.text(b.String())
}

// letters names moves of the player to move.
func letters(p oware.Position, moves ...oware.Move) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(oware.MoveName(m, p.ToMove()))
	}
	return b.String()
}

// cutWord takes the first word off a text.
func cutWord(s string) (word, rest string) {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return s[:i], strings.TrimSpace(s[i:])
	}
	return s, ""
}

// quote makes any text fit for a message.
func quote(s string) string { return fmt.Sprintf("%+.60q", s) }
