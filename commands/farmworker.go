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
	"kroo/internal/revision"
	"kroo/match"
)

func farmWorkerCommand() *cobra.Command {
	var f struct {
		farmConfig
		Threads int        `name:"threads" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
		Cache   folderName `name:"cache" help:"folder for the files of coordinators (default kroo/farm in the user's cache)"`
	}
	return newCommand(&cobra.Command{
		Use:   "worker URL",
		Short: "search for coordinators on other machines",
		Long: `Takes searches and games from the farm's server at URL until Ctrl-C. Tasks that take
longer than a moment then go back to the farm. Commands with --farm provide the tasks.
Files that they need, such as weights, come from the server and are kept in --cache
for 14 days.

A worker waits for a server that is not running yet, and refuses coordinators with
another engine. It never starts other programs.`,
		Example: "  train farm worker nats://127.0.0.1:4222\n" +
			"  train farm worker tls://farm.example.org:4222 --farm-config farm.toml --threads 8",
	}, func(j *job) error {
		c := natspool.WorkerConfig{Threads: f.Threads, Cache: string(f.Cache)}
		var err error
		c.Config, err = f.configFor(j.args[0], false)
		if err != nil {
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
		sum, err := natspool.Work(j.Context(), c)
		if err != nil && !errors.Is(err, context.Canceled) {
			return err
		}
		return j.print(sum, "%d tasks done, %d failed\n", sum.Done, sum.Failed)
	}, &f)
}

// openWork starts a worker's part of a coordinator's work.
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
	return nil, fmt.Errorf("the coordinator has tasks of the kind %.40q: use the same version", w.Kind)
}

func gameWanted(name string) (game, error) {
	g, err := gameNamed(name)
	if err != nil {
		err = fmt.Errorf("the coordinator plays the game %.40q: use the same version", name)
	}
	return g, err
}

func (g gameOf[P]) openSearches(s farm.EngineSpec, files farm.Files, threads int) (farm.Doer, error) {
	return farm.OpenSearches(g.kit, s, files, threads)
}

func (g gameOf[P]) openPairs(s match.PairsSpec, files farm.Files, threads int) (farm.Doer, error) {
	return match.OpenPairs(g.kit, s, files, threads)
}
