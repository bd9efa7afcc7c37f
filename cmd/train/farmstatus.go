package main

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"

	"github.com/spf13/cobra"

	"kroo/farm/natspool"
)

func farmCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "farm",
		Short:   "how the workers of a farm are getting on",
		Example: "  train farm status --farm nats://127.0.0.1:4222",
	}
	group(cmd, farmStatusCommand())
	return cmd
}

func farmStatusCommand() *cobra.Command {
	var flags farmFlags
	var watch, asJSON bool
	cmd := &cobra.Command{
		Use:   "status",
		Short: "the sessions and workers of a farm",
		Long: `Asks the coordinators and workers at a farm's server how they stand: for each
session the tasks in the queue and with workers, those done, their rate and the
time to go; for each worker its threads, rate, when it was last seen, what it has
done, failures, and answers that were refused.`,
		Example: "  train farm status --farm nats://127.0.0.1:4222\n  train farm status --farm nats://127.0.0.1:4222 --watch",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := flags.checkServer(); err != nil {
				return err
			}
			w, err := natspool.Watch(flags.Config)
			if err != nil {
				return err
			}
			defer w.Close()
			return showStatus(cmd.Context(), cmd.OutOrStdout(), w, watch, asJSON)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&watch, "watch", false, "show it again every two seconds, until Ctrl-C")
	f.BoolVar(&asJSON, "json", false, "print it as JSON, with --watch a line each time")
	flags.addServer(cmd)
	return cmd
}

func showStatus(ctx context.Context, out io.Writer, w *natspool.Watcher, watch, asJSON bool) error {
	const wait, every = 500 * time.Millisecond, 2 * time.Second
	for {
		st, err := w.Status(ctx, wait)
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
		case <-ctx.Done():
			if errors.Is(ctx.Err(), context.Canceled) { // Ctrl-C is how it ends
				return nil
			}
			return ctx.Err()
		case <-time.After(every - wait):
		}
	}
}
