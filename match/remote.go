package match

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/internal/strict"
)

// KindPairs is the kind of farm work whose tasks are pairs of games.
const KindPairs = "pairs 3"

// PairsSpec is the settings for workers that play pairs.
type PairsSpec struct {
	Players [2]farm.EngineSpec `json:"players"`
	Match   Config             `json:"match"`            // tables are named as in a farm; other files stay with the coordinator
	Tables  string             `json:"tables,omitempty"` // name of the tables that end games; "" means none
}

// Game returns the name of the game.
func (s PairsSpec) Game() string { return s.Players[0].Game }

// remoteTask is a pair to play.
type remoteTask struct {
	Pair  int    `json:"pair"`
	Start string `json:"start"` // board of the opening
	Moves string `json:"moves"`
}

const maxRemoteTask = 1 << 14

// runRemote plays the unfinished pairs on workers of the farm and passes them to finished, which
// replays them: an invalid pair is played again by another worker.
func (r *referee[P]) runRemote(ctx context.Context, finished func(pairLog) error) error {
	todo := r.todo()
	work, err := r.remoteWork(int64(len(todo)))
	if err != nil {
		return err
	}
	return r.Farm.Do(ctx, work, func(_ context.Context, ask func(farm.Task) error) error {
		for _, pair := range todo {
			data, err := r.remoteTask(pair)
			if err != nil {
				return err
			}
			if err := ask(farm.Task{Data: data,
				Take: func(answer []byte) error { return takeRemote(pair, answer, finished) }}); err != nil {
				return err
			}
		}
		return nil
	})
}

// remoteTask returns the task of a pair for a worker.
func (r *referee[P]) remoteTask(pair int) ([]byte, error) {
	l, err := r.openings[pair].line(r.Game)
	if err != nil {
		return nil, err
	}
	return json.Marshal(remoteTask{pair, r.Game.Print(r.openings[pair].Start), l.Text()})
}

// takeRemote passes on a pair that a worker has played.
func takeRemote(pair int, answer []byte, finished func(pairLog) error) error {
	p, err := pairCodec.Decode(answer)
	if err == nil && p.Pair != pair {
		err = fmt.Errorf("pair %d: expected %d", p.Pair, pair)
	}
	if err != nil {
		return farm.Refuse(err)
	}
	err = finished(p)
	var no impossiblePair
	if errors.As(err, &no) {
		return farm.Refuse(err)
	}
	return err
}

// remoteWork describes the work of the pairs for a farm.
func (r *referee[P]) remoteWork(pairs int64) (w farm.Work, err error) {
	spec := PairsSpec{Match: r.Config, Tables: r.tablesName()}
	spec.Match.Config = engine.Config{}
	if spec.Match.Openings != "" { // tasks contain the openings
		spec.Match.Openings = ""
		spec.Match.OpeningPlies = 0
	}
	var files []farm.File
	for i := range spec.Players {
		described, needs, err := farm.Describe(r.contestant(i).engine)
		if err != nil {
			return w, err
		}
		spec.Players[i], files = described, append(files, needs...)
	}
	if r.Adjudicator != nil {
		spec.Match.Tables, err = farm.SendTables(r.Adjudicator, r.Config.Tables, r.Rules, &files)
		if err != nil {
			return w, err
		}
	}
	text, err := json.Marshal(spec)
	w = farm.Work{
		Kind:     KindPairs,
		Engine:   engine.Signature(),
		Spec:     text,
		Files:    files,
		Deadline: r.remoteDeadline(),
		Tasks:    pairs,
	}
	return w, err
}

// remoteDeadline is a bound above the time of a pair.
func (r *referee[P]) remoteDeadline() time.Duration {
	const (
		moves   = 500 // of both games of a pair; rarely more
		longest = 24 * time.Hour
	)
	if r.control(0).IsSet() {
		return longest
	}
	slow := max(farm.DeadlineOf(r.A.engine.Spec.Search), farm.DeadlineOf(r.B.engine.Spec.Search))
	return min(moves*(slow-farm.DeadlineGrace)+farm.DeadlineGrace, longest)
}

// remotePairs plays pairs on a worker's machine.
type remotePairs[P search.Position[P]] struct {
	*referee[P]
	idle chan slotPair[P]
}

// OpenPairs opens a doer that plays a number of pairs at a time.
func OpenPairs[P search.Position[P]](k engine.Kit[P], s PairsSpec, files farm.Files, pairs int) (_ farm.Doer, err error) {
	c := s.Match
	for _, p := range s.Players {
		if p.Game != k.Game.Name || p.Rules != c.Rules {
			return nil, errors.New("the players of a farm's match: expected its game and its rules for both")
		}
	}
	c.Pairs = pairs
	c.Tables, err = farm.ReceiveTables(c.Tables, files)
	if err != nil {
		return nil, err
	}
	m, err := openMatch(context.Background(), k, c)
	f := &remotePairs[P]{referee: &referee[P]{match: m}, idle: make(chan slotPair[P], pairs)}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	if err != nil {
		return nil, err
	}
	if here := f.tablesName(); here != s.Tables {
		return nil, fmt.Errorf("the endgame tables of this program are %q: expected %q, as the coordinator has; use the same version", here, s.Tables)
	}
	for i, player := range []*contestant[P]{&f.A, &f.B} {
		e, err := farm.OpenEngine(k, s.Players[i], files, pairs)
		if err != nil {
			return nil, err
		}
		*player = newContestant(e, cmp.Or(e.Spec.Clock, c.TimeControl))
	}
	if err := f.complete(); err != nil {
		return nil, err
	}
	slots, err := f.openSlots(pairs)
	if err != nil {
		return nil, err
	}
	for _, s := range slots {
		f.idle <- s
	}
	return f, nil
}

// tablesName identifies the tables that end games, "" without tables.
func (m *match[P]) tablesName() string {
	if m.Adjudicator == nil {
		return ""
	}
	return m.Adjudicator.Name()
}

// Do implements [farm.Doer] by playing a pair.
func (f *remotePairs[P]) Do(ctx context.Context, task []byte) ([]byte, error) {
	t, opening, err := f.decode(task)
	if err != nil {
		return nil, err
	}
	s := <-f.idle
	defer func() { f.idle <- s }()
	p, err := f.playPair(ctx, t.Pair, opening, s)
	if err != nil {
		return nil, err
	}
	return pairCodec.Append(nil, p)
}

func (f *remotePairs[P]) decode(task []byte) (t remoteTask, o Opening[P], err error) {
	if err := strict.JSON(task, maxRemoteTask, &t); err != nil {
		return t, o, err
	}
	if t.Pair < 0 {
		return t, o, fmt.Errorf("pair %d: expected 0 or more", t.Pair)
	}
	o.Start, err = f.Game.Parse(f.Rules, t.Start)
	if err != nil {
		return t, o, err
	}
	l := f.Game.NewLine(o.Start)
	if err := l.PlayText(t.Moves); err != nil {
		return t, o, err
	}
	o.Moves = l.Moves()
	return t, o, f.checkOpening(o)
}

// Close implements [farm.Doer].
func (f *remotePairs[P]) Close() error {
	for len(f.idle) > 0 {
		closePlayers([]slotPair[P]{<-f.idle})
	}
	return errors.Join(f.A.Close(), f.B.Close(), f.closeAdjudicator())
}
