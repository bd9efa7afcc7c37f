package commands

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kroo/farm/natspool"
)

func farmCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "farm",
		Short: "search on several machines",
		Long: `A farm is workers on any number of machines, and a NATS server between them and the
commands that distribute searches and games with --farm.
` + farmConfigHelp,
		Example: "  train farm worker nats://127.0.0.1:4222\n  train farm status nats://127.0.0.1:4222",
	}
	group(cmd, farmWorkerCommand(), farmStatusCommand())
	return cmd
}

func farmStatusCommand() *cobra.Command {
	var flags farmFlags
	var watch, asJSON bool
	cmd := &cobra.Command{
		Use:   "status URL",
		Short: "the sessions and workers of a farm",
		Long: `Lists the sessions and workers of a farm: for each session its unanswered and finished
tasks, their rate and the time to go; for each worker its threads, rate, and finished
tasks.`,
		Example: "  train farm status nats://127.0.0.1:4222\n  train farm status nats://127.0.0.1:4222 --watch",
		Args:    exactArgs(1, "the URL of the farm's server"),
		RunE: func(cmd *cobra.Command, args []string) error {
			flags.url = args[0]
			c, err := flags.config(false)
			if err != nil {
				return err
			}
			return showStatus(cmd.Context(), cmd.OutOrStdout(), c, watch, asJSON)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&watch, "watch", false, "show it again every two seconds, until Ctrl-C")
	f.BoolVar(&asJSON, "json", false, "print it as JSON, with --watch a line each time")
	flags.addConfig(cmd)
	return cmd
}

func showStatus(ctx context.Context, out io.Writer, c natspool.Config, watch, asJSON bool) error {
	const every = 2 * time.Second
	for {
		st, err := natspool.ReadStatus(ctx, c)
		if err != nil {
			return err
		}
		if asJSON {
			err = json.NewEncoder(out).Encode(st)
		} else {
			err = st.Write(out)
		}
		if err != nil || !watch {
			return err
		}
		select {
		case <-ctx.Done(): // Ctrl-C is how it ends
			return nil
		case <-time.After(every):
		}
	}
}
