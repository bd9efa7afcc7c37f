package match

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/farm"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// spoiledFarm has one worker, in this process. Each answer comes in several spoiled ways
// first, which must be refused.
type spoiledFarm struct {
	t     *testing.T
	spoil []func(answer string) string
}

func (f *spoiledFarm) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
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
			bad := spoil(string(good))
			if bad == string(good) {
				f.t.Errorf("way %d does not spoil %s", j, good)
			}
			var refused farm.Refused
			if err := task.Take([]byte(bad)); !errors.As(err, &refused) {
				f.t.Errorf("way %d: error %v: want a refusal", j, err)
			}
		}
		return task.Take(good)
	})
}

// Pairs that cannot be are refused, leave no trace, and are not fatal.
func TestFarPairsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	replace := func(old, by string) func(string) string {
		return func(s string) string { return strings.Replace(s, old, by, 1) }
	}
	dir := t.TempDir()
	play := func(out string, f farm.Network) {
		c := Config{Pairs: 2, OpeningPlies: 3, MaxPlies: 20, Seed: 3, Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: f}
		player := PlayerConfig{Weights: engine.CapturesName}
		if _, err := Run(t.Context(), engine.Oware(), c, player, player, Output{File: filepath.Join(dir, out)}, nil); err != nil {
			t.Fatal(err)
		}
	}
	far := &spoiledFarm{t: t, spoil: []func(string) string{
		func(s string) string { return s[:len(s)/2] },
		replace(`"pair":`, `"pair":1`),
		replace(`"moves":"`, `"moves":"A`),
		replace(`"notes":[`, `"notes":[{"s":0,"d":1,"n":1},`),
		replace(`"s":`, `"s":99999`),
		func(s string) string { // the second game alone: the first one has been replayed then
			i := strings.LastIndex(s, `"moves":"`) + len(`"moves":"`)
			return s[:i] + "A" + s[i:]
		},
	}}
	play("local", nil)
	play("far", far)
	testkit.Equal(t, testkit.Text(t, filepath.Join(dir, "far")), testkit.Text(t, filepath.Join(dir, "local")), "the games are not those of a local match")
}
