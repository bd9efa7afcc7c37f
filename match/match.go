package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// match is a match of two entrants: a [Config] with the files it names opened. [open] opens the
// entrants, [Run] plays the match.
type match[P search.Position[P]] struct {
	Config
	Game *games.Game[P]
	A, B entrant[P]
	// Suite is the openings to play instead of random ones, read from Config.Openings.
	Suite []Opening[P]
	// Tables, if not nil, end games that they decide. TablesName identifies them in the log.
	Tables     search.Prober[P]
	TablesName string
	Engine     string // signature of the engine, for the records' Limits tag
}

// result is the result of a match, or of its finished part.
type result[P search.Position[P]] struct {
	Score elo.Score
	A, B  string // names of the entrants
	// Verdict and LLR are those of Config.Test; "" and 0 without a test.
	Verdict   elo.Verdict
	LLR       float64
	BookMoves [2]int // moves that A and B played from books
	BookPlies int    // plies of all games up to the last move from a book, openings not counted
	Distinct  int    // games that differ from all before
	Lines     elo.Lines
	Again     int // games replayed since this program was suspended
	first     [2]firstForfeit
	// Games are in the order of pairs, not of play: two per pair; A is the first side in the first
	// of them.
	Games []games.Record[P]

	game *games.Game[P]
}

// play plays a match. It calls each, which may be nil, with the number of finished pairs and the
// score so far.
//
// When the context is done, play returns its error along with the finished pairs. On other errors
// the result is nil.
func play[P search.Position[P]](ctx context.Context, m match[P], each func(done int64, score elo.Score)) (*result[P], error) {
	rules, err := m.prepare()
	if err != nil {
		return nil, err
	}
	openings, err := m.openings(rules)
	if err != nil {
		return nil, err
	}
	var boards []board[P]
	if m.Farm == nil {
		if boards, err = m.boards(min(parallel.Workers(m.Concurrency), m.Pairs)); err != nil {
			return nil, err
		}
		defer closePlayers(boards)
	}
	r := &referee[P]{match: m, rules: rules, openings: openings, pairs: make([]*finishedPair[P], m.Pairs), each: each}
	if err := r.play(ctx, boards); err != nil {
		if ctx.Err() == nil || !errors.Is(err, ctx.Err()) {
			return nil, err
		}
		return r.result(), err
	}
	return r.result(), nil
}

// prepare checks the match and derives its rules.
func (m *match[P]) prepare() (rules string, err error) {
	if rules, err = m.rulesOf(m.Game.Info); err != nil {
		return "", err
	}
	if err := m.Check(); err != nil {
		return "", err
	}
	for _, e := range []*entrant[P]{&m.A, &m.B} {
		switch {
		case e.New == nil:
			return "", errors.New("a player is missing")
		case e.Name == "" || e.Name != wording.Short(e.Name):
			return "", fmt.Errorf("player name %q: expected a line of 1 to 300 bytes of printable text", e.Name)
		case e.Limits != wording.Short(e.Limits):
			return "", fmt.Errorf("limits %q: expected a line of at most 300 bytes of printable text", e.Limits)
		}
		if err := e.Clock.Check(); err != nil {
			return "", err
		}
	}
	a, b := m.control(0), m.control(1)
	if (a.Base > 0) != (b.Base > 0) {
		return "", fmt.Errorf("only one of %s and %s has a clock: expected one for the other, or for the match", m.A.Name, m.B.Name)
	}
	m.MoveTimes = m.MoveTimes || m.A.Timed || m.B.Timed
	return rules, nil
}

// entrant returns A for 0, B for 1.
func (m *match[P]) entrant(i int) entrant[P] { return [2]entrant[P]{m.A, m.B}[i] }

// control returns the time control of A for 0, of B for 1.
func (m *match[P]) control(i int) engine.TimeControl {
	return cmp.Or(m.entrant(i).Clock, m.TimeControl)
}

// limits describes the players' limits for records.
func (m *match[P]) limits() string {
	text := m.A.Limits
	if text != m.B.Limits {
		text = fmt.Sprintf("%s: %s; %s: %s", m.A.Name, m.A.Limits, m.B.Name, m.B.Limits)
	}
	if m.Engine != "" {
		text += ", " + m.Engine
	}
	return text
}

// board is the seats of A and B for playing one pair at a time.
type board[P search.Position[P]] [2]*seat[P]

// boards makes two players for each pair played at a time.
func (m *match[P]) boards(n int) ([]board[P], error) {
	boards := make([]board[P], n)
	what := fmt.Sprintf("match: the hash tables of %d players", 2*len(boards))
	if err := memory.Check(what, int64(len(boards))*(m.A.hash()+m.B.hash())); err != nil {
		return nil, fmt.Errorf("%w: take smaller tables or fewer workers", err)
	}
	for i := range boards {
		for j := range boards[i] {
			newPlayer := m.entrant(j).New
			boards[i][j] = &seat[P]{newPlayer, newPlayer()}
			if boards[i][j].player == nil {
				return nil, errors.New("a player is missing")
			}
		}
	}
	return boards, nil
}

func closePlayers[P search.Position[P]](boards []board[P]) {
	for _, b := range boards {
		for _, s := range b {
			s.close()
		}
	}
}
