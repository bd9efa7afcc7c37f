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

// program searches instead of the engine ([Spec.Program]).
//
// Score, depth and nodes are the program's word: a score is for the side to move, at most
// [search.MaxHeuristic], since none is proven: not even a mate. A book of the program's own
// is switched off by its option OwnBook, unless the command sets that. After Clear a search begins
// with ucinewgame: whether its answers depend on earlier searches is the program's affair.
//
// The protocol knows no exact scores of several moves. They are those of a search after
// each of the moves, which share the limits of nodes and time: to one ply less, and at
// least one.
//
// A program that crashes, hangs, answers late, with an illegal move or without a score is
// ended and started again, and asked again, three times in all. Then there is a [Fault].
type program[P search.Position[P]] struct {
	Program
	game      *games.Game[P]
	command   client.Command
	signature string

	mu      sync.Mutex
	running map[*programSearcher[P]]struct{}
}

// Program is what was found out of another program.
type Program struct {
	client.Identity                 // of the command
	Name            string          // that it calls itself
	Limits          client.Limits   // of each search, as its spec says
	Offers          []client.Spec   // options that it has
	Fixed           []client.Option // options that are always set
	BookOff         bool            // its own book is switched off
}

// punctual is how late the answer of a search may come: longer than in a match, as nothing is lost.
const punctual = 5 * time.Second

// openProgram starts a program once, to learn its name and options and whether it plays by the rules,
// as far as it says so, and ends it again. Its command also sets the rules, and switches its book off.
func openProgram[P search.Position[P]](ctx context.Context, g *games.Game[P], s Spec, rules string) (*program[P], error) {
	command := s.Program
	if err := command.Protocol.Check(command.Options, g.Name, rules); err != nil {
		return nil, fmt.Errorf("%s: %w", command.Path, err)
	}
	c, err := client.Start(ctx, g, command)
	if err != nil {
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
	limits := limitsOf(s.Search.Limits())
	if limits.Depth == search.MaxPly { // a clock is the limit
		limits.Depth = 0
	}
	p := &program[P]{game: g, command: command, signature: identity.String(), running: map[*programSearcher[P]]struct{}{}}
	p.Program = Program{
		Identity: identity, Name: wording.Short(cmp.Or(c.Name(), filepath.Base(command.Path))),
		Limits: limits, Offers: c.Options(), Fixed: command.Options, BookOff: noBook != nil,
	}
	return p, nil
}

// limitsOf are limits as a program is given them.
func limitsOf(l search.Limits) client.Limits {
	return client.Limits{Depth: l.Depth, Nodes: l.Nodes, MoveTime: l.Time}
}

// ascii is a name as every file can hold it.
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
	return &programSearcher[P]{program: p, Supervised: client.Supervise(p.game, command)}
}

// close ends what runs for its searchers, of which none may be at work.
func (p *program[P]) close() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for s := range p.running {
		s.Supervised.Close()
	}
	clear(p.running)
}

// Fault says that the program has failed at a position, again and again.
type Fault struct {
	Program    string   // its path
	Position   string   // board
	Err        error    // what was wrong the last time
	Transcript []string // the last lines of the conversation
}

// Error has all of it on a line.
func (f *Fault) Error() string {
	text := fmt.Sprintf("position %s: %s failed %d times: %v", f.Position, f.Program, attempts, f.Err)
	if len(f.Transcript) > 0 {
		text += "; the last lines of the conversation: " + strings.Join(f.Transcript, " | ")
	}
	return text
}

// Unwrap is what was wrong the last time.
func (f *Fault) Unwrap() error { return f.Err }

// attempts is how often a program is asked about a position.
const attempts = 3

// programSearcher searches with another program.
type programSearcher[P search.Position[P]] struct {
	*program[P]
	*client.Supervised[P]
	fresh bool // the next search is to know nothing of those before
}

func (s *programSearcher[P]) Clear() { s.fresh = true }

func (s *programSearcher[P]) Close() {
	s.Supervised.Close()
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.running, s)
}

// run has the program started, and ended with the engine.
func (s *programSearcher[P]) run(ctx context.Context) error {
	s.mu.Lock()
	s.running[s] = struct{}{}
	s.mu.Unlock()
	return s.Run(ctx)
}

// Search asks the program, or the rules if the game is over.
func (s *programSearcher[P]) Search(ctx context.Context, p P, history []P, lim search.Limits, q search.Query) (search.Result, error) {
	l, err := lineTo(s.game, history, p)
	if err != nil {
		return search.Result{}, err
	}
	_, _, over := l.Over()
	if moves := asked(p, q); !over && len(moves) > 0 {
		return s.each(ctx, l, moves, lim, q.Info)
	}
	return s.one(ctx, l, lim, q.Info)
}

// lineTo is the line of play through the positions.
func lineTo[P games.Position[P]](g *games.Game[P], history []P, p P) (*games.Line[P], error) {
	positions := append(history[:len(history):len(history)], p)
	l := g.NewLine(positions[0])
	for _, next := range positions[1:] {
		here := l.Position()
		found := false
		for _, m := range here.AppendMoves(nil) {
			if found = here.Play(m) == next; found {
				if err := l.Play(m); err != nil {
					return nil, err
				}
				break
			}
		}
		if !found {
			return nil, fmt.Errorf("%s does not lead to %s", g.Print(here), g.Print(next))
		}
	}
	return l, nil
}

// one asks about the position of a line, again if the program fails.
func (s *programSearcher[P]) one(ctx context.Context, l *games.Line[P], lim search.Limits, info func(search.Result)) (r search.Result, err error) {
	if diff, _, over := l.Over(); over {
		return ended(diff, s.game.SideToMove(l.Position())), ctx.Err()
	}
	var said []string
	for range attempts {
		if r, err = s.ask(ctx, l, lim, info); err == nil || ctx.Err() != nil {
			return r, cmp.Or(ctx.Err(), err)
		}
		said = s.Transcript()
		s.Close() // also one that answers without a score
		s.fresh = true
	}
	return r, &Fault{s.command.Path, s.game.Print(l.Position()), err, said}
}

// ended is the result of a game that is over with a difference, the first side's.
func ended(diff, side int) search.Result {
	r := search.Result{Terminal: true, Proven: true, Nodes: 1}
	if r.Score = cmp.Compare(diff, 0) * search.Win; side == 1 {
		r.Score = -r.Score
	}
	r.Steady = r.Score
	return r
}

// ask asks the process, which it starts if none is running.
func (s *programSearcher[P]) ask(ctx context.Context, l *games.Line[P], lim search.Limits, info func(search.Result)) (search.Result, error) {
	if err := s.run(ctx); err != nil {
		return search.Result{}, err
	}
	if s.fresh {
		s.Forget()
	}
	var tell func(client.Answer)
	if info != nil {
		tell = func(a client.Answer) { info(resultOf(a)) }
	}
	a, err := s.Supervised.Search(ctx, l, limitsOf(lim), tell)
	if err != nil {
		return search.Result{}, err
	}
	if !a.Scored {
		return search.Result{}, errors.New("the program gave no score: expected info … score cp N before bestmove" + bookHint(s.Options()))
	}
	s.fresh = false
	return resultOf(a), nil
}

// bookHint names the options, for the end of a message, that may have a program play from a
// book.
func bookHint(options []client.Spec) string {
	about := slices.DeleteFunc(options, func(o client.Spec) bool { return !strings.Contains(strings.ToLower(o.Name), "book") })
	if len(about) == 0 {
		return ""
	}
	return "; if it plays from a book, switch that off by its options: " + client.Names(about)
}

func resultOf(a client.Answer) search.Result {
	var steady search.Steady
	for _, score := range a.Scores {
		steady.Add(score)
	}
	score := bounded(a.Score)
	return search.Result{
		Best: a.Move, Score: score, Steady: bounded(steady.Mean(a.Score)), Depth: a.Depth, Nodes: a.Nodes, Time: a.Time,
		PV: a.PV, Lines: []search.Line{{Move: a.Move, Score: score, Exact: true, PV: a.PV}},
	}
}

// bounded is a score that proves nothing.
func bounded(score int) int { return min(max(score, -search.MaxHeuristic), search.MaxHeuristic) }
