package commands

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kroo/engine"
	"kroo/farm"
	"kroo/farm/natspool"
	"kroo/internal/revision"
	"kroo/match"
)

// farmFlags is the settings of commands that can search on a farm.
type farmFlags struct {
	Farm string `name:"farm" group:"Farm" help:"search on the workers of a farm: the URL of its server, or embedded to start one (default on this machine)"`
	farmConfig
}

type farmConfig struct {
	FarmConfig string `name:"farm_config" group:"Farm" help:"file with the farm's credentials, certificates, address and deadline (see train farm --help)"`
}

// of returns the configuration of the farm at a URL. Only a coordinator may start a server.
func (f farmConfig) of(url string, coordinator bool) (c natspool.Config, err error) {
	if f.FarmConfig != "" {
		c, err = natspool.ReadConfig(f.FarmConfig)
		if err != nil {
			return natspool.Config{}, err
		}
	}
	c.URL, c.Notice = url, warn
	if c.URL == natspool.Embedded && !coordinator {
		return natspool.Config{}, usagef("embedded is for coordinators: expected nats://HOST:PORT")
	}
	if err := asUsage(c.Check()); err != nil {
		return natspool.Config{}, err
	}
	return c, nil
}

// dial connects to a farm until the end of the command. It returns nil without --farm.
func (j *job) dial(f farmFlags) (farm.Network, error) {
	if f.Farm == "" {
		if f.FarmConfig != "" {
			return nil, usagef("--farm-config without a farm: expected --farm embedded or --farm nats://HOST:PORT as well")
		}
		return nil, nil
	}
	c, err := f.of(f.Farm, true)
	if err != nil {
		return nil, err
	}
	n, err := natspool.Dial(j.Context(), c)
	if err != nil {
		return nil, err
	}
	j.closers = append(j.closers, func() {
		if err := n.Close(); err != nil {
			warn(err.Error())
		}
	})
	return n, nil
}

// warn prints a line on standard error, above the progress bar.
func warn(text string) {
	clear := ""
	if term.IsTerminal(int(os.Stderr.Fd())) {
		clear = "\r\x1b[K" // the bar is drawn again below
	}
	fmt.Fprintf(&results{to: os.Stderr}, "%s%s\n", clear, text)
}

func farmCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "farm",
		Short: "search on several machines",
		Long: `A farm is workers on any number of machines, and a NATS server between them and the
commands that distribute searches and games with --farm.

--farm-config names a TOML file with what a farm beyond one machine needs. Paths in it are
relative to its folder. Coordinators and workers may have copies of the same file.
  credentials = "token.txt"    # file with a token, or the seed of an NKey
  ca = "cert.pem"              # certificates to trust (default those of the system)
  listen = "0.0.0.0:4222"      # with --farm embedded (default 127.0.0.1:4222)
  cert = "cert.pem"            # with --farm embedded: workers then join at tls://
  key = "key.pem"              # the certificate's key
  deadline = "10m"             # a search that takes longer goes to another worker
                               # (default by its limits)`,
		Example: "  train farm worker nats://127.0.0.1:4222\n  train farm status nats://127.0.0.1:4222",
	}, farmWorkerCommand(), farmStatusCommand())
}

func farmStatusCommand() *cobra.Command {
	var f farmConfig
	return newCommand(&cobra.Command{
		Use:   "status URL",
		Short: "the sessions and workers of a farm",
		Long: `Lists the sessions and workers of a farm: for each session its unanswered and finished
tasks, their rate and the time to go; for each worker its threads, rate, and finished
tasks.`,
		Example: "  train farm status nats://127.0.0.1:4222",
	}, func(j *job) error {
		c, err := f.of(j.args[0], false)
		if err != nil {
			return err
		}
		status, err := natspool.ReadStatus(j.Context(), c)
		if err != nil {
			return err
		}
		return j.show("", status.Doc())
	}, &f)
}

func farmWorkerCommand() *cobra.Command {
	var f struct {
		farmConfig
		Threads int    `name:"threads" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
		Cache   string `name:"cache" help:"folder for the files of coordinators (default kroo/farm in the user's cache)"`
	}
	return newCommand(&cobra.Command{
		Use:   "worker URL",
		Short: "search for coordinators on other machines",
		Long: `Takes searches and games from the farm's server at URL until Ctrl-C, then finishes what
it is working on. Commands with --farm provide them. Files that they need, such as
weights, come from the server and are kept in --cache.

A worker waits for a server that is not running yet, and refuses coordinators with
another engine. It never starts other programs.`,
		Example: "  train farm worker nats://127.0.0.1:4222\n" +
			"  train farm worker tls://farm.example.org:4222 --farm-config farm.toml --threads 8",
	}, func(j *job) error {
		c := natspool.WorkerConfig{Threads: f.Threads, Cache: f.Cache}
		var err error
		c.Config, err = f.of(j.args[0], false)
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
