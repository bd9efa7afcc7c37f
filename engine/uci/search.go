package uci

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// run is a go command that has not been answered yet.
type run struct {
	infinite  bool
	pondering bool
	batch     int           // [session.batch] of the go command
	hit       chan struct{} // closed at ponderhit: the clock starts
	cancel    context.CancelFunc
	answers   chan answer // receives the answer of the search
	answer    *answer     // nil while searching
}

// answer is a bestmove.
type answer struct{ best, ponder string }

// noMoves are the values of No Move, the bestmove when the game is over; the first is the default.
var noMoves = []string{"(none)", "0000"}

// maxWarnings is the maximum number of warnings about a go command.
const maxWarnings = 3

// executeGo executes go.
func (c *session[P]) executeGo(ctx context.Context, text string) error {
	c.stop()
	overhead := time.Duration(c.overhead) * time.Millisecond
	o, warnings := parseGo(c.kit.Game, c.line.Position(), text, overhead)
	for i, warning := range warnings {
		if i == maxWarnings {
			c.out.note("go: %d more words not understood", len(warnings)-i)
			break
		}
		c.out.note("go: %.800s", warning)
	}
	c.dropChanged()
	r := &run{infinite: o.infinite, pondering: o.ponder, batch: c.batch, cancel: func() {}}
	c.run = r
	if a, ok := c.immediateAnswer(o); ok {
		r.answer = &a
		c.sendAnswer()
		return nil
	}
	c.prepare()
	if o.limits.Time > 0 || o.limits.Soft > 0 {
		c.out.text("") // write a held readyok now: the client starts its clock when it reads it
	}
	c.think(ctx, o)
	return nil
}

// immediateAnswer returns the answer to a go that needs no search.
func (c *session[P]) immediateAnswer(o goCommand) (a answer, ok bool) {
	if c.positionErr != nil {
		c.out.note("no move: the last position was rejected (%.200v): expected a valid position before go", c.positionErr)
		return answer{best: c.noMove}, true
	}
	if _, reason, over := c.line.Over(); over {
		c.out.note("the game is over by %s: %s", reason, c.outcome())
		return answer{best: c.noMove}, true
	}
	if o.infinite || o.only != nil || c.analyse {
		return answer{}, false
	}
	return c.fromBook()
}

// think starts the search of a go command under the current options, in a goroutine that owns the
// searcher until it has sent its answer. With contempt, the hash table is valid for one player only.
func (c *session[P]) think(ctx context.Context, o goCommand) {
	r := c.run
	k := c.kit
	out := c.out
	l := c.line.Clone()
	ctx, r.cancel = context.WithCancel(ctx)
	r.answers = make(chan answer, 1)
	player := engine.Player[P]{Searcher: engine.Own(c.searcher)}
	query := search.Query{Only: o.only, AllMoves: c.multiPV > 1, Contempt: c.contempt}
	if o.ponder {
		r.hit = make(chan struct{})
		query.Ponder = r.hit
	}
	if c.analyse {
		query.Contempt = 0
	}
	if c.level.Name != "" && !c.analyse && !o.infinite {
		player.Level, player.Random = c.level, rand.New(rand.NewPCG(c.rng.Uint64(), 0))
		o.limits.Nodes = c.level.Nodes
	}
	if side := k.Game.SideToMove(l.Position()); query.Contempt != 0 && side != c.contemptFor {
		c.searcher.Clear()
		c.contemptFor = side
	}
	root, info := l.Position(), infoLine[P]{k, c.eval, l.Position(), c.multiPV, c.wdl}
	query.Info = func(res search.Result) {
		for i := range min(info.multiPV, len(res.Lines)) {
			out.hold(info.text(res, i))
		}
	}
	go func() {
		res, _ := player.Search(ctx, l, o.limits, query)
		nodesUsed := o.limits.Nodes > 0 && res.Nodes >= o.limits.Nodes
		if res.Stopped && nodesUsed { // within an iteration, which is not reported otherwise
			out.hold(fmt.Sprintf("info nodes %d nps %d time %d", res.Nodes, perSecond(res), res.Time.Milliseconds()))
		}
		a := answer{best: k.Game.MoveName(root, res.Best)}
		if len(res.PV) > 1 {
			a.ponder = k.Game.MoveName(root.Play(res.PV[0]), res.PV[1])
		}
		r.answers <- a
	}()
}

// infoLine formats the iterations of a search.
type infoLine[P search.Position[P]] struct {
	kit     engine.Kit[P]
	eval    engine.Evaluation[P]
	root    P
	multiPV int  // number of lines to report
	wdl     bool // report winning chances, if the weights are calibrated
}

// text returns the info line for the i-th best line of an iteration.
func (l infoLine[P]) text(r search.Result, i int) string {
	b := append(make([]byte, 0, 256), "info depth "...)
	number := func(what string, n int64) { b = strconv.AppendInt(append(b, what...), n, 10) }
	number("", int64(r.Depth))
	if l.multiPV > 1 {
		number(" multipv ", int64(i+1))
	}
	b = append(append(b, " score "...), scoreText(l.kit.Game.Info, r.Lines[i].Score)...)
	if s, ok := l.kit.Prospects(l.eval, l.root, r.Lines[i].Score); ok && l.wdl {
		b = fmt.Appendf(b, " wdl %d %d %d", s.Win, s.Draw, s.Loss)
	}
	number(" nodes ", r.Nodes)
	number(" nps ", perSecond(r))
	number(" time ", r.Time.Milliseconds())
	return string(append(append(b, " pv "...), l.kit.Game.LineNames(l.root, r.Lines[i].PV)...))
}

func perSecond(r search.Result) int64 {
	return int64(float64(r.Nodes) / max(r.Time, time.Microsecond).Seconds())
}

// scoreText formats a score: in hundredths of the game's unit, or, in games with mates, in moves to
// the end.
func scoreText(info games.Info, score int) string {
	if plies, ok := search.PliesToEnd(score); ok && info.Mates {
		if score > 0 {
			return fmt.Sprintf("mate %d", (plies+1)/2)
		}
		return fmt.Sprintf("mate -%d", (plies+1)/2)
	}
	return "cp " + strconv.Itoa(score)
}

// answers returns the channel for the answer of the running search, nil if there is none.
func (c *session[P]) answers() <-chan answer {
	if c.run == nil || c.run.answer != nil {
		return nil
	}
	return c.run.answers
}

// sendAnswer sends the best move if there is one and nothing holds it back. The session is idle before
// the client can receive it.
func (c *session[P]) sendAnswer() {
	r := c.run
	if r.answer == nil || r.infinite || r.pondering {
		return
	}
	r.cancel()
	c.run = nil
	c.dropChanged()
	if r.answer.ponder == "" {
		c.out.writeLine("bestmove %s", r.answer.best)
		return
	}
	c.out.writeLine("bestmove %s ponder %s", r.answer.best, r.answer.ponder)
}

// stop ends a running search and sends its best move.
func (c *session[P]) stop() {
	r := c.run
	if r == nil {
		return
	}
	r.cancel()
	if r.answer == nil {
		a := <-r.answers
		r.answer = &a
	}
	r.infinite, r.pondering = false, false
	c.sendAnswer()
}

// finish waits for the answer of a limited search at the end of the input, or at a quit that came
// together with go: then no client is waiting.
func (c *session[P]) finish(ctx context.Context, ended bool) {
	r := c.run
	if r == nil || r.infinite || r.pondering || !ended && c.batch != r.batch {
		return
	}
	select {
	case a := <-c.answers():
		r.answer = &a
		c.sendAnswer()
	case <-ctx.Done():
	case <-c.out.failed:
	}
}

// stopSearch executes stop.
func (c *session[P]) stopSearch(context.Context, string) error {
	c.stop()
	return nil
}

// ponderHit executes ponderhit: it turns pondering into a search under the clock.
func (c *session[P]) ponderHit(context.Context, string) error {
	r := c.run
	if r == nil || !r.pondering {
		return errors.New("no search is pondering: expected go ponder first")
	}
	r.pondering = false
	if r.hit != nil {
		close(r.hit)
	}
	c.sendAnswer()
	return nil
}

// defaultTime is the time of a go without limits.
const defaultTime = time.Second

// goCommand is a parsed go command.
type goCommand struct {
	limits   search.Limits
	clock    gameClock
	only     []games.Move // of searchmoves
	infinite bool
	ponder   bool
}

// parseGo parses the words after go, for a position. Every go must be answered by a move, so
// invalid words are skipped, numbers out of range are clamped, and warnings describe both. The
// last of repeated words counts. overhead is the Move Overhead.
func parseGo[P games.Position[P]](g *games.Game[P], p P, text string, overhead time.Duration) (o goCommand, warnings []string) {
	words, known := strings.Fields(text), numbers(g.Info)
	isGoWord := func(w string) bool { _, numbered := known[w]; return numbered || slices.Contains(plainWords, w) }
	for len(words) > 0 {
		w, n := words[0], 1 // words used
		for n < len(words) && !isGoWord(words[n]) {
			n++
		}
		rest := words[1:n]
		switch number, numbered := known[w]; {
		case w == "infinite":
			o.infinite, rest = true, nil
		case w == "ponder":
			o.ponder, rest = true, nil
		case w == "searchmoves":
			var unknown []string
			o.only, unknown = parseOnly(g, p, rest)
			warnings = append(warnings, unknown...)
		case numbered:
			value := ""
			rest = rest[:min(1, len(rest))]
			if len(rest) > 0 {
				value = rest[0]
			}
			if warning := number.read(&o, w, value); warning != "" {
				warnings = append(warnings, warning)
			}
		default:
			rest = nil
			warnings = append(warnings,
				fmt.Sprintf("unknown word %s skipped: expected depth, nodes, movetime, wtime, btime, winc, binc, "+
					"movestogo, infinite, ponder or searchmoves", quote(w)))
		}
		words = words[1+len(rest):]
	}
	if side := g.SideToMove(p); o.clock.runs[side] && !o.infinite {
		o.limits = o.limits.UnderClock(o.clock.left[side], o.clock.inc[side], o.clock.moves, overhead)
	}
	if o.limits == (search.Limits{}) && !o.infinite {
		o.limits.Time = defaultTime
	}
	return o, warnings
}

// plainWords are the go words without a number.
var plainWords = []string{"infinite", "ponder", "searchmoves"}

// gameClock is the state of the clocks in a go command, by side.
type gameClock struct {
	runs      [2]bool
	left, inc [2]time.Duration
	moves     int // moves until more time is added, 0 for the rest of the game
}

// number is a go word with a number.
type number struct {
	least, most int64
	set         func(o *goCommand, n int64)
}

// maxMS is the maximum number of milliseconds, eleven days.
const maxMS = 1_000_000_000

func milliseconds(n int64) time.Duration { return time.Duration(max(0, n)) * time.Millisecond }

// numbers returns the go words with a number. White is the side that moves first. The initials of the
// game's own names of the sides are accepted too, but never replace w and b.
func numbers(info games.Info) map[string]number {
	known := map[string]number{
		"depth":     {1, 1e9, func(o *goCommand, n int64) { o.limits.Depth = int(n) }}, // the search limits it to MaxPly
		"nodes":     {1, 1e18, func(o *goCommand, n int64) { o.limits.Nodes = n }},
		"movetime":  {1, maxMS, func(o *goCommand, n int64) { o.limits.Time = milliseconds(n) }},
		"movestogo": {0, 1e9, func(o *goCommand, n int64) { o.clock.moves = int(n) }}, // 0: the rest of the game
	}
	for i, initial := range []string{info.Sides[0], info.Sides[1], "w", "b"} {
		initial, side := strings.ToLower(initial[:1]), i%2
		known[initial+"time"] = number{-maxMS, maxMS, func(o *goCommand, n int64) { // negative after the flag has fallen
			o.clock.runs[side], o.clock.left[side] = true, milliseconds(n)
		}}
		known[initial+"inc"] = number{-maxMS, maxMS, func(o *goCommand, n int64) { o.clock.inc[side] = milliseconds(n) }}
	}
	return known
}

// read sets the limit of a go word. It returns a warning if the number is invalid.
func (k number) read(o *goCommand, word, value string) (warning string) {
	n, err := strconv.ParseInt(value, 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		return fmt.Sprintf("%s is %s: skipped, expected %d to %d", word, quote(value), k.least, k.most)
	}
	if near := min(max(n, k.least), k.most); near != n {
		n, warning = near, fmt.Sprintf("%s is %s: taken as %d, expected %d to %d", word, quote(value), near, k.least, k.most)
	}
	k.set(o, n)
	return warning
}

// parseOnly parses move names. It skips illegal moves with a warning; if no legal move remains, all
// moves are searched.
func parseOnly[P games.Position[P]](g *games.Game[P], p P, words []string) (only []games.Move, warnings []string) {
	legal := p.AppendMoves(nil)
	for _, text := range words {
		for text != "" {
			m, length, err := g.NextMove(p, text)
			if err != nil {
				warnings = append(warnings, fmt.Sprintf("searchmoves: skipped: %v", err))
				break
			}
			if !slices.Contains(legal, m) {
				warnings = append(warnings, "searchmoves: illegal move "+text[:length]+" skipped")
			} else if !slices.Contains(only, m) {
				only = append(only, m)
			}
			text = text[length:]
		}
	}
	if only == nil {
		warnings = append(warnings, "searchmoves: no legal move named: all moves are searched")
	}
	return only, warnings
}
