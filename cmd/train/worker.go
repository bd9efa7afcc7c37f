package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"kroo/engine/uci/client"
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
another engine. It does searches and games, and starts no program but
those that --allow-engine names.

--allow-engine NAME=cmd=PROGRAM lets coordinators ask for another program that speaks UCI,
by --engine name=NAME, or as the player engine=NAME of a match; they never say what to run.
What follows NAME= is what --engine of train label takes: 'cmd=PROGRAM ARGUMENTS,
option.NAME=VALUE', dir, startup, timeout, unit. Each engine has --threads searches or pairs
of games at a time. Coordinators may set other options for games than those named here,
numbers and choices but no text, which could be the name of a file: name here what they are
not to change, such as option.Hash=16. Labels, books and logs of matches record the program's
name for itself, its arguments and options, and the checksum of its file, as the worker tells
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
		switch {
		case err == nil && p.Faults > 0:
			err = fmt.Errorf("faults=%d is for who has rows to leave out", p.Faults)
		case err == nil && p.Engine != "":
			err = fmt.Errorf("%q is no program of this machine", how)
		}
		if err != nil {
			return nil, usagef("--allow-engine %s: %v: expected NAME=cmd=PROGRAM", name, err)
		}
		e.command.program = p.Program
		list = append(list, e)
	}
	return list, nil
}

// crews are the workers of this process: one for each engine, and one for each several that
// some work takes together.
type crews struct {
	ctx     context.Context
	stop    context.CancelCauseFunc
	config  natspool.WorkerConfig
	engines []workerEngine
	at      sync.WaitGroup

	mu     sync.Mutex
	sum    natspool.Summary
	err    error           // the first
	joined map[string]bool // signatures of several engines
}

// workAll works with each of the engines, until the context ends or one fails for good.
func workAll(ctx context.Context, c natspool.WorkerConfig, engines []workerEngine) (natspool.Summary, error) {
	w := &crews{config: c, engines: engines, joined: map[string]bool{}}
	w.ctx, w.stop = context.WithCancelCause(ctx)
	defer w.stop(nil)
	w.config.Process = rand.Text()
	w.config.Join = w.join
	w.mu.Lock()
	for _, e := range engines {
		w.begin(e.program.Engine(), e)
	}
	w.mu.Unlock()
	w.at.Wait()
	return w.sum, w.err
}

// begin has a crew work with engines. It needs the lock.
func (w *crews) begin(signature string, has ...workerEngine) {
	own := w.config
	own.Engine = signature
	if len(has) == 1 {
		own.Program = has[0].program
	} else {
		own.Together = togetherName(has)
	}
	own.Open = func(work farm.Work, files farm.Files, threads int) (farm.Doer, error) {
		return openWork(w.ctx, has, work, files, threads)
	}
	w.at.Go(func() {
		done, err := natspool.Work(w.ctx, own)
		w.mu.Lock()
		defer w.mu.Unlock()
		w.sum.Done, w.sum.Failed = w.sum.Done+done.Done, w.sum.Failed+done.Failed
		if w.err = cmp.Or(w.err, err); err != nil {
			w.stop(err)
		}
	})
}

// join works with several engines together from now on, if all are here.
func (w *crews) join(needs []farm.Need) bool {
	var has []workerEngine
	for _, need := range needs {
		i := slices.IndexFunc(w.engines, func(e workerEngine) bool { return e.program.Engine() == need.Engine })
		if i < 0 {
			return false
		}
		has = append(has, w.engines[i])
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	signature := farm.Together(needs)
	if w.ctx.Err() == nil && !w.joined[signature] { // else a crew that ends waits for the lock
		w.joined[signature] = true
		w.begin(signature, has...)
	}
	return true
}

func togetherName(list []workerEngine) string {
	var names []string
	for _, e := range list {
		names = append(names, cmp.Or(e.program.Name, "Kroo"))
	}
	return strings.Join(names, " and ")
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

// openWork opens what a coordinator asks workers to do that have these engines.
func openWork(ctx context.Context, has []workerEngine, w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
	switch w.Kind {
	case farm.KindSearch:
		spec, err := farm.DecodeEngineSpec(w.Spec)
		if err != nil {
			return nil, err
		}
		e, err := engineOf(has, spec.Program)
		if err != nil {
			return nil, err
		}
		g, err := gameWanted(spec.Game)
		if err != nil {
			return nil, err
		}
		return g.openSearches(ctx, e.command, spec, files, threads)
	case match.KindPairs:
		var spec match.PairsSpec
		if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
			return nil, err
		}
		for _, p := range spec.Players {
			if _, err := engineOf(has, p.Engine.Program); err != nil {
				return nil, err
			}
		}
		g, err := gameWanted(spec.Game())
		if err != nil {
			return nil, err
		}
		return g.openPairs(ctx, spec, files, func(p farm.Program) (client.Command, error) {
			e, err := engineOf(has, p)
			return e.command.program, err
		}, threads)
	case match.KindOptions:
		var wanted farm.Program
		if err := farm.DecodeSpec(w.Spec, &wanted); err != nil {
			return nil, err
		}
		e, err := engineOf(has, wanted)
		if err != nil {
			return nil, err
		}
		return match.OpenOptions(ctx, oware.Descriptor(), e.command.program)
	}
	return nil, fmt.Errorf("the coordinator wants work of the kind %.40q: use the same version", w.Kind)
}

func gameWanted(name string) (game, error) {
	g, err := gameNamed(name)
	if err != nil {
		err = fmt.Errorf("the coordinator wants the game %.40q: use the same version", name)
	}
	return g, err
}

// engineOf is the engine that a coordinator wants, as it was when the worker told of it.
func engineOf(has []workerEngine, wanted farm.Program) (workerEngine, error) {
	i := max(0, slices.IndexFunc(has, func(e workerEngine) bool { return e.program.Name == wanted.Name }))
	return has[i], has[i].same(wanted)
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
	doer, err := farm.OpenSearches(searched(ctx, e, g.kit), s, files, threads)
	return faulting{doer}, err
}

// faulting says at what positions the program is to blame that searches, and not the worker.
type faulting struct{ farm.Doer }

func (f faulting) Do(ctx context.Context, task []byte) ([]byte, error) {
	answer, err := f.Doer.Do(ctx, task)
	if _, fault := errors.AsType[*programs.Fault](err); fault {
		err = farm.Fault{Err: err}
	}
	return answer, err
}

func (g gameOf[P]) openPairs(ctx context.Context, s match.PairsSpec, files farm.Files, programs match.Programs, threads int) (farm.Doer, error) {
	return match.OpenPairs(ctx, g.kit, s, files, programs, threads)
}
