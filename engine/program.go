package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/wording"
)

// program is another program that searches instead of the engine ([Spec.Program]).
//
// Score, depth and nodes are those that the program reports: a score is for the side to move, at
// most [search.MaxHeuristic], since not even a mate counts as proven. Its own book is switched off
// by its option OwnBook, unless the command sets that. After Clear a search begins with ucinewgame:
// whether its answers depend on earlier searches is up to the program.
//
// The protocol has no exact scores of several moves. They are those of a search after each of the
// moves, which share the limits of nodes and time: to one ply less, and at least one.
//
// A program that crashes, hangs, answers late, with an illegal move or without a score is restarted
// and asked again, three times in all. Then the search returns a [Fault].
type program[P search.Position[P]] struct {
	Program
	game      *games.Game[P]
	command   client.Command
	signature string

	mu   sync.Mutex
	made []*programSearcher[P]
}

// Program describes another program.
type Program struct {
	client.Identity                 // identity of the command
	Name            string          // by its own account
	Limits          client.Limits   // of each search, by its spec
	Offers          []client.Spec   // its options
	Fixed           []client.Option // options that are always set
	BookOff         bool            // its book is switched off
}

// punctual is how late the answer of a search may come. It is longer than in a match, where a late
// answer costs the game.
const punctual = 5 * time.Second

// openProgram starts a program once and ends it again, to read its name and options and check, as
// far as possible, that it plays by the rules. It adds the options for the rules and against its own
// book to the command.
func openProgram[P search.Position[P]](ctx context.Context, g *games.Game[P], s Spec, rules string) (*program[P], error) {
	command := s.Program
	if err := command.Protocol.Check(command.Options, g.Name, rules); err != nil {
		return nil, fmt.Errorf("%s: %w", command.Path, err)
	}
	c := client.New(g, command)
	if err := c.Run(ctx); err != nil {
		return nil, err
	}
	c.Close()
	if rules != g.Rules[0] && command.Protocol == client.UCI {
		if !c.HasOption(rulesOption) {
			return nil, fmt.Errorf("%s: has no option %s: expected one for %s rules", command.Path, rulesOption, rules)
		}
		command.Options = append([]client.Option{{Name: rulesOption, Value: rules}}, command.Options...)
	}
	noBook := c.WithoutBook()
	command.Options = append(noBook, command.Options...)
	identity, err := command.Identity()
	if err != nil {
		return nil, err
	}
	identity = identity.WithAnnouncement(c.Name(), c.Options())
	limits := programLimits(s.Search.Limits())
	if limits.Depth == search.MaxPly { // a clock is the limit
		limits.Depth = 0
	}
	p := &program[P]{game: g, command: command, signature: identity.String()}
	p.Program = Program{
		Identity: identity, Name: wording.Short(cmp.Or(c.Name(), filepath.Base(command.Path))),
		Limits: limits, Offers: c.Options(), Fixed: command.Options, BookOff: noBook != nil,
	}
	return p, nil
}

// programLimits converts limits for a program.
func programLimits(l search.Limits) client.Limits {
	return client.Limits{Depth: l.Depth, Nodes: l.Nodes, MoveTime: l.Time}
}

// ascii converts a name to one that every file can contain.
func ascii(name string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, name)
}

// rulesOption is the option for rules other than the game's first.
const rulesOption = "Rules"

// searcher makes a searcher with a process of its own, which its first search starts.
func (p *program[P]) searcher() *programSearcher[P] {
	command := p.command
	command.Margin = cmp.Or(command.Margin, punctual)
	s := &programSearcher[P]{p, client.New(p.game, command)}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.made = append(p.made, s)
	return s
}

// close ends the processes of its searchers, none of which may be running.
func (p *program[P]) close() {
	for _, s := range p.made {
		s.Close()
	}
}

// Fault is a program's repeated failure at a position.
type Fault struct {
	Program    string   // its path
	Position   string   // board
	Err        error    // the last error
	Transcript []string // the last lines of the conversation
}

// Error formats the fault on one line.
func (f *Fault) Error() string {
	text := fmt.Sprintf("position %s: %s failed %d times: %v", f.Position, f.Program, attempts, f.Err)
	if len(f.Transcript) > 0 {
		text += "; the last lines of the conversation: " + strings.Join(f.Transcript, " | ")
	}
	return text
}

// Unwrap returns the last error.
func (f *Fault) Unwrap() error { return f.Err }

// attempts is how often a program is asked about a position.
const attempts = 3

// programSearcher searches with another program.
type programSearcher[P search.Position[P]] struct {
	*program[P]
	*client.Client[P]
}

func (s *programSearcher[P]) Clear() { s.Forget() }

// Search asks the program or, if the game is over, the rules.
func (s *programSearcher[P]) Search(
	ctx context.Context, p P, history []P, lim search.Limits, q search.Query,
) (search.Result, error) {
	l, err := lineTo(s.game, history, p)
	if err != nil {
		return search.Result{}, err
	}
	_, _, over := l.Over()
	if moves := scoredMoves(p, q); !over && len(moves) > 0 {
		return s.each(ctx, l, moves, lim, q.Info)
	}
	return s.one(ctx, l, lim, q.Info)
}

// lineTo returns the line of play through the positions.
func lineTo[P games.Position[P]](g *games.Game[P], history []P, p P) (*games.Line[P], error) {
	positions := append(history[:len(history):len(history)], p)
	l := g.NewLine(positions[0])
	for _, next := range positions[1:] {
		here := l.Position()
		moves := here.AppendMoves(nil)
		i := slices.IndexFunc(moves, func(m games.Move) bool { return here.Play(m) == next })
		if i < 0 {
			return nil, fmt.Errorf("%s does not lead to %s", g.Print(here), g.Print(next))
		}
		if err := l.Play(moves[i]); err != nil {
			return nil, err
		}
	}
	return l, nil
}

// one searches the position of a line, retrying if the program fails.
func (s *programSearcher[P]) one(
	ctx context.Context, l *games.Line[P], lim search.Limits, info func(search.Result),
) (r search.Result, err error) {
	if diff, _, over := l.Over(); over {
		return resultAtEnd(diff, s.game.SideToMove(l.Position())), ctx.Err()
	}
	var said []string
	for range attempts {
		r, err = s.ask(ctx, l, lim, info)
		if err == nil || ctx.Err() != nil {
			return r, cmp.Or(ctx.Err(), err)
		}
		said = s.Transcript()
		s.Close() // also after an answer without a score
		s.Forget()
	}
	return r, &Fault{s.command.Path, s.game.Print(l.Position()), err, said}
}

// resultAtEnd returns the result of a game that is over with a difference, the first side's.
func resultAtEnd(diff, side int) search.Result {
	r := search.Result{Terminal: true, Proven: true, Nodes: 1}
	r.Score = cmp.Compare(diff, 0) * search.Win
	if side == 1 {
		r.Score = -r.Score
	}
	r.Steady = r.Score
	return r
}

// ask asks the process.
func (s *programSearcher[P]) ask(
	ctx context.Context, l *games.Line[P], lim search.Limits, info func(search.Result),
) (search.Result, error) {
	var tell func(client.Answer)
	if info != nil {
		tell = func(a client.Answer) { info(clampScores(a)) }
	}
	a, err := s.Client.Search(ctx, l, programLimits(lim), tell)
	if err != nil {
		return search.Result{}, err
	}
	if !a.Scored {
		return search.Result{}, errors.New("the program gave no score: expected info … score cp N before bestmove" +
			bookHint(s.Options()))
	}
	return clampScores(a), nil
}

// bookHint returns, for the end of a message, the options that may make a program play from a book.
func bookHint(options []client.Spec) string {
	about := slices.DeleteFunc(options, func(o client.Spec) bool { return !strings.Contains(strings.ToLower(o.Name), "book") })
	if len(about) == 0 {
		return ""
	}
	return "; if it plays from a book, switch that off by its options: " + strings.Join(client.Names(about), ", ")
}

// clampScores returns the result with scores in the range of unproven ones, and its line.
func clampScores(a client.Answer) search.Result {
	r := a.Result
	for _, score := range []*int{&r.Score, &r.Steady} {
		*score = min(max(*score, -search.MaxHeuristic), search.MaxHeuristic)
	}
	r.Lines = []search.Line{{Move: r.Best, Score: r.Score, Exact: true, PV: r.PV}}
	return r
}

// scoredMoves returns the moves of a position whose scores a query wants, empty for the best alone.
func scoredMoves[P games.Position[P]](p P, q search.Query) []games.Move {
	legal := p.AppendMoves(nil)
	only := slices.DeleteFunc(slices.Clone(legal), func(m games.Move) bool { return !slices.Contains(q.Only, m) })
	switch {
	case len(only) > 0:
		return only
	case q.AllMoves:
		return legal
	}
	return nil
}

// each scores moves in rounds of four times the nodes of the round before, and calls info after each.
func (s *programSearcher[P]) each(
	ctx context.Context, l *games.Line[P], moves []games.Move, lim search.Limits, info func(search.Result),
) (r search.Result, err error) {
	begin, own := time.Now(), share(lim, len(moves))
	for nodes := int64(firstRound); ; nodes *= 4 {
		now, last := own, info == nil || own.Nodes == 0 && own.Time == 0 || own.Nodes > 0 && nodes >= own.Nodes
		if !last {
			now.Nodes = nodes
		}
		found, err := s.round(ctx, l, moves, now)
		if err != nil {
			return r, err
		}
		found.Nodes += r.Nodes
		r = found
		r.Time = time.Since(begin)
		if info != nil {
			info(r)
		}
		if last || lim.Time > 0 && 4*r.Time > lim.Time {
			return r, nil
		}
	}
}

// firstRound is the nodes per move in the first of several rounds.
const firstRound = 1000

// round scores moves by a search after each.
func (s *programSearcher[P]) round(
	ctx context.Context, l *games.Line[P], moves []games.Move, lim search.Limits,
) (r search.Result, err error) {
	r.Depth, r.Nodes = search.MaxPly, 1
	for _, m := range moves {
		if err := l.Play(m); err != nil {
			return r, err
		}
		after, err := s.one(ctx, l, lim, nil)
		if err != nil {
			return r, err
		}
		l.Undo()
		if !after.Terminal {
			r.Depth = min(r.Depth, 1+after.Depth)
		}
		r.Nodes, r.Time = r.Nodes+after.Nodes, r.Time+after.Time
		r.Lines = append(r.Lines,
			search.Line{Move: m, Score: before(after.Score), Exact: true, PV: append([]games.Move{m}, after.PV...)})
	}
	if r.Depth == search.MaxPly { // every move ends the game
		r.Depth = 1
	}
	slices.SortStableFunc(r.Lines, func(a, b search.Line) int { return cmp.Compare(b.Score, a.Score) })
	best := r.Lines[0]
	r.Best = best.Move
	r.Score = best.Score
	r.Steady = best.Score
	r.PV = best.PV
	r.Proven = search.Proven(best.Score)
	return r, nil
}

// share returns the limits of the search after one of a number of moves.
func share(lim search.Limits, moves int) search.Limits {
	if lim.Nodes > 0 {
		lim.Nodes = max(1, lim.Nodes/int64(moves))
	}
	if lim.Time > 0 {
		lim.Time = max(time.Millisecond, lim.Time/time.Duration(moves))
	}
	if lim.Depth > 0 {
		lim.Depth = max(1, lim.Depth-1)
	}
	return lim
}

// before returns a score one move earlier, for the side that makes the move.
func before(score int) int {
	switch {
	case !search.Proven(score):
		return -score
	case score > 0:
		return 1 - score
	}
	return -score - 1
}
