package match

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"testing"

	"kroo/engine"
	"kroo/farm"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// spoilingFarm has one worker, in this process. Each answer comes in several spoiled ways
// first, which must be refused.
type spoilingFarm struct {
	t     *testing.T
	spoil []func(answer []byte) []byte
}

func (f *spoilingFarm) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	var spec PairsSpec
	if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
		return err
	}
	doer, err := OpenPairs(engine.Oware(), spec, nil, 1)
	if err != nil {
		return err
	}
	defer doer.Close()
	return feed(ctx, func(task farm.Task) error {
		good, err := doer.Do(ctx, task.Data)
		if err != nil {
			return err
		}
		for j, spoil := range f.spoil {
			var refused farm.Refused
			if err := task.Take(spoil(good)); !errors.As(err, &refused) {
				f.t.Errorf("way %d: error %v: want a refusal", j, err)
			}
		}
		return task.Take(good)
	})
}

// Pairs that cannot be are refused, leave no trace, and are not fatal.
func TestRemotePairsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	spoilt := func(change func(*pairLog)) func([]byte) []byte {
		return func(b []byte) []byte {
			p := testkit.Must(pairCodec.Decode(b))(t)
			change(&p)
			return testkit.Must(pairCodec.Append(nil, p))(t)
		}
	}
	dir := t.TempDir()
	play := func(out string, f farm.Network) {
		c := Config{Pairs: 2, OpeningPlies: 3, MaxPlies: 20, Seed: 3, Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: f}
		player := engine.Spec{Weights: engine.CapturesName}
		if _, err := Run(t.Context(), engine.Oware(), c, player, player, Output{File: filepath.Join(dir, out)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	far := &spoilingFarm{t: t, spoil: []func([]byte) []byte{
		func(b []byte) []byte { return b[:len(b)/2] },
		func(b []byte) []byte { return append(slices.Clone(b), 0) },
		spoilt(func(p *pairLog) { p.Pair++ }),
		spoilt(func(p *pairLog) { p.Games[0].Answers[0].Move = 9 }),
		spoilt(func(p *pairLog) { p.Games[0].Answers = append(p.Games[0].Answers, engine.Answer{}) }),
		spoilt(func(p *pairLog) { p.Games[0].Answers = p.Games[0].Answers[1:] }),
		spoilt(func(p *pairLog) { p.Games[1].Answers[0].Move = 9 }), // the first game has been replayed then
	}}
	play("local", nil)
	play("far", far)
	testkit.Equal(t, testkit.Text(t, filepath.Join(dir, "far")), testkit.Text(t, filepath.Join(dir, "local")), "the games are not those of a local match")
}
