package match

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/farm"
	"kroo/games"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
	"kroo/internal/strictjson"
)

// A coordinator sets options of programs that workers have. None of them is text, which could
// name a file of the worker's machine, and none is one that the worker sets itself: whoever
// starts a worker bounds so what coordinators may ask for.

// KindOptions is the kind of a farm's work whose only task asks which options of a program
// coordinators may set.
const KindOptions = "options 1"

const (
	maxFarOptions = 1 << 18 // bytes of the answer
	askOptions    = time.Minute
)

// settable are the options that coordinators may set of those that a program has, where its
// worker sets some itself.
func settable(options []client.Spec, own []client.Option) []client.Spec {
	return slices.DeleteFunc(slices.Clone(options), func(s client.Spec) bool {
		return !s.Plain() || !short(s) || slices.ContainsFunc(own, func(o client.Option) bool { return strings.EqualFold(o.Name, s.Name) })
	})
}

// checkAsked refuses what a coordinator may not set.
func checkAsked(settable []client.Spec, asked []client.Option) error {
	for _, o := range asked {
		i := slices.IndexFunc(settable, func(s client.Spec) bool { return strings.EqualFold(s.Name, o.Name) })
		if i < 0 {
			return fmt.Errorf("option.%.80s: the workers let coordinators set no such option: expected one of %s", o.Name, client.Names(settable))
		}
		if s := settable[i]; !s.Takes(o.Value) {
			return fmt.Errorf("option.%s=%.80s: expected %s", s.Name, o.Value, s.Expects())
		}
	}
	return nil
}

// farOptionList is the answer to [KindOptions].
type farOptionList struct {
	Options []client.Spec `json:"options"`
}

// optionsOf answers [KindOptions].
type optionsOf []byte

// OpenOptions makes the doer that tells the options of a program. It starts the program.
func OpenOptions[P games.Position[P]](ctx context.Context, g *games.Game[P], command client.Command) (farm.Doer, error) {
	p, err := client.Start(ctx, g, command)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	text, err := json.Marshal(farOptionList{settable(p.Options(), command.Options)})
	return optionsOf(text), err
}

// Do answers.
func (o optionsOf) Do(context.Context, []byte) ([]byte, error) { return o, nil }

// Close is as [farm.Doer] says.
func (optionsOf) Close() error { return nil }

// farOptions asks the workers of a program which of its options may be set.
func farOptions(ctx context.Context, net farm.Network, p farm.Program) (options []client.Spec, err error) {
	spec, err := farm.EncodeSpec(p)
	if err != nil {
		return nil, err
	}
	w := farm.Work{Kind: KindOptions, Spec: spec, Deadline: askOptions, Tasks: 1}
	w.Takes(p)
	task := farm.Task{Data: []byte("options"), Take: func(answer []byte) (err error) {
		if options, err = decodeFarOptions(answer); err != nil {
			err = farm.Refuse(err)
		}
		return err
	}}
	if err := net.Do(ctx, w, parallel.List([]farm.Task{task})); err != nil {
		return nil, fmt.Errorf("the options of the engine %s: %w", p.Name, err)
	}
	return options, nil
}

func decodeFarOptions(text []byte) ([]client.Spec, error) {
	var list farOptionList
	if err := strictjson.Decode(text, maxFarOptions, &list); err != nil {
		return nil, err
	}
	for _, o := range list.Options {
		if !short(o) {
			return nil, errors.New("an option that is not told of in short lines of text")
		}
		if o.Name == "" || !o.Plain() {
			return nil, fmt.Errorf("the option %.80q, which coordinators may not set", o.Name)
		}
	}
	return list.Options, nil
}

// short tells whether an option is told of in short lines of text.
func short(o client.Spec) bool {
	for _, word := range []string{o.Name, o.Kind, o.Default, strings.ReplaceAll(o.Values, "\t", " ")} {
		if word != oneline.Of(word) || len(word) > maxFarWord {
			return false
		}
	}
	return true
}

// maxFarWord bounds what an option is told of in.
const maxFarWord = 4000

// findPrograms finds the programs of workers that players name, and fills in what they are.
func findPrograms(ctx context.Context, c Config, players ...*PlayerConfig) error {
	var names []string
	for _, p := range players {
		if p.Engine != "" && !slices.Contains(names, p.Engine) {
			names = append(names, p.Engine)
		}
	}
	if len(names) == 0 || c.Farm == nil {
		return nil
	}
	found, err := c.Farm.Programs(ctx, names...)
	if err != nil {
		return err
	}
	for _, p := range players {
		if i := slices.Index(names, p.Engine); i >= 0 {
			p.far = found[i]
		}
	}
	return nil
}

// openWorkers is a player that is a program of the workers of a farm.
func openWorkers[P search.Position[P]](ctx context.Context, g *games.Game[P], c PlayerConfig, m Config, rules string) (found entrant[P], err error) {
	if c.Faults > 0 {
		return found, fmt.Errorf("engine=%s: faults=%d is for labels: a fault in a game loses it", c.Engine, c.Faults)
	}
	own := c.search(m)
	if err := own.Check(); err != nil {
		return found, fmt.Errorf("a player: %w", err)
	}
	asked := c.Program.Options
	if len(asked) > 0 {
		options, err := farOptions(ctx, m.Farm, c.far)
		if err == nil {
			err = checkAsked(options, asked)
		}
		if err != nil {
			return found, fmt.Errorf("engine=%s: %w", c.Engine, err)
		}
		found.options = options
	}
	found.Name, found.Limits, found.Clock, found.Timed = c.nameOf(c.far.Calls), programLimits(own), c.Clock, true
	found.New = func() player[P] { return nil } // workers make it
	limits := engine.Config{Depth: own.Depth, Nodes: own.Nodes, MoveTime: own.MoveTime, HashMB: own.HashMB}
	found.far.spec = PlayerSpec{
		Engine:  farm.EngineSpec{Game: g.Name, Rules: rules, Config: limits, Program: c.far},
		Options: asked, Clock: c.Clock,
	}
	return found, nil
}

// program tells the program of a player apart, "" for one that is not of a farm's workers.
func (f farPlayer) program() string {
	p := f.spec.Engine.Program
	if p == (farm.Program{}) {
		return ""
	}
	text := p.Name + ": " + p.Identity
	for i, o := range f.spec.Options {
		text += map[bool]string{true: ", with ", false: ", "}[i == 0] + o.Name + "=" + o.Value
	}
	return text
}
