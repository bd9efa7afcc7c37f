package match

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
)

// spoiledFarm has one worker, in this process. Each answer comes in several spoiled ways
// first, which must be refused.
type spoiledFarm struct {
	t     *testing.T
	spoil []func(answer string) string
}

func (*spoiledFarm) Programs(context.Context, ...string) ([]farm.Program, error) {
	return nil, errors.New("no programs")
}

func (f *spoiledFarm) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	var spec PairsSpec
	if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
		return err
	}
	doer, err := OpenPairs(ctx, engine.Oware(), spec, nil, nil, 1)
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
	if readFile(t, filepath.Join(dir, "far")) != readFile(t, filepath.Join(dir, "local")) {
		t.Error("the games are not those of a local match")
	}
}

// programFarm has one worker, in this process, which has one program.
type programFarm struct{ command client.Command }

func (programFarm) Programs(_ context.Context, names ...string) (list []farm.Program, err error) {
	for _, name := range names {
		list = append(list, farm.Program{Name: name, Calls: "Theirs", Identity: "[], SHA-256 00"})
	}
	return list, nil
}

func (f programFarm) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	doer, err := f.open(ctx, w)
	if err != nil {
		return err
	}
	defer doer.Close()
	return feed(ctx, func(task farm.Task) error {
		answer, err := doer.Do(ctx, task.Data)
		if err != nil {
			return err
		}
		return task.Take(answer)
	})
}

func (f programFarm) open(ctx context.Context, w farm.Work) (farm.Doer, error) {
	if w.Kind == KindOptions {
		return OpenOptions(ctx, oware.Descriptor(), f.command)
	}
	var spec PairsSpec
	if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
		return nil, err
	}
	return OpenPairs(ctx, engine.Oware(), spec, nil, func(farm.Program) (client.Command, error) { return f.command, nil }, 1)
}

// However a program breaks down, the games of workers are those of one here: it loses the
// game, and the next one starts it anew.
func TestProgramsBreakDownOnAFarmAsHere(t *testing.T) {
	t.Parallel()
	for _, how := range []string{"crash", "hang", "babble", "cheat"} {
		t.Run(how, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			command := client.Command{Path: os.Args[0], Args: []string{asEngine, how}, Hang: time.Second}
			play := func(out string, f farm.Network, p PlayerConfig) string {
				c := Config{Pairs: 1, OpeningPlies: 3, MaxPlies: 20, Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: f}
				p.Name = "broken"
				sum, err := Run(t.Context(), engine.Oware(), c, p, PlayerConfig{Weights: engine.CapturesName}, Output{File: filepath.Join(dir, out)}, nil)
				if !errors.Is(err, errAllForfeited) {
					t.Fatal(err)
				}
				if f := sum.Forfeits; len(f) != 1 || f[0].Games != 2 || f[0].Of != 2 || f[0].Player != "broken" || f[0].Round != "1.1" || f[0].Reason == "" {
					t.Errorf("forfeits %+v", f)
				}
				games := strings.Join(strings.Fields(readFile(t, filepath.Join(dir, out))), " ") // lines end anywhere
				return regexp.MustCompile(` (time|within) [0-9.]+s`).ReplaceAllString(games, "")
			}
			near, far := play("near", nil, PlayerConfig{Program: command}), play("far", programFarm{command}, PlayerConfig{Engine: "theirs"})
			if near != far || !strings.Contains(near, "forfeit: ") {
				t.Errorf("on the farm %s\nhere %s", far, near)
			}
		})
	}
}

// A program that cannot be started is no loss of its game: another worker may have it.
func TestAProgramThatCannotBeStartedLosesNoGame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	script := filepath.Join(dir, "engine.sh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ntest -e "+script+".gone && exit 3\nexec "+os.Args[0]+" "+asEngine+" crash\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	f := programFarm{client.Command{Path: script}}
	w := farm.Work{}
	spied := spyFarm{f, &w}
	c := Config{Pairs: 1, OpeningPlies: 3, MaxPlies: 20, Config: engine.Config{Nodes: 50, HashMB: 1}, Farm: spied}
	if _, err := Run(t.Context(), engine.Oware(), c, PlayerConfig{Engine: "theirs"}, PlayerConfig{Weights: engine.CapturesName}, Output{}, nil); !errors.Is(err, errAllForfeited) {
		t.Fatal(err)
	}
	doer, err := f.open(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	defer doer.Close()
	if err := os.WriteFile(script+".gone", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	task := []byte(`{"pair":0,"start":"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S","moves":"AaB"}`)
	if answer, err := doer.Do(t.Context(), task); err == nil || !strings.Contains(err.Error(), "exit status 3") {
		t.Errorf("%s, error %v", answer, err)
	}
	if err := os.Remove(script + ".gone"); err != nil {
		t.Fatal(err)
	}
	if answer, err := doer.Do(t.Context(), task); err != nil || !strings.Contains(string(answer), "forfeit") {
		t.Errorf("%s, error %v: want the games again", answer, err)
	}
}

// spyFarm notes the work that it was given last.
type spyFarm struct {
	programFarm
	last *farm.Work
}

func (f spyFarm) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	*f.last = w
	return f.programFarm.Do(ctx, w, feed)
}

// Coordinators set numbers and choices, and nothing that the worker sets: no text, which could
// name a file of the worker's machine.
func TestCoordinatorsSetNoTextAndNothingOfTheWorkers(t *testing.T) {
	options := settable([]client.Spec{
		{Name: "Hash", Kind: "spin", Default: "16", Min: 1, Max: 64}, {Name: "Contempt", Kind: "spin", Default: "0", Min: -9, Max: 9},
		{Name: "Book", Kind: "string", Default: "<empty>"}, {Name: "Margin", Kind: "string", Default: "0.5"},
		{Name: "Ponder", Kind: "check", Default: "false"}, {Name: "Style", Kind: "combo", Default: "calm", Values: "calm\tvery wild"},
		{Name: "Clear Hash", Kind: "button"}, {Name: "Skin", Kind: "combo", Default: "x", Values: strings.Repeat("x\t", maxFarWord)},
	}, []client.Option{{Name: "hash", Value: "8"}})
	for text, good := range map[string]bool{
		"Contempt=9": true, "contempt=-9": true, "Margin=-1.5e3": true, "Ponder=true": true, "Style=very wild": true,
		"Contempt=10": false, "Contempt=": false, "Contempt=x": false, "Hash=8": false, "Book=/etc/passwd": false, "Book=1": false,
		"Margin=/etc/passwd": false, "Ponder=maybe": false, "Style=wild": false, "Style=": false, "Clear Hash=": false, "Nothing=1": false, "Skin=x": false,
	} {
		name, value, _ := strings.Cut(text, "=")
		if err := checkAsked(options, []client.Option{{Name: name, Value: value}}); (err == nil) != good {
			t.Errorf("%s: error %v", text, err)
		}
	}
	text, err := json.Marshal(farOptionList{options})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := decodeFarOptions(text); err != nil || len(got) != len(options) {
		t.Errorf("%.200s: %v, of what a worker tells itself", text, err)
	}
}

// FuzzFarOptions: what workers tell of options is refused, or can be shown and set.
func FuzzFarOptions(f *testing.F) {
	f.Add([]byte(`{"options":[{"name":"Hash","kind":"spin","default":"1","min":1,"max":9},{"name":"Style","kind":"combo","default":"a","values":"a\tb"}]}`))
	f.Add([]byte(`{"options":[{"name":"\u001b","kind":"string","default":"1"}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		options, err := decodeFarOptions(text)
		if err != nil {
			return
		}
		for _, o := range options {
			if !o.Plain() || o.Name != oneline.Of(o.Name) || o.Expects() == "" {
				t.Errorf("%q: %+v", text, o)
			}
		}
	})
}
