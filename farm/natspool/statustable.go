package natspool

import (
	"fmt"
	"io"
	"text/tabwriter"
	"time"
)

// Write writes two tables.
func (st Status) Write(out io.Writer) error {
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
