package client

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"kroo/engine/search"
	"kroo/games"
)

// parseBestMove parses the text after bestmove. The error is a protocolFault.
func parseBestMove[P games.Position[P]](g *games.Game[P], p P, text string) (games.Move, error) {
	word, _ := CutWord(text)
	if word == "(none)" || word == "0000" {
		return 0, ErrNoMove
	}
	m, err := g.ParseMove(p, word)
	if err == nil && slices.Contains(p.AppendMoves(nil), m) {
		return m, nil
	}
	if name, ok := g.OpponentsMove(p, word); err == nil || ok && name == word {
		return 0, fault(kindIllegal, "move %s in %s", word, g.Print(p))
	}
	return 0, fault(kindGarbage, "bestmove %s: expected %s", quoteStart(text), g.MoveText)
}

// scale converts a program's scores.
type scale struct {
	unit      float64 // cp per unit of the game
	unitsAWin int     // of the game
}

func (c *Client[P]) scale() scale {
	return scale{cmp.Or(c.command.Unit, defaultUnit), c.game.UnitsPerWin}
}

// note records the score, depth and nodes of an info line, and reports whether it recorded a score.
// It ignores lines for other than the best move and what it cannot parse. A score that is only a
// bound does not replace an exact one.
func (a *Answer) note(text string, s scale) (reported bool) {
	word, rest := CutWord(text)
	if word != "info" {
		return false
	}
	l := infoLine{answer: *a, scale: s}
	l.answer.bound = false
	for rest != "" && !l.isOther {
		word, rest = CutWord(rest)
		if parse := infoWords[word]; parse != nil {
			rest = parse(&l, rest)
		}
	}
	if a.Scored && !l.isScored {
		l.answer.Depth = a.Depth // the line announces a depth that is not finished
	}
	switch {
	case l.isOther:
		return false
	case l.answer.bound && a.Scored && !a.bound:
		a.Nodes = l.answer.Nodes
		return false
	}
	*a = l.answer
	return l.isScored
}

// infoLine is what an info line says, as far as it is parsed.
type infoLine struct {
	answer   Answer // before the line, with what the line says
	scale    scale
	isOther  bool // it is about another than the best move
	isScored bool
	hasScore bool // the score is not from chances
}

// infoWords parse what follows a word of an info line. They return the text in which the next word is looked
// for: unknown words, and values, are passed over.
var infoWords = map[string]func(l *infoLine, rest string) string{
	"string":     (*infoLine).parseString,
	"pv":         (*infoLine).parsePV,
	"multipv":    (*infoLine).parseMultiPV,
	"currmove":   (*infoLine).parseCurrentMove,
	"depth":      (*infoLine).parseDepth,
	"nodes":      (*infoLine).parseNodes,
	"cp":         (*infoLine).parseCentipawns,
	"mate":       (*infoLine).parseMate,
	"wdl":        (*infoLine).parseChances,
	"lowerbound": (*infoLine).parseBound,
	"upperbound": (*infoLine).parseBound,
}

// parseString parses free text. If it begins with the word book, the move is from a book, as of Kroo.
func (l *infoLine) parseString(rest string) string {
	if first, _ := CutWord(rest); first == "book" {
		l.answer.saysBook = true
	}
	return ""
}

func (l *infoLine) parsePV(rest string) string {
	l.answer.pv = rest
	return ""
}

func (l *infoLine) parseMultiPV(rest string) string {
	number, _ := CutWord(rest)
	l.isOther = number != "1"
	return rest
}

func (l *infoLine) parseCurrentMove(rest string) string {
	l.isOther = true
	return rest
}

func (l *infoLine) parseDepth(rest string) string {
	if n, ok := parseCount(rest); ok {
		l.answer.Depth = int(min(n, search.MaxPly))
	}
	return rest
}

func (l *infoLine) parseNodes(rest string) string {
	if n, ok := parseCount(rest); ok {
		l.answer.Nodes = min(n, search.MaxNodes)
	}
	return rest
}

// parseCount parses a number from 0 at the start of a text.
func parseCount(text string) (n int64, ok bool) {
	word, _ := CutWord(text)
	n, err := strconv.ParseInt(word, 10, 64)
	return n, err == nil && n >= 0
}

func (l *infoLine) parseCentipawns(rest string) string { return l.parseScore("cp", rest) }

func (l *infoLine) parseMate(rest string) string { return l.parseScore("mate", rest) }

func (l *infoLine) parseScore(kind, rest string) string {
	word, _ := CutWord(rest)
	if n, err := strconv.Atoi(word); err == nil {
		l.setScore(l.scale.scoreOf(kind, n))
		l.hasScore = true
	}
	return rest
}

// parseChances parses the chances of a win, a draw and a loss, which count only without another score.
func (l *infoLine) parseChances(rest string) string {
	if score, ok := l.scale.ofChances(strings.Fields(rest)); ok && !l.hasScore {
		l.setScore(score)
	}
	return rest
}

func (l *infoLine) setScore(score int) {
	l.answer.Score = score
	l.answer.Scored = true
	l.isScored = true
}

func (l *infoLine) parseBound(rest string) string {
	l.answer.bound = true
	return rest
}

// ofChances converts chances of a win, a draw and a loss in permille to the expected score, where
// 1000 points are a won game.
func (s scale) ofChances(words []string) (score int, ok bool) {
	var chances [3]int
	if len(words) < len(chances) {
		return 0, false
	}
	for i := range chances {
		n, err := strconv.Atoi(words[i])
		if err != nil || n < 0 || n > 1000 {
			return 0, false
		}
		chances[i] = n
	}
	return (chances[0] - chances[2]) * s.unitsAWin * 100 / games.MaxPoints, true
}

// scoreOf converts a score to the engine's units. A win in n moves takes 2n-1 plies, a loss in n
// moves 2n.
func (s scale) scoreOf(kind string, n int) int {
	n = min(max(n, -search.Win), search.Win)
	switch {
	case kind == "cp":
		return int(math.Round(min(max(float64(n)*defaultUnit/s.unit, -search.Win), search.Win)))
	case n > 0:
		return search.Win - min(2*n-1, search.Win-search.MaxHeuristic-1)
	default:
		return -search.Win + min(-2*n, search.Win-search.MaxHeuristic-1)
	}
}

// LimitWatch compares the searches of all processes of a program with their limits, and warns once
// about a limit that the program does not obey, since files record the limit all the same.
type LimitWatch struct {
	Warn func(text string)

	mu     sync.Mutex
	tally  LimitTally
	warned bool
}

// add counts a search. A nil watch ignores it.
func (w *LimitWatch) add(name string, lim Limits, a Answer) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tally.Add(lim, a)
	w.warn(name, w.tally.worst())
}

// addEndless counts a search that had to be stopped.
func (w *LimitWatch) addEndless(name string, lim Limits) {
	if w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.warn(name, lim.endless())
	}
}

func (w *LimitWatch) warn(name string, v violation) {
	if w.warned || v.format == "" {
		return
	}
	w.warned = true
	w.Warn(fmt.Sprintf("WARNING: %s: %s. Files record the limit nevertheless: use %s instead (train engine check "+
		"shows which limits it obeys).", name, v.text(), v.remedy))
}

// shortName returns the program's own name, or else the name of its file.
func (c *Client[P]) shortName() string { return cmp.Or(c.name, filepath.Base(c.command.Path)) }

// LimitTally counts searches that did not obey their limits.
type LimitTally struct {
	searches int
	counts   map[string]int // by format of the violation
	last     map[string]violation
}

// violation is a limit that a search did not obey; zero if it obeyed all.
type violation struct {
	format string // of the text; identifies the kind
	remedy string // flags of other limits
	enough int    // least number of searches that prove it, if more than half of all
	args   []any
}

func (v violation) text() string { return fmt.Sprintf(v.format, v.args...) }

// The number of searches that prove that a program exceeds its limit, and that it stops far below
// it. The second is larger, since a search that reaches the end of the game may stop early.
const (
	enoughOver  = 3
	enoughShort = 10
)

// The flags to use instead of a limit that a program does not obey.
const (
	insteadOfNodes = "--depth or --movetime"
	insteadOfDepth = "--nodes or --movetime"
	insteadOfTime  = "--depth or --nodes"
)

// lateness is the part of an answer's time outside the search, on a busy machine.
const lateness = 200 * time.Millisecond

// violationOf returns the violation of a search. It tolerates anything from a tenth of the limit to
// twice the limit (half of a depth): many programs check their limits only at intervals, and a first
// iteration must be finished.
func (l Limits) violationOf(a Answer) violation {
	short, took := a.short(l), a.Time.Round(time.Millisecond)
	switch {
	case l.Nodes > 0 && a.Nodes == 0:
		return violation{"asked for %d nodes, it reports none, so nothing shows that it obeys", insteadOfNodes,
			enoughOver, []any{l.Nodes}}
	case l.Nodes > 0 && a.Nodes/2 > l.Nodes && a.Depth != 1:
		return violation{"asked for %d nodes, it visits %d", insteadOfNodes, enoughOver, []any{l.Nodes, a.Nodes}}
	case l.Depth > 0 && a.Depth > l.Depth:
		return violation{"asked for depth %d, it searches to depth %d", insteadOfDepth, enoughOver, []any{l.Depth, a.Depth}}
	case l.MoveTime > 0 && a.Time > 2*l.MoveTime+lateness:
		return violation{"asked for %s, it takes %s", insteadOfTime, enoughOver, []any{l.MoveTime, took}}
	case short && l.Nodes > 0:
		return violation{"asked for %d nodes, it moves after %d", insteadOfNodes, enoughShort, []any{l.Nodes, a.Nodes}}
	case short && l.Depth > 0:
		return violation{"asked for depth %d, it moves after depth %d", insteadOfDepth, enoughShort, []any{l.Depth, a.Depth}}
	case short && l.MoveTime > 0:
		return violation{"asked for %s, it moves after %s", insteadOfTime, enoughShort, []any{l.MoveTime, took}}
	}
	return violation{}
}

// short reports whether a search ended far below all of its limits, without reaching the end of the
// game.
func (a Answer) short(l Limits) bool {
	below := func(limit, share, did int64) bool { return limit == 0 || did > 0 && did < (limit+share-1)/share }
	return l.Clock == nil && max(a.Score, -a.Score) < search.MaxHeuristic &&
		below(l.Nodes, 10, a.Nodes) && below(int64(l.Depth), 2, int64(a.Depth)) && below(int64(l.MoveTime), 10, int64(a.Time))
}

// Violation describes the violation of a search, "" if it obeyed its limits.
func (l Limits) Violation(a Answer) string { return l.violationOf(a).text() }

// Add counts a search. A move without a search, from a book, does not count.
func (t *LimitTally) Add(lim Limits, a Answer) {
	if a.Depth == 0 && !a.Scored {
		return
	}
	t.searches++
	if v := lim.violationOf(a); v.format != "" {
		if t.counts == nil {
			t.counts, t.last = map[string]int{}, map[string]violation{}
		}
		t.counts[v.format]++
		t.last[v.format] = v
	}
}

// worst returns the proven violation, of which there is at most one.
func (t *LimitTally) worst() violation {
	for format, n := range t.counts {
		if v := t.last[format]; n >= v.enough && 2*n > t.searches {
			return v
		}
	}
	return violation{}
}

// Violation describes the limit that the searches violated, with figures from the last of them; ""
// without one.
func (t *LimitTally) Violation() string { return t.worst().text() }

// endless returns the violation of a search that had to be stopped; none if time limits it.
func (l Limits) endless() violation {
	switch {
	case l.MoveTime > 0 || l.Clock != nil:
		return violation{}
	case l.Nodes > 0:
		return violation{"asked for %d nodes, it searches until it is stopped", insteadOfNodes, 1, []any{l.Nodes}}
	}
	return violation{"asked for depth %d, it searches until it is stopped", insteadOfDepth, 1, []any{l.Depth}}
}

// advice is endless as the end of a message.
func (l Limits) advice() string {
	if v := l.endless(); v.format != "" {
		return fmt.Sprintf(": %s; use %s, or a longer timeout=", v.text(), v.remedy)
	}
	return ""
}
