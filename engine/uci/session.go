package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/wording"
)

// session is the state of one Serve. Only the goroutine of Serve uses it; a search has copies of what it
// needs.
type session[P search.Position[P]] struct {
	server   *Server[P]
	kit      engine.Kit[P]
	options  []option[P]
	commands []command[P]
	out      *output
	rng      *rand.Rand

	rules         string
	wantedOptions search.Options // of the next searcher
	tables        tables[P]
	chosen        engine.Evaluation[P] // which may be for other rules
	eval          engine.Evaluation[P] // in use
	book          engine.Book[P]       // nil for none
	noBook        error                // why the default book is not used
	ownBook       bool
	bookOption    string // the value of the option Book
	tablesOption  string // the value of the option Tables
	margin        int    // of moves from the book, in points
	variety       engine.Variety
	overhead      int // Move Overhead in milliseconds
	multiPV       int
	wdl           bool
	noMove        string // bestmove of a game that is over
	level         engine.Level
	analyse       bool
	tuned         []int // values of the search settings, or untuned

	contempt    int
	contemptFor int // the side whose contempt affects the hash table

	line            *games.Line[P]
	positionErr     error               // why line is not the client's position; nil if it is
	searcher        *search.Searcher[P] // nil until needed, and after changes of its options
	searcherOptions search.Options      // of searcher
	run             *run                // nil when idle
	batch           int                 // number of the batch of lines
}

func newSession[P search.Position[P]](s *Server[P], out *output) *session[P] {
	c := &session[P]{
		server: s, kit: s.engine.Kit, options: s.options(), commands: commands[P](), out: out,
		rng:           rand.New(rand.NewPCG(s.cfg.Seed, 0)),
		rules:         s.engine.Rules,
		wantedOptions: s.searchOptions,
		ownBook:       s.ownBook(),
		margin:        s.engine.Spec.Policy.Margin(), variety: s.engine.Spec.Policy.Variety,
		chosen: s.engine.Eval, eval: s.engine.Eval,

		overhead: defaultOverhead, multiPV: 1, noMove: noMoves[0],
		tuned: slices.Repeat([]int{untuned}, len(new(search.Tuning).Settings())),
	}
	_ = c.setBook("") // only a named book is an error
	c.setDefaultTables()
	c.newGame(s.start)
	return c
}

func (c *session[P]) close() {
	c.tables.close()
}

func (c *session[P]) newGame(start P) {
	c.line = c.kit.Game.NewLine(start)
	c.positionErr = nil
}

// command is a command of the protocol. run gets the text after its name.
type command[P search.Position[P]] struct {
	name string
	run  func(c *session[P], ctx context.Context, text string) error
}

// quit is the name of the command that ends the session.
const quit = "quit"

// commands returns the commands of the protocol but quit.
func commands[P search.Position[P]]() []command[P] {
	return []command[P]{
		{"uci", (*session[P]).identify},
		{"isready", (*session[P]).ready},
		{"ucinewgame", (*session[P]).restart},
		{"setoption", (*session[P]).setOption},
		{"position", (*session[P]).position},
		{"go", (*session[P]).executeGo},
		{"stop", (*session[P]).stopSearch},
		{"ponderhit", (*session[P]).ponderHit},
		{"d", (*session[P]).printBoard},
	}
}

// execute executes a command and returns its name, "" if the line has none.
func (c *session[P]) execute(ctx context.Context, line string) (name string) {
	name, text := cutCommand(c.commands, line)
	switch name {
	case "":
		first, _ := client.CutWord(line)
		c.out.note("unknown command %s: %s", quote(first), wording.Expect(first, namesOf(c.commands)))
	case quit:
	default:
		i := slices.IndexFunc(c.commands, func(k command[P]) bool { return k.name == name })
		if err := c.commands[i].run(c, ctx, text); err != nil {
			c.out.note("%s: %.800v", name, err) // some errors quote their input
		}
	}
	return name
}

// namesOf returns the names of the commands and quit.
func namesOf[P search.Position[P]](table []command[P]) (names []string) {
	for _, k := range table {
		names = append(names, k.name)
	}
	return append(names, quit)
}

// cutCommand splits off the first command of a line. As the protocol demands, unknown words before it are
// skipped.
func cutCommand[P search.Position[P]](table []command[P], line string) (name, text string) {
	for text = line; text != ""; {
		name, text = client.CutWord(text)
		known := slices.ContainsFunc(table, func(k command[P]) bool { return k.name == name })
		if known || name == quit {
			return name, text
		}
	}
	return "", ""
}

// restart executes ucinewgame.
func (c *session[P]) restart(context.Context, string) error {
	c.stop()
	start, err := c.kit.Game.Start(c.rules)
	if err != nil {
		return err
	}
	c.newGame(start)
	if c.searcher != nil {
		c.searcher.Clear()
	}
	return nil
}

// identify executes uci.
func (c *session[P]) identify(context.Context, string) error {
	c.out.writeLine("id name %s", strings.TrimSpace(c.server.cfg.Name+" "+c.server.cfg.Version))
	c.out.writeLine("id author %s", c.server.cfg.Name)
	for _, o := range c.options {
		c.out.writeLine("option name %s type %s", o.name, o.kind)
	}
	c.reportEvaluation()
	c.reportBook()
	c.out.writeLine("uciok")
	return nil
}

// ready executes isready: it loads and allocates everything that the next search needs, which may take seconds,
// so that a clock never runs meanwhile. The line is held, because a go often follows in the same Read.
func (c *session[P]) ready(context.Context, string) error {
	if c.run == nil || c.run.answer != nil { // otherwise a search uses the searcher
		c.prepare()
		c.searcher.Populate()
	}
	c.out.hold("readyok")
	return nil
}

// prepare makes a searcher for the current options. It leaves the memory of a large hash table to the system,
// because only ready may take that long.
func (c *session[P]) prepare() {
	if c.searcher != nil && c.searcherOptions == c.wantedOptions {
		return
	}
	c.dropSearcher()
	c.searcherOptions = c.wantedOptions
	k := c.eval.Knowledge()
	k.Tuning = c.tuning(k.Tuning)
	if t := c.openTables(); t != nil {
		k.Prober = t
	}
	c.searcher = search.NewSearcher(k, c.searcherOptions)
}

// printBoard executes d: it writes the board, the state of the game, and the evaluation.
func (c *session[P]) printBoard(context.Context, string) error {
	g, p := c.kit.Game, c.line.Position()
	var b strings.Builder
	b.WriteString(g.Diagram(p))
	fmt.Fprintf(&b, "board %s\nrules %s\n", g.Print(p), c.rules)
	if c.positionErr != nil {
		b.WriteString("a later position was rejected\n")
	}
	if _, reason, over := c.line.Over(); over {
		fmt.Fprintf(&b, "over %s: %s\n", reason, c.outcome())
	} else {
		fmt.Fprintf(&b, "moves %s\n", g.MoveNames(p, p.AppendMoves(nil)...))
	}
	fmt.Fprintf(&b, "evaluation %s\n", wording.OneLine(nameOf(c.eval)))
	c.out.text(b.String())
	return nil
}

// outcome returns the result of a game that is over.
func (c *session[P]) outcome() string { return strings.ToLower(c.line.Outcome()) }

// quote quotes untrusted text for a message.
func quote(s string) string { return fmt.Sprintf("%+.60q", s) }

// position executes position: it sets the position for the next go; a running search keeps its own. After an error there is no
// position, so that no go is answered for a position other than the client's.
func (c *session[P]) position(_ context.Context, text string) error {
	l, err := c.parsePosition(text)
	c.positionErr = err
	if err == nil {
		c.line = l
	}
	return err
}

func (c *session[P]) parsePosition(text string) (*games.Line[P], error) {
	board, moves := cutBoard(text)
	var start P
	var err error
	word, rest := client.CutWord(board)
	switch {
	case word == "":
		err = errors.New("expected startpos or a board")
	case word == "startpos" && rest != "":
		err = fmt.Errorf("%s after the board: expected moves", quote(rest))
	case word == "startpos":
		start, err = c.kit.Game.Start(c.rules)
	default:
		start, err = c.kit.Game.Parse(c.rules, board)
	}
	if err != nil {
		return nil, err
	}
	l := c.kit.Game.NewLine(start)
	return l, l.PlayText(moves)
}

// cutBoard splits a text at the word moves, because boards of some games contain blanks. The word fen
// before a board is optional.
func cutBoard(text string) (board, moves string) {
	board = strings.TrimSpace(text)
	for rest := board; rest != ""; {
		word, after := client.CutWord(rest)
		if word == "moves" {
			board = board[:len(board)-len(rest)]
			moves = after
			break
		}
		rest = after
	}
	if word, after := client.CutWord(board); word == "fen" {
		board = after
	}
	return strings.TrimSpace(board), moves
}

// setWeights loads an evaluation by name or by the path of a weights file.
func (c *session[P]) setWeights(value string) error {
	c.chosen = c.server.engine.Eval
	if value != "" && value != empty {
		e, err := c.kit.Evaluation(value, c.rules)
		if err != nil {
			return err
		}
		c.chosen = e
	}
	c.useEvaluation()
	return nil
}

// useEvaluation uses the chosen evaluation if it is for the current rules, else the game's default.
func (c *session[P]) useEvaluation() {
	c.eval = c.chosen
	if c.chosen.CheckRules(c.rules) != nil {
		e, err := c.kit.Evaluation("", c.rules)
		if err != nil {
			c.out.note("cannot load the default evaluation: %v", err)
			return
		}
		c.eval = e
	}
	c.dropSearcher() // its hash table is for the old evaluation
	c.reportEvaluation()
}

func (c *session[P]) reportEvaluation() {
	reason := ""
	if c.chosen.CheckRules(c.rules) != nil {
		reason = fmt.Sprintf(", because %s is for %s", nameOf(c.chosen), c.chosen.Rules)
	}
	c.out.note("evaluation %s%s", nameOf(c.eval), reason)
}

// nameOf returns the displayed name of an evaluation: for weights, file and hash.
func nameOf[P any](e engine.Evaluation[P]) string {
	if e.File == "" {
		return e.Name
	}
	return e.File + " " + strings.TrimPrefix(e.Name, "weights ")
}

// setBook sets the option Book. If it is unset, the error of the default book is only reported.
func (c *session[P]) setBook(value string) error {
	b, err := c.openBook(value)
	if err != nil && !isUnset(value) {
		return err
	}
	c.book = b
	c.noBook = err
	c.bookOption = value
	return nil
}

// followRules changes the default book to that for the rules. Its error is only reported.
func (c *session[P]) followRules() {
	if isUnset(c.bookOption) || c.bookOption == engine.DefaultName {
		c.book, c.noBook = c.openBook(c.bookOption)
	}
}

// openBook opens the book of a value of the option: a file, the default book for the rules or, if
// unset, the engine's book or else the default one.
func (c *session[P]) openBook(value string) (engine.Book[P], error) {
	switch {
	case value == engine.NoBook || c.kit.Book == nil:
		return nil, nil
	case isUnset(value) && c.server.hasBookFor(c.rules):
		return c.server.engine.Book, nil
	case isUnset(value) || value == engine.DefaultName:
		return c.kit.Book(engine.DefaultName, c.rules)
	}
	return c.kit.Book(value, "")
}

// isUnset reports whether a value of a text option stands for none.
func isUnset(value string) bool { return value == "" || value == empty }

// hasBookFor reports whether the engine has a book to use under the rules: a file chosen for it under
// any, the default one under those of the engine.
func (s *Server[P]) hasBookFor(rules string) bool {
	e := s.engine
	isFile := e.Spec.Book != "" && e.Spec.Book != engine.DefaultName
	return e.Book != nil && (isFile || e.Rules == rules)
}

// bookRules returns the rules of the book: the game's default if it does not name any.
func (c *session[P]) bookRules() string { return cmp.Or(c.book.Rules(), c.kit.Game.Rules[0]) }

// reportBook describes the book if the game has books.
func (c *session[P]) reportBook() {
	switch {
	case c.kit.Book == nil:
	case c.noBook != nil:
		c.out.note("no book: %v", c.noBook)
	case c.book == nil:
		c.out.note("no book")
	case c.bookRules() != c.rules:
		c.out.note("no book: it is for %.60s", c.bookRules())
	case !c.ownBook:
		c.out.note("book of %d positions, not used: OwnBook is false", c.book.Len())
	default:
		c.out.note("book of %d positions", c.book.Len())
	}
}

// fromBook returns a random book move, and the reply that the book expects, if the book can be used
// in this game.
func (c *session[P]) fromBook() (a answer, ok bool) {
	if !c.ownBook || c.book == nil || c.bookRules() != c.rules {
		return answer{}, false
	}
	g, p := c.kit.Game, c.line.Position()
	picker := engine.BookPicker[P]{
		Book:   c.book,
		Tables: c.openTables(),
		Policy: engine.PolicyOfPoints(c.margin, c.variety),
		Level:  c.level,
		Random: c.rng,
	}
	pick, found, err := picker.Pick(c.line)
	if err != nil {
		c.out.note("%v: it plays %s", err, g.MoveName(p, pick.Move))
	}
	if err != nil || !found {
		return answer{}, false
	}
	a.best = g.MoveName(p, pick.Move)
	if pick.Reply {
		a.ponder = g.MoveName(p.Play(pick.Move), pick.Ponder)
	}
	c.out.note("book %s, %d points, chosen from %s", a.best, pick.Points, g.MoveNames(p, pick.From...))
	return a, true
}

// tables are endgame tables, opened when a search needs them.
type tables[P any] struct {
	path   string // "" means the default tables
	opened engine.Tables[P]
	given  bool // opened belongs to the engine and is not closed
	tried  bool
}

// openTables returns the tables, or nil. It reports an error only once.
func (c *session[P]) openTables() engine.Tables[P] {
	t := &c.tables
	if !t.tried && t.path != engine.NoTables && c.kit.Tables != nil {
		if err := c.open(t); err != nil {
			c.out.note("no endgame tables: %v", err)
		}
	}
	return t.opened
}

func (c *session[P]) open(t *tables[P]) error {
	t.tried = true
	opened, err := c.kit.Tables(t.path, c.rules)
	if err != nil {
		return err
	}
	t.opened = opened
	if t.path != "" { // opening a file verifies its checksums and the range of its values
		c.out.note("endgame tables: %s; checksums and values verified", t.opened.Name())
	}
	return nil
}

// useTables replaces the tables.
func (c *session[P]) useTables(t tables[P]) {
	c.tables.close()
	c.tables = t
	c.dropSearcher()
}

func (t *tables[P]) close() {
	if t.opened != nil && !t.given {
		t.opened.Close()
	}
	t.opened = nil
}

// setDefaultTables restores the tables of the engine.
func (c *session[P]) setDefaultTables() {
	e := c.server.engine
	t := tables[P]{path: e.Spec.Search.Tables}
	if e.Tables != nil && c.rules == e.Rules {
		t.opened = e.Tables
		t.given = true
		t.tried = true
	}
	c.useTables(t)
}

// followTables opens the tables of the option for the rules, or else uses the engine's.
func (c *session[P]) followTables() {
	if isUnset(c.tablesOption) {
		c.setDefaultTables()
		return
	}
	c.useTables(tables[P]{path: c.tablesOption}) // opened when they are needed
}

// setTables implements the option. A file is opened immediately, so that errors are reported.
func (c *session[P]) setTables(value string) error {
	t := tables[P]{path: strings.TrimPrefix(value, empty)}
	if t.path != "" && t.path != engine.NoTables {
		if err := c.open(&t); err != nil {
			return err
		}
	}
	c.useTables(t)
	c.tablesOption = value
	return nil
}

// dropChanged stops using tables whose file has changed since it was opened.
func (c *session[P]) dropChanged() {
	if c.tables.opened == nil {
		return
	}
	if err := c.tables.opened.Err(); err != nil {
		c.out.note("endgame tables no longer used: %v", err)
		c.useTables(tables[P]{path: c.tables.path, tried: true})
	}
}
