package commands

import (
	"github.com/spf13/cobra"

	"kroo/farm"
	"kroo/farm/natspool"
	"kroo/internal/console"
)

// farmFlags is the settings of commands that can search on a farm.
type farmFlags struct {
	Farm string `name:"farm" group:"Farm" help:"search on the workers of a farm: the URL of its server, or embedded to start one (default on this machine)"`
	farmConfig
}

type farmConfig struct {
	FarmConfig string `name:"farm_config" group:"Farm" help:"file with the farm's credentials, certificates, address and deadline (see train farm --help)"`
}

// configFor returns the configuration of the farm at a URL. Only a coordinator may start a server.
func (f farmConfig) configFor(url string, coordinator bool) (c natspool.Config, err error) {
	if f.FarmConfig != "" {
		c, err = natspool.ReadConfig(f.FarmConfig)
		if err != nil {
			return natspool.Config{}, err
		}
	}
	c.URL, c.Notice = url, console.Warn
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
	c, err := f.configFor(f.Farm, true)
	if err != nil {
		return nil, err
	}
	n, err := natspool.Dial(j.Context(), c)
	if err != nil {
		return nil, err
	}
	j.closers = append(j.closers, func() {
		if err := n.Close(); err != nil {
			console.Warn(err.Error())
		}
	})
	return n, nil
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
