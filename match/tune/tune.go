// Package tune tunes numeric options of a program by games of the program against itself.
//
// [Run] tunes by simultaneous perturbation (SPSA, Spall 1998): every pair of games changes all
// options at once, and the values move towards the winner. [ReadParameters] reads the options to
// tune. A [Result] has the values, and a curve of each.
package tune

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/match/elo"
	"kroo/report"
)

// Config configures a tuning. Of the match, Pairs is the number of iterations and Log the journal.
type Config struct {
	match.Config
	Player     engine.Spec // a program
	Parameters []Parameter
	Ahead      int // iterations played at a time
}

// Tuned is a parameter with its result.
type Tuned struct {
	Option string  `json:"option"`
	Start  float64 `json:"start"`
	Value  float64 `json:"value"`  // tuned value
	Chance float64 `json:"chance"` // standard deviation of the drift from Start if the option had no effect
	Tuned  string  `json:"tuned"`  // value for the program: rounded if it accepts only whole numbers
	// Curve is the values over the tuning, evenly spaced in iterations.
	Curve []float64 `json:"curve"`
}

// Result is the result of a tuning.
type Result struct {
	Format     string  `json:"format"`
	Program    string  `json:"program"`
	Iterations int     `json:"iterations"` // pairs of games
	Spacing    int     `json:"curve_spacing"`
	Parameters []Tuned `json:"parameters"`
	Wins       int     `json:"wins"` // games, for the side with the perturbation added
	Draws      int     `json:"draws"`
	Losses     int     `json:"losses"`
	Forfeits   int     `json:"forfeits"`
	Forfeit    string  `json:"first_forfeit,omitempty"` // reason of the first forfeit
}

// Format is the first field of a result file.
const Format = "kroo-tuning 1"

// points is the number of points of a curve.
const points = 200

// journalKind changes with the format or meaning of the journal.
const journalKind = "kroo-tune 3"

// header is the header of the journal: what the games depend on.
type header struct {
	Match      any         `json:"match"`
	Parameters []parameter `json:"parameters"` // in the order of the random draws
	Iterations int         `json:"iterations"`
	Ahead      int         `json:"ahead"`
}

// pair is a record of the journal: a finished pair of games.
type pair struct {
	Iteration  int    `json:"i"`
	HalfPoints [2]int `json:"points"` // of each game, for the side with the perturbation added
	Forfeits   int    `json:"forfeits,omitempty"`
	Reason     string `json:"reason,omitempty"` // of the first forfeit
}

func (p pair) check(iterations int) error {
	least := min(p.HalfPoints[0], p.HalfPoints[1], p.Forfeits)
	most := max(p.HalfPoints[0], p.HalfPoints[1], p.Forfeits)
	if p.Iteration < 0 || p.Iteration >= iterations || least < 0 || most > 2 {
		return fmt.Errorf("impossible pair: %+v", p)
	}
	return nil
}

// Run tunes; progress counts pairs. When the context is done, Run returns its error; the finished
// pairs are in the journal.
func Run[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config,
	progress parallel.Progress) (res *Result, err error) {
	if c.Pairs < 1 || c.Pairs > 1_000_000 || c.Ahead < 1 || c.Ahead > 1024 {
		return nil, fmt.Errorf("%d iterations, %d ahead: expected 1 to 1000000, and 1 to 1024 ahead", c.Pairs, c.Ahead)
	}
	s, err := match.NewSelfMatch(ctx, k, c.Config, c.Player)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	list, err := resolveAll(c.Parameters, s.Options())
	if err != nil {
		return nil, err
	}
	program := strings.Join(c.Player.Program.Words(), " ")
	t := &tuning{spsa: newSPSA(list, c.Pairs, c.Ahead, c.Seed), result: newResult(c, program, list), progress: progress}
	head := header{s.Settings(), list, c.Pairs, c.Ahead}
	if c.Restart != "" {
		if err := journal.Renew(c.Log, journalKind, head); err != nil {
			return nil, err
		}
	}
	finished := map[int]pair{}
	log, err := journal.Open(c.Log, journalKind, head, journal.JSON[pair](), func(p pair) error {
		if _, twice := finished[p.Iteration]; twice {
			return fmt.Errorf("iteration %d: appears twice", p.Iteration)
		}
		finished[p.Iteration] = p
		return p.check(c.Pairs)
	})
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, log.Close()) }()
	t.logged = len(finished)
	t.report()
	if err := t.play(ctx, finished, s.Play, log.Append); err != nil {
		return nil, err
	}
	return t.result.at(t.spsa), nil
}

// tuning is a tuning in progress.
type tuning struct {
	mu       sync.Mutex
	spsa     *spsa
	result   *Result
	progress parallel.Progress
	logged   int // pairs in the journal at the start
}

// playPairings plays the pairings of a feed, and calls done with the outcomes of each; see [match.SelfMatch.Play].
type playPairings func(ctx context.Context, feed parallel.Feed[match.Pairing],
	done func(match.Pairing, [2]elo.Outcome) error) error

// play plays the unfinished iterations and applies all in order. It passes each to keep first.
func (t *tuning) play(ctx context.Context, finished map[int]pair, playAll playPairings, keep func(pair) error) error {
	order := parallel.NewInOrder(0, t.spsa.ahead, t.apply)
	feed := func(ctx context.Context, ask func(match.Pairing) error) error {
		for i := range t.spsa.iterations {
			if err := order.Wait(ctx); err != nil {
				return err
			}
			var err error
			if p, there := finished[i]; there {
				err = order.Put(i, p)
			} else {
				err = ask(t.pairing(i))
			}
			if err != nil {
				return err
			}
		}
		return nil
	}
	return playAll(ctx, feed, func(b match.Pairing, outcomes [2]elo.Outcome) error {
		p := pairOf(b.Pair, outcomes)
		if err := keep(p); err != nil {
			return err
		}
		return order.Put(b.Pair, p)
	})
}

// pairOf returns the record of the games of an iteration.
func pairOf(iteration int, outcomes [2]elo.Outcome) pair {
	p := pair{Iteration: iteration}
	for i, o := range outcomes {
		p.HalfPoints[i] = o.HalfPoints
		if o.Forfeit[0] || o.Forfeit[1] {
			p.Forfeits++
			p.Reason = cmp.Or(p.Reason, o.Reason)
		}
	}
	return p
}

// pairing returns an iteration with the options of its sides.
func (t *tuning) pairing(i int) match.Pairing {
	t.mu.Lock()
	defer t.mu.Unlock()
	plus, minus := t.spsa.sides(i)
	return match.Pairing{Pair: i, Sides: [2][]client.Option{t.options(plus), t.options(minus)}}
}

func (t *tuning) options(values []float64) (list []client.Option) {
	for i, p := range t.spsa.parameters {
		list = append(list, client.Option{Name: p.Option, Value: p.text(values[i])})
	}
	return list
}

// text formats a value for the program.
func (p parameter) text(x float64) string {
	if p.Whole {
		return strconv.FormatInt(int64(math.Round(x)), 10)
	}
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// apply applies the next pair.
func (t *tuning) apply(p pair) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.result.add(p)
	wonMinusLost := p.HalfPoints[0] + p.HalfPoints[1] - 2 // two draws have two half-points
	t.spsa.apply(wonMinusLost)
	t.result.follow(t.spsa)
	t.report()
	return t.checkForfeits()
}

// report reports the number of applied pairs, at least those of the journal.
func (t *tuning) report() {
	t.progress.Note(int64(max(t.spsa.applied, t.logged)), int64(t.spsa.iterations), t.result.at(t.spsa).values())
}

// checkForfeits returns an error if the program forfeits a quarter of its games, once there are
// enough of them or all are played.
func (t *tuning) checkForfeits() error {
	r := t.result
	games := 2 * r.pairsPlayed()
	enough := r.Forfeits >= 20 || r.pairsPlayed() == t.spsa.iterations
	if r.Forfeits == 0 || !enough || 4*r.Forfeits < games {
		return nil
	}
	return fmt.Errorf("%s: expected a program that plays: run it by hand, or give it more time", r.forfeitText())
}

// forfeitText describes the number of forfeits and the reason of the first.
func (r *Result) forfeitText() string {
	text := fmt.Sprintf("%d of %s were forfeited", r.Forfeits, wording.Count(2*r.pairsPlayed(), "game"))
	if r.Forfeit != "" {
		text += "; the first: " + wording.Short(r.Forfeit)
	}
	return text
}

func newResult(c Config, program string, list []parameter) *Result {
	r := &Result{Format: Format, Program: program, Iterations: c.Pairs, Spacing: (c.Pairs + points - 1) / points}
	for _, p := range list {
		r.Parameters = append(r.Parameters, Tuned{Option: p.Option, Start: p.Start, Curve: []float64{p.Start}})
	}
	return r
}

// add counts a pair.
func (r *Result) add(p pair) {
	for _, half := range p.HalfPoints {
		switch half {
		case 0:
			r.Losses++
		case 1:
			r.Draws++
		default:
			r.Wins++
		}
	}
	r.Forfeits += p.Forfeits
	r.Forfeit = cmp.Or(r.Forfeit, p.Reason)
}

// follow adds points to the curves.
func (r *Result) follow(s *spsa) {
	if s.applied%r.Spacing != 0 && s.applied != s.iterations {
		return
	}
	for i := range r.Parameters {
		r.Parameters[i].Curve = append(r.Parameters[i].Curve, s.values()[i])
	}
}

// values formats the values on one line.
func (r *Result) values() string {
	var parts []string
	for _, p := range r.Parameters {
		parts = append(parts, fmt.Sprintf("%s %.4g", p.Option, p.Value))
	}
	if r.Forfeits > 0 {
		parts = append([]string{wording.Count(r.Forfeits, "forfeit")}, parts...)
	}
	return strings.Join(parts, ", ")
}

// at updates the result to the present values.
func (r *Result) at(s *spsa) *Result {
	for i, p := range s.parameters {
		r.Parameters[i].Value, r.Parameters[i].Chance = s.values()[i], s.chance(i)
		r.Parameters[i].Tuned = p.text(s.values()[i])
	}
	return r
}

// Options returns the tuned values as options.
func (r *Result) Options() (list []client.Option) {
	for _, p := range r.Parameters {
		list = append(list, client.Option{Name: p.Option, Value: p.Tuned})
	}
	return list
}

// Starts returns the values at the start as options.
func (r *Result) Starts() (list []client.Option) {
	for _, p := range r.Parameters {
		list = append(list, client.Option{Name: p.Option, Value: strconv.FormatFloat(p.Start, 'f', -1, 64)})
	}
	return list
}

// Write writes the result as JSON.
func (r *Result) Write(path string) error {
	return atomicfile.WriteJSON(path, r)
}

// maxBytes bounds the file of a result, including the curves of all parameters.
const maxBytes = 4 << 20

// Doc describes the result.
func (r *Result) Doc() *outline.Doc {
	played := wording.Count(r.pairsPlayed(), "pair")
	options := wording.Count(len(r.Parameters), "option")
	d := &outline.Doc{
		Value: r,
		Title: fmt.Sprintf("values tuned by %s of games of %s", wording.Count(r.Iterations, "pair"), wording.Short(r.Program)),
		Lead:  []string{fmt.Sprintf("%s of games of the program against itself tuned %s.", played, options)},
		Origin: outline.Facts("program", r.Program,
			"games forfeited", strconv.Itoa(r.Forfeits), "the first", wording.Short(r.Forfeit)),
	}
	columns := []string{"option", "start", "tuned", "moved", "by chance"}
	values := outline.Section{Heading: "values", Table: outline.TableOf(columns, r.Parameters, Tuned.row)}
	values.Note = "By chance: drift of a value if the option had no effect (one standard deviation)."
	if !slices.ContainsFunc(r.Parameters, func(p Tuned) bool { return p.Value != p.Start }) {
		values.Note = "no value has moved: every pair of games was even, so these options, or such small steps, have no effect"
	}
	for i, p := range r.Parameters {
		c := report.Chart{Name: fmt.Sprintf("parameter-%d", i+1), Title: p.Option, X: "pairs of games", Y: "value"}
		for j, v := range p.Curve {
			c.Add(p.Option, float64(min(j*r.Spacing, r.Iterations)), v)
		}
		values.Figures = append(values.Figures, c)
	}
	d.Add(values)
	return d
}

// row is the row of the parameter in the table of values.
func (t Tuned) row() []any {
	return []any{
		wording.Short(t.Option),
		strconv.FormatFloat(t.Start, 'f', -1, 64),
		wording.Short(t.Tuned),
		fmt.Sprintf("%+.4g", t.Value-t.Start),
		fmt.Sprintf("± %.2g", t.Chance),
	}
}

// pairsPlayed returns the number of pairs of games counted.
func (r *Result) pairsPlayed() int { return (r.Wins + r.Draws + r.Losses) / 2 }

// Describe describes the file of a result.
func Describe(path string) (*outline.Doc, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := parseResult(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not the values of a tuning: %s", path, wording.Short(err.Error()))
	}
	return r.Doc(), nil
}

func parseResult(from io.Reader) (*Result, error) {
	r := new(Result)
	if err := strict.ReadJSON(from, maxBytes, r); err != nil {
		return nil, err
	}
	return r, r.check()
}

// check returns an error for an invalid result.
func (r *Result) check() error {
	switch {
	case r.Format != Format:
		return fmt.Errorf("format %q: expected %q", r.Format, Format)
	case len(r.Parameters) == 0 || len(r.Parameters) > maxParameters:
		return fmt.Errorf("%d parameters: expected 1 to %d", len(r.Parameters), maxParameters)
	case r.Iterations < 1 || min(r.Wins, r.Draws, r.Losses, r.Forfeits) < 0:
		return errors.New("counts of games: expected none below 0")
	}
	return nil
}
