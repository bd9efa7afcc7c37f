package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"kroo/engine/uci/programs"
	"kroo/farm"
	"kroo/farm/natspool"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/match"
)

func workerCommand() *cobra.Command {
	var w workerFlags
	cmd := &cobra.Command{
		Use:   "worker",
		Short: "search for coordinators on other machines",
		Long: `Takes searches from a farm's server, does them, and reports what they found, until
Ctrl-C; it then finishes what it is at. Commands with --farm give the searches.
What they need, such as weights, comes from the server and is kept in --cache.

A worker waits for a server that is not there yet, and refuses coordinators of
another engine. It executes nothing but searches.

--allow-engine NAME=cmd=PROGRAM lets coordinators ask for another program that speaks UCI,
by --engine name=NAME; they never say what to run. What follows NAME= is what --engine of
train label takes: 'cmd=PROGRAM ARGUMENTS,option.NAME=VALUE', dir, startup, timeout, unit.
Each engine has --threads searches at a time. Labels and books record the program's name
for itself, its arguments and options, and the checksum of its file, as the worker tells
them; a worker with another program by the same name gets no work.`,
		Example: "  train worker --farm nats://127.0.0.1:4222\n" +
			"  train worker --farm tls://farm.example.org:4222 --farm-credentials token.txt --threads 8\n" +
			"  train worker --farm nats://127.0.0.1:4222 --allow-engine 'theirs=cmd=./engine uci,option.Hash=16'",
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error { return w.run(cmd) },
	}
	f := cmd.Flags()
	intFlag(cmd, &w.config.Threads, "threads", 0, 0, parallel.MaxWorkers, "searches at a time (default one a processor)")
	f.StringVar(&w.config.Cache, "cache", "", "folder for the files of coordinators (default kroo/farm in the user's cache)")
	f.StringArrayVar(&w.allowed, "allow-engine", nil, "program that coordinators may ask for by a name: NAME=cmd=PROGRAM,option.NAME=VALUE…; may be given again")
	w.farm.addServer(cmd)
	return cmd
}

// workerFlags are what the flags of worker say.
type workerFlags struct {
	farm    farmFlags
	config  natspool.WorkerConfig
	allowed []string
}

func (w *workerFlags) run(cmd *cobra.Command) error {
	if err := w.farm.checkServer(); err != nil {
		return err
	}
	engines, err := w.engines()
	if err != nil {
		return err
	}
	c := w.config
	c.Config = w.farm.Config
	if err := revision.Check(); err != nil { // coordinators compare it with their own
		return err
	}
	if c.Cache == "" {
		dir, err := os.UserCacheDir()
		if err != nil {
			return fmt.Errorf("no folder for files: %w: name one with --cache", err)
		}
		c.Cache = filepath.Join(dir, "kroo", "farm")
	}
	c.Notice = tell
	for i := range engines {
		if err := engines[i].identify(cmd.Context()); err != nil {
			return err
		}
		c.Has = append(c.Has, engines[i].program)
	}
	sum, err := workAll(cmd.Context(), c, append(engines, workerEngine{}))
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d tasks done, %d failed\n", sum.Done, sum.Failed)
	return err
}

// engines reads --allow-engine.
func (w *workerFlags) engines() (list []workerEngine, err error) {
	for _, text := range w.allowed {
		name, how, _ := strings.Cut(text, "=")
		e := workerEngine{program: farm.Program{Name: name}}
		if err := e.program.Check(); err != nil {
			return nil, usagef("--allow-engine: %v", err)
		}
		if slices.ContainsFunc(list, func(o workerEngine) bool { return o.program.Name == name }) {
			return nil, usagef("--allow-engine: two engines %s: expected a name for each", name)
		}
		p, err := match.ParseProgram(how)
		if err == nil && p.Faults > 0 {
			err = fmt.Errorf("faults=%d is for who has rows to leave out", p.Faults)
		}
		if err != nil {
			return nil, usagef("--allow-engine %s: %v: expected NAME=cmd=PROGRAM", name, err)
		}
		e.command.program = p.Program
		list = append(list, e)
	}
	return list, nil
}

// workAll works with each of the engines, until the context ends or one fails for good.
func workAll(ctx context.Context, c natspool.WorkerConfig, engines []workerEngine) (sum natspool.Summary, err error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	var at sync.WaitGroup
	var mu sync.Mutex
	for _, e := range engines {
		own := c
		own.Engine, own.Program = e.program.Engine(), e.program
		own.Open = func(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
			return e.open(ctx, w, files, threads)
		}
		at.Go(func() {
			done, werr := natspool.Work(ctx, own)
			mu.Lock()
			defer mu.Unlock()
			sum.Done, sum.Failed = sum.Done+done.Done, sum.Failed+done.Failed
			if err = cmp.Or(err, werr); werr != nil {
				stop(werr)
			}
		})
	}
	at.Wait()
	return sum, err
}

// workerEngine is an engine that a worker searches with: Kroo's, or a program.
type workerEngine struct {
	program farm.Program // the zero value for Kroo's engine
	command engineFlag   // that runs it
}

// identify starts the program to learn what it is.
func (e *workerEngine) identify(ctx context.Context) (err error) {
	name := e.program.Name
	e.program.Calls, e.program.Identity, err = programs.Identify(ctx, oware.Descriptor(), e.command.program)
	if err == nil {
		err = e.program.Check()
	}
	if err != nil {
		return fmt.Errorf("--allow-engine %s: %w", name, err)
	}
	return nil
}

// open opens what a coordinator asks workers to do.
func (e workerEngine) open(ctx context.Context, w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
	switch w.Kind {
	case farm.KindSearch:
		spec, err := farm.DecodeEngineSpec(w.Spec)
		if err != nil {
			return nil, err
		}
		if err := e.same(spec.Program); err != nil {
			return nil, err
		}
		g, err := gameNamed(spec.Game)
		if err != nil {
			return nil, fmt.Errorf("the coordinator wants the game %.40q: use the same version", spec.Game)
		}
		return g.openSearches(ctx, e.command, spec, files, threads)
	case match.KindPairs:
		if err := e.same(farm.Program{}); err != nil {
			return nil, err
		}
		var spec match.PairsSpec
		if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
			return nil, err
		}
		g, err := gameNamed(spec.Game())
		if err != nil {
			return nil, fmt.Errorf("the coordinator wants the game %.40q: use the same version", spec.Game())
		}
		return g.openPairs(spec, files, threads)
	}
	return nil, fmt.Errorf("the coordinator wants work of the kind %.40q: use the same version", w.Kind)
}

// same refuses work for another program, and for one whose files have changed since the
// worker told of it.
func (e workerEngine) same(wanted farm.Program) error {
	if wanted != e.program {
		return fmt.Errorf("the coordinator wants the engine %.40q (%.300q): this one is %.40q (%.300q)", wanted.Name, wanted.Identity, e.program.Name, e.program.Identity)
	}
	if e.program == (farm.Program{}) {
		return nil
	}
	now, err := e.command.program.Portable()
	if err == nil && now != e.program.Identity {
		err = fmt.Errorf("the files of the engine %s have changed since this worker was started: start it again", e.program.Name)
	}
	return err
}

func (g gameOf[P]) openSearches(ctx context.Context, e engineFlag, s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error) {
	return farm.OpenSearches(searched(ctx, e, g.kit), s, files, threads)
}

func (g gameOf[P]) openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error) {
	return match.OpenPairs(g.kit, s, files, threads)
}
