package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
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
			if flags.URL == "" || flags.URL == natspool.Embedded {
				return usagef("no server: expected --farm nats://HOST:PORT")
			}
			if err := flags.Check(); err != nil {
				return usageError{err}
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
	f.StringVar(&flags.URL, "farm", "", "address of the farm's server, such as nats://127.0.0.1:4222")
	f.BoolVar(&watch, "watch", false, "show it again every two seconds, until Ctrl-C")
	f.BoolVar(&asJSON, "json", false, "print it as JSON, with --watch a line each time")
	flags.addClient(cmd)
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
			err = printStatus(out, st)
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

// printStatus prints two tables.
func printStatus(out io.Writer, st natspool.Status) error {
	if len(st.Sessions)+len(st.Workers) == 0 {
		_, err := fmt.Fprintln(out, "no sessions and no workers: train worker --farm URL starts one, train label … --farm URL gives it work")
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SESSION\tHOST\tKIND\tQUEUE\tIN FLIGHT\tDONE\tRATE\tTO GO\tREISSUED\tREFUSED\tFAILED\tCOMPARED")
	for _, s := range st.Sessions {
		left := "?"
		if s.ToGo > 0 {
			left = time.Duration(s.ToGo * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(t, "%.6s\t%s\t%s\t%d\t%d\t%d\t%.1f/s\t%s\t%d\t%d\t%d\t%d\n", s.Session, s.Host, s.Kind, s.Queue, s.InFlight, s.Done, s.Rate, left, s.Reissued, s.Refused+s.Differed, s.Failed, s.Compared)
	}
	fmt.Fprintln(t, "\nWORKER\tHOST\tPID\tTHREADS\tBUSY\tDONE\tRATE\tLAST SEEN\tFAILED\tREFUSED\tVERSION")
	for _, w := range st.Workers {
		seen := fmt.Sprintf("%.0f s ago", w.LastSeen)
		switch {
		case w.Away:
			seen = "sent away"
		case w.LastSeen < 0:
			seen = "never"
		}
		fmt.Fprintf(t, "%.6s\t%s\t%d\t%d\t%d\t%d\t%.1f/s\t%s\t%d\t%d\t%s\n", w.ID, w.Host, w.PID, w.Threads, w.Busy, w.Done, w.Rate, seen, w.Failed, w.Refused, w.Tool)
	}
	return t.Flush()
}
