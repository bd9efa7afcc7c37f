package match

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// TournamentRequest says who plays whom, and how: as in a Request, of
// which A, B and Test are not used. Log is a folder with a log of each pairing.
type TournamentRequest struct {
	Request
	Players  []Contender
	Gauntlet int // the first so many play all the others; 0 is everybody everybody
}

// TournamentSummary is what a tournament has shown.
type TournamentSummary struct {
	Table []Standing `json:"table"`
	Games int        `json:"games"`
}

// TournamentProgress is told how many pairs of games are finished of all, and
// the table so far: nil as long as games do not link all players.
type TournamentProgress func(done, total int64, table []Standing)

// pairings lists who plays whom.
func (r TournamentRequest) pairings() (list []Pairing) {
	for a := range r.Players {
		for b := a + 1; b < len(r.Players); b++ {
			if r.Gauntlet == 0 || a < r.Gauntlet && b >= r.Gauntlet {
				list = append(list, Pairing{A: a, B: b})
			}
		}
	}
	return list
}

func (r TournamentRequest) check() error {
	if len(r.Players) < 2 {
		return fmt.Errorf("a tournament of %d players: expected at least 2", len(r.Players))
	}
	if r.Gauntlet < 0 || r.Gauntlet >= len(r.Players) {
		return fmt.Errorf("a gauntlet of %d players against the others of %d: expected 0 (everybody against everybody) to %d", r.Gauntlet, len(r.Players), len(r.Players)-1)
	}
	seen := map[string]bool{}
	for _, p := range r.Players {
		if seen[p.name()] {
			return fmt.Errorf("two players are called %q: give one another name=", p.name())
		}
		seen[p.name()] = true
	}
	return nil
}

// RunTournament plays the pairings one after the other, each with the same
// openings, and, unless out is "", writes all games there. When the context is
// done, it returns its error; finished pairs are in the log.
func RunTournament(ctx context.Context, req TournamentRequest, out string, progress TournamentProgress) (TournamentSummary, error) {
	if err := req.check(); err != nil {
		return TournamentSummary{}, err
	}
	if req.Log != "" {
		if err := os.MkdirAll(req.Log, 0o755); err != nil {
			return TournamentSummary{}, fmt.Errorf("cannot keep a log: %w", err)
		}
	}
	t := tournament{TournamentRequest: req, list: req.pairings(), progress: progress}
	for i := range t.list {
		if err := t.play(ctx, i); err != nil {
			return TournamentSummary{}, err
		}
	}
	if out != "" {
		if err := atomicfile.WriteFile(out, t.write); err != nil {
			return TournamentSummary{}, err
		}
	}
	table, err := CrossTable(t.names(), t.list)
	return TournamentSummary{Table: table, Games: len(t.games)}, err
}

// tournament is one in progress.
type tournament struct {
	TournamentRequest
	list     []Pairing
	games    []oware.Record
	progress TournamentProgress
}

func (t *tournament) names() (names []string) {
	for _, p := range t.Players {
		names = append(names, p.name())
	}
	return names
}

// play plays a pairing.
func (t *tournament) play(ctx context.Context, i int) error {
	pairing := &t.list[i]
	req := t.Request
	req.A, req.B, req.Test = t.Players[pairing.A], t.Players[pairing.B], nil
	if t.Log != "" {
		req.Log = filepath.Join(t.Log, fmt.Sprintf("%d-%d", pairing.A+1, pairing.B+1))
	}
	res, err := run(ctx, req, func(done, _ int64, score Score) {
		pairing.Score = score
		if t.progress != nil {
			table, err := CrossTable(t.names(), t.list)
			if err != nil { // not yet
				table = nil
			}
			t.progress(int64(i*t.Pairs)+done, int64(len(t.list)*t.Pairs), table)
		}
	})
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

func (t *tournament) write(w io.Writer) error {
	for _, rec := range t.games {
		if err := oware.WriteOGN(w, rec); err != nil {
			return err
		}
	}
	return nil
}
