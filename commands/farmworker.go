package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/farm"
	"kroo/farm/natspool"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/match"
)

func farmWorkerCommand() *cobra.Command {
	var w workerFlags
	cmd := &cobra.Command{
		Use:   "worker URL",
		Short: "search for coordinators on other machines",
		Long: `Takes searches and games from the farm's server at URL until Ctrl-C, then finishes what
it is working on. Commands with --farm provide them. Files that they need, such as
weights, come from the server and are kept in --cache.

A worker waits for a server that is not running yet, and refuses coordinators with
another engine. It never starts other programs.`,
		Example: "  train farm worker nats://127.0.0.1:4222\n" +
			"  train farm worker tls://farm.example.org:4222 --farm-config farm.toml --threads 8",
		Args: exactArgs(1, "the URL of the farm's server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w.farm.url = args[0]
			return w.run(cmd)
		},
	}
	f := cmd.Flags()
	intFlag(cmd, &w.config.Threads, "threads", 0, 0, parallel.MaxWorkers, "searches at a time (default one a processor)")
	f.StringVar(&w.config.Cache, "cache", "", "folder for the files of coordinators (default kroo/farm in the user's cache)")
	w.farm.addConfig(cmd)
	return cmd
}

// workerFlags are what the flags of farm worker say.
type workerFlags struct {
	farm   farmFlags
	config natspool.WorkerConfig
}

func (w *workerFlags) run(cmd *cobra.Command) (err error) {
	c := w.config
	if c.Config, err = w.farm.config(false); err != nil {
		return err
	}
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
	c.Engine, c.Open = engine.Signature(), openWork
	sum, err := natspool.Work(cmd.Context(), c)
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%d tasks done, %d failed\n", sum.Done, sum.Failed)
	return err
}

// openWork opens what a coordinator asks workers to do.
func openWork(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
	switch w.Kind {
	case farm.KindSearch:
		spec, err := farm.DecodeEngineSpec(w.Spec)
		if err != nil {
			return nil, err
		}
		g, err := gameWanted(spec.Game)
		if err != nil {
			return nil, err
		}
		return g.openSearches(spec, files, threads)
	case match.KindPairs:
		var spec match.PairsSpec
		if err := farm.DecodeSpec(w.Spec, &spec); err != nil {
			return nil, err
		}
		g, err := gameWanted(spec.Game())
		if err != nil {
			return nil, err
		}
		return g.openPairs(spec, files, threads)
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

func (g gameOf[P]) openSearches(s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error) {
	return farm.OpenSearches(g.kit, s, files, threads)
}

func (g gameOf[P]) openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error) {
	return match.OpenPairs(g.kit, s, files, threads)
}
