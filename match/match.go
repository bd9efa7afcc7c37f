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

// match is a match of two contestants: a [Config] with the files it names opened. Whoever opens a contestant closes it.
type match[P search.Position[P]] struct {
	Config
	Game *games.Game[P]
	A, B contestant[P]
	// Suite is the openings to play instead of random ones, read from Config.Openings.
	Suite []Opening[P]
	// Adjudicator ends games that it decides, if not nil: the tables of Config.AdjudicateTables.
	Adjudicator engine.Tables[P]
	Signature   string // of the engine, for the log and the records' Limits tag
}

// Run plays a match of two players and writes its games. Progress counts games. When the context is
// done, it returns its error along with the summary of the finished pairs. If all games were
// forfeited, it writes them and returns both as well.
func Run[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config, a, b engine.Spec, out Output,
	progress parallel.Progress) (sum Summary, err error) {
	err = contest(ctx, k, c, []engine.Spec{a, b}, out, func(m match[P], players []contestant[P]) ([]games.Record[P], error) {
		m.A, m.B = players[0], players[1]
		report := func(done int64, s elo.Score) {
			progress.Note(2*done, 2*int64(c.Pairs), standing(s, c.Test))
		}
		res, err := runMatch(ctx, m, report)
		if res == nil {
			return nil, err
		}
		sum = res.Summary
		return res.Games, err
	})
	return sum, cmp.Or(err, sum.labels.checkPlayed(sum.Forfeits, sum.Score.Games()))
}

// contest opens each player once, calls playAll, and writes the games that it returns.
func contest[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config, players []engine.Spec, out Output,
	playAll func(match[P], []contestant[P]) ([]games.Record[P], error)) (err error) {
	if err := out.check(); err != nil {
		return err
	}
	m, err := openMatch(ctx, k, c)
	var opened []contestant[P]
	defer func() {
		err = errors.Join(err, m.closeAdjudicator())
		for _, e := range opened {
			err = errors.Join(err, e.Close())
		}
	}()
	if err != nil {
		return err
	}
	for _, p := range players {
		e, err := openContestant(ctx, k, p, c)
		if err != nil {
			return err
		}
		opened = append(opened, e)
	}
	records, err := playAll(m, opened)
	if err != nil {
		return err
	}
	return write(out, k.Game, records)
}

// openMatch opens the openings and the tables of a configuration.
func openMatch[P search.Position[P]](ctx context.Context, k engine.Kit[P], c Config) (m match[P], err error) {
	m = match[P]{Config: c, Game: k.Game, Signature: engine.Signature()}
	m.Rules, err = c.rulesOf(k.Game.Info)
	if err != nil {
		return m, err
	}
	if c.Openings != "" {
		m.Suite, err = readOpenings(ctx, c.Openings, k.Game, m.Rules)
		if err != nil {
			return m, err
		}
	}
	if !c.AdjudicateTables || c.Tables == engine.NoTables {
		return m, nil
	}
	if k.Tables == nil {
		return m, fmt.Errorf("%s has no endgame tables to adjudicate by", k.Game.Name)
	}
	m.Adjudicator, err = k.Tables(c.Tables, m.Rules)
	return m, err
}

// closeAdjudicator frees the files that openMatch has opened.
func (m *match[P]) closeAdjudicator() error {
	if m.Adjudicator == nil {
		return nil
	}
	return m.Adjudicator.Close()
}

// complete checks the match and completes its settings.
func (m *match[P]) complete() (err error) {
	m.Rules, err = m.rulesOf(m.Game.Info)
	if err != nil {
		return err
	}
	if err := m.Check(); err != nil {
		return err
	}
	for _, e := range []contestant[P]{m.A, m.B} {
		switch {
		case e.Name == "" || e.Name != wording.Short(e.Name):
			return fmt.Errorf("player name %q: expected a line of 1 to 300 bytes of printable text", e.Name)
		case e.LimitsText != wording.Short(e.LimitsText):
			return fmt.Errorf("limits %q: expected a line of at most 300 bytes of printable text", e.LimitsText)
		}
		if err := e.Clock.Check(); err != nil {
			return err
		}
	}
	a, b := m.control(0), m.control(1)
	if a.IsSet() != b.IsSet() {
		return fmt.Errorf("only one of %s and %s has a clock: expected one for the other, or for the match", m.A.Name, m.B.Name)
	}
	m.MoveTimes = m.MoveTimes || m.A.Timed || m.B.Timed
	return nil
}

// contestant returns A for 0, B for 1.
func (m *match[P]) contestant(i int) contestant[P] { return [2]contestant[P]{m.A, m.B}[i] }

// control returns the time control of A for 0, of B for 1.
func (m *match[P]) control(i int) engine.TimeControl {
	return cmp.Or(m.contestant(i).Clock, m.TimeControl)
}

// limitsText describes the players' limits for records.
func (m *match[P]) limitsText() string {
	text := m.A.LimitsText
	if text != m.B.LimitsText {
		text = fmt.Sprintf("%s: %s; %s: %s", m.A.Name, m.A.LimitsText, m.B.Name, m.B.LimitsText)
	}
	if m.Signature != "" {
		text += ", " + m.Signature
	}
	return text
}

// slotPair is the slots of A and B for playing one pair at a time.
type slotPair[P search.Position[P]] [2]*slot[P]

// openSlots makes two players for each pair played at a time.
func (m *match[P]) openSlots(n int) ([]slotPair[P], error) {
	what := fmt.Sprintf("match: the hash tables of %d players", 2*n)
	if err := memory.Check(what, m.A.engine.HashBytes(n)+m.B.engine.HashBytes(n)); err != nil {
		return nil, fmt.Errorf("%w: take smaller tables or fewer workers", err)
	}
	pairs := make([]slotPair[P], n)
	for i := range pairs {
		for j := range pairs[i] {
			newPlayer := m.contestant(j).New
			pairs[i][j] = &slot[P]{newPlayer, newPlayer()}
		}
	}
	return pairs, nil
}

func closePlayers[P search.Position[P]](pairs []slotPair[P]) {
	for _, pair := range pairs {
		for _, s := range pair {
			s.close()
		}
	}
}
