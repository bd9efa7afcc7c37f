package commands

import (
	"context"
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kroo/farm"
	"kroo/farm/natspool"
)

// farmConfigHelp explains --farm-config in the help of the group farm.
const farmConfigHelp = `
--farm-config names a TOML file with what a farm beyond one machine needs. Paths in it are
relative to its folder. Coordinators and workers may have copies of the same file.
  credentials = "token.txt"    # file with a token, or the seed of an NKey
  ca = "cert.pem"              # certificates to trust (default those of the system)
  listen = "0.0.0.0:4222"      # with --farm embedded (default 127.0.0.1:4222)
  cert = "cert.pem"            # with --farm embedded: workers then join at tls://
  key = "key.pem"              # the certificate's key
  deadline = "10m"             # a search that takes longer goes to another worker
                               # (default by its limits)`

// farmFlags are the flags that say which farm a command uses.
type farmFlags struct {
	url, file string
}

// add adds the flags of commands that may hand their searches to a farm.
func (f *farmFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.url, "farm", "", "search on the workers of a farm: the URL of its server, or embedded to start one (default on this machine)")
	f.addConfig(cmd)
}

func (f *farmFlags) addConfig(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.file, "farm-config", "", "file with the farm's credentials, certificates, address and deadline (see train farm --help)")
}

// config is what the flags say. Only a coordinator may start a server.
func (f *farmFlags) config(coordinator bool) (c natspool.Config, err error) {
	if f.file != "" {
		if c, err = natspool.ReadConfig(f.file); err != nil {
			return c, err
		}
	}
	c.URL, c.Notice = f.url, tell
	if c.URL == natspool.Embedded && !coordinator {
		return c, usagef("embedded is for coordinators: expected nats://HOST:PORT")
	}
	if err := c.Check(); err != nil {
		return c, usageError{err}
	}
	return c, nil
}

// dial connects with the farm, and returns nil if there is to be none. Call the
// returned function at the end.
func (f *farmFlags) dial(ctx context.Context) (farm.Network, func(), error) {
	if f.url == "" {
		if f.file != "" {
			return nil, nil, usagef("--farm-config without a farm: expected --farm embedded or --farm nats://HOST:PORT as well")
		}
		return nil, func() {}, nil
	}
	c, err := f.config(true)
	if err != nil {
		return nil, nil, err
	}
	n, err := natspool.Dial(ctx, c)
	if err != nil {
		return nil, nil, err
	}
	return n, func() {
		if err := n.Close(); err != nil {
			tell(err.Error())
		}
	}, nil
}

// tell prints a line above a progress bar.
func tell(text string) {
	begin := ""
	if term.IsTerminal(int(os.Stderr.Fd())) {
		begin = "\r\x1b[K" // over the bar, which is drawn again
	}
	fmt.Fprintf(&results{to: os.Stderr}, "%s%s\n", begin, text)
}
