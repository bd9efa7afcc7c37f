package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"kroo/farm"
	"kroo/farm/natspool"
)

// farmFlags say which farm a command uses.
type farmFlags struct{ natspool.Config }

// add adds the flags of commands that may hand their searches to a farm.
func (f *farmFlags) add(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.URL, "farm", "", "search on the workers of a farm: the address of its server, or embedded for one that it starts itself (default on this machine)")
	flags.StringVar(&f.Listen, "farm-listen", "", "with --farm embedded, where workers find the server (default "+natspool.DefaultListen+")")
	flags.StringVar(&f.Cert, "farm-cert", "", "with --farm embedded, certificate of the server: workers then use tls://")
	flags.StringVar(&f.Key, "farm-key", "", "with --farm embedded, the certificate's key")
	flags.DurationVar(&f.Deadline, "farm-deadline", 0, "give a search to another worker after this time (default by its limits)")
	f.addClient(cmd)
}

// addClient adds the flags of whoever connects with a server.
func (f *farmFlags) addClient(cmd *cobra.Command) {
	flags := cmd.Flags()
	flags.StringVar(&f.Credentials, "farm-credentials", "", "file with the farm's token or the seed of its NKey: needed beyond this machine")
	flags.StringVar(&f.CA, "farm-ca", "", "file of the certificates to trust (default those of the system)")
}

// addServer adds the flags of a command that connects with a server and starts none.
func (f *farmFlags) addServer(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.URL, "farm", "", "address of the farm's server, such as nats://127.0.0.1:4222")
	f.addClient(cmd)
}

// checkServer refuses flags that name no server.
func (f *farmFlags) checkServer() error {
	switch f.URL {
	case "":
		return usagef("no server: expected --farm nats://HOST:PORT")
	case natspool.Embedded:
		return usagef("--farm embedded is for coordinators: expected nats://HOST:PORT")
	}
	if err := f.Check(); err != nil {
		return usageError{err}
	}
	return nil
}

// dial connects with the farm, and returns nil if there is to be none. Call the
// returned function at the end.
func (f *farmFlags) dial(ctx context.Context) (farm.Network, func(), error) {
	if f.URL == "" {
		if f.Listen != "" || f.Cert != "" || f.Key != "" || f.Deadline != 0 || f.Credentials != "" || f.CA != "" {
			return nil, nil, usagef("--farm-listen, --farm-credentials and the like are for a farm: expected --farm embedded or --farm nats://HOST:PORT as well")
		}
		return nil, func() {}, nil
	}
	if f.Deadline < 0 || f.Deadline > 24*time.Hour {
		return nil, nil, usagef("--farm-deadline is %s: expected 0 to 24h", f.Deadline)
	}
	if err := f.Check(); err != nil {
		return nil, nil, usageError{err}
	}
	f.Notice = tell
	n, err := natspool.Dial(ctx, f.Config)
	if err != nil {
		return nil, nil, err
	}
	return n, func() {
		if err := n.Close(); err != nil {
			tell(err.Error())
		}
	}, nil
}

// tell says something beside a progress bar.
func tell(text string) {
	begin := ""
	if term.IsTerminal(int(os.Stderr.Fd())) {
		begin = "\r\x1b[K" // over the bar, which is drawn again
	}
	fmt.Fprintf(&results{to: os.Stderr}, "%s%s\n", begin, text)
}
