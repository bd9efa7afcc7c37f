package match

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match/elo"
)

// TournamentConfig is a Config, whose Test is ignored, with the players and pairings. Log is a
// folder with one log per pairing.
type TournamentConfig struct {
	Config
	Players  []engine.Spec
	Gauntlet int // the first N play all others; 0 means a round robin
}

// TournamentSummary is the result of a tournament.
type TournamentSummary struct {
	Standings []elo.Standing `json:"standings"`
	Games     int            `json:"games"`
	Forfeits  []Forfeits     `json:"forfeits,omitempty"` // of each player with at least one

	labels labels
}

// pairings lists the pairings.
func (c TournamentConfig) pairings() (list []elo.Pairing) {
	for a := range c.Players {
		for b := a + 1; b < len(c.Players); b++ {
			if c.Gauntlet == 0 || a < c.Gauntlet && b >= c.Gauntlet {
				list = append(list, elo.Pairing{A: a, B: b})
			}
		}
	}
	return list
}

// maxPlayers is the maximum size of a cross table.
const maxPlayers = 64

// Check returns an error for a tournament that cannot be played.
func (c TournamentConfig) Check() error {
	if len(c.Players) < 2 || len(c.Players) > maxPlayers {
		return fmt.Errorf("a tournament of %s: expected 2 to %d, such as captures weights.json",
			wording.Count(len(c.Players), "player"), maxPlayers)
	}
	if c.Gauntlet < 0 || c.Gauntlet >= len(c.Players) {
		return fmt.Errorf("a gauntlet of %d players against the others of %d: expected 0 (everybody against everybody) to %d", c.Gauntlet, len(c.Players), len(c.Players)-1)
	}
	return c.Config.Check()
}

// RunTournament plays the pairings one after the other, each with the same openings, and writes all
// games. When the context is done, it returns its error and the summary of the finished pairs, which
// are in the log; it is empty if these do not link all players. If a player has forfeited all of its
// games, it returns both as well.
func RunTournament[P search.Position[P]](ctx context.Context, k engine.Kit[P], c TournamentConfig, out Output,
	progress parallel.Progress) (sum TournamentSummary, err error) {
	if err := c.Check(); err != nil {
		return sum, err
	}
	err = contest(ctx, k, c.Config, c.Players, out, func(m match[P], players []contestant[P]) ([]games.Record[P], error) {
		t := tournament[P]{match: m, contestants: players, list: c.pairings(), first: map[string]Forfeits{}, progress: progress}
		for i, e := range players {
			if slices.ContainsFunc(players[:i], func(other contestant[P]) bool { return other.Name == e.Name }) {
				return nil, fmt.Errorf("two players are called %q: give one of them another name=", e.Name)
			}
		}
		if c.Log != "" {
			if err := vfs.MkdirAll(c.Log, 0o777); err != nil {
				return nil, fmt.Errorf("cannot keep a log: %w", err)
			}
		}
		for i := range t.list {
			if err := t.play(ctx, i); err != nil {
				sum, _ = t.summary()
				return nil, err
			}
		}
		sum, err = t.summary()
		return t.games, err
	})
	for _, f := range sum.Forfeits {
		err = cmp.Or(err, sum.labels.checkPlayed([]Forfeits{f}, f.Of))
	}
	return sum, err
}

// tournament is a tournament in progress.
type tournament[P search.Position[P]] struct {
	match       match[P] // shared by all pairings
	contestants []contestant[P]
	list        []elo.Pairing
	games       []games.Record[P]
	first       map[string]Forfeits // by player, in its first pairing with one
	progress    parallel.Progress   // counts games
}

// summary summarises the finished pairs of games, which must link all players.
func (t *tournament[P]) summary() (sum TournamentSummary, err error) {
	var names []string
	var players []nameOfPlayer
	for _, e := range t.contestants {
		names = append(names, e.Name)
		players = append(players, e.nameOfPlayer)
	}
	sum.Standings, err = elo.Standings(names, t.list)
	if err != nil {
		return sum, err
	}
	sum.labels = newLabels(players)
	for _, p := range t.list {
		sum.Games += p.Score.Games()
	}
	for _, s := range sum.Standings {
		if s.Forfeits > 0 {
			f := t.first[s.Name]
			f.Games = s.Forfeits
			f.Of = s.Games()
			sum.Forfeits = append(sum.Forfeits, f)
		}
	}
	return sum, nil
}

// leader describes the leader so far, once games link all players.
func (t *tournament[P]) leader() string {
	sum, err := t.summary()
	if err != nil || len(sum.Standings) == 0 {
		return ""
	}
	first := sum.Standings[0]
	return fmt.Sprintf("first %s %s", sum.labels.labelOf(first.Name), first.Interval.Text(first.Elo, elo.SignedFormat(0)))
}

// play plays a pairing.
func (t *tournament[P]) play(ctx context.Context, i int) error {
	pairing := &t.list[i]
	m := t.match
	m.A = t.contestants[pairing.A]
	m.B = t.contestants[pairing.B]
	m.Test = elo.SPRT{}
	if m.Log != "" {
		m.Log = filepath.Join(m.Log, fmt.Sprintf("%d-%d", pairing.A+1, pairing.B+1))
	}
	res, err := runMatch(ctx, m, func(done int64, score elo.Score) {
		pairing.Score = score
		t.progress.Note(2*(int64(i*m.Pairs)+done), 2*int64(len(t.list)*m.Pairs), t.leader())
	})
	if res != nil {
		for _, f := range res.Forfeits {
			if _, known := t.first[f.Player]; !known {
				f.Round = fmt.Sprintf("%d.%s", i+1, f.Round)
				t.first[f.Player] = f
			}
		}
	}
	if err != nil {
		return err
	}
	pairing.Score = res.Score
	for _, rec := range res.Games {
		for j := range rec.Tags {
			if tag := &rec.Tags[j]; tag.Name == "Round" {
				tag.Value = fmt.Sprintf("%d.%s", i+1, tag.Value)
			}
		}
		t.games = append(t.games, rec)
	}
	return nil
}
