package natspool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Status is how a farm is getting on.
type Status struct {
	Sessions []SessionStatus `json:"sessions"`
	Workers  []Beat          `json:"workers"`
}

// Watcher asks how a farm is getting on.
type Watcher struct{ hub }

// Watch connects with a farm's server. Close it.
func Watch(c Config) (*Watcher, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	options, err := c.options()
	if err != nil {
		return nil, err
	}
	conn, err := nats.Connect(c.URL, options...)
	if err != nil {
		return nil, fmt.Errorf("no server at %s: %w", redacted(c.URL), err)
	}
	w := &Watcher{hub{conn: conn}}
	if w.js, err = jetstream.New(conn); err != nil {
		conn.Close()
		return nil, err
	}
	return w, nil
}

// Close ends the connection.
func (w *Watcher) Close() { w.conn.Close() }

// Status reads the keys of sessions and workers. A server that no farm has used has none.
func (w *Watcher) Status(ctx context.Context) (st Status, err error) {
	for bucket, add := range map[string]func([]byte){
		sessionsBucket: func(text []byte) {
			if a, err := decodeAnnouncement(text); err == nil {
				st.Sessions = append(st.Sessions, a.SessionStatus)
			}
		},
		workersBucket: func(text []byte) {
			if b, err := decodeBeat(text); err == nil {
				st.Workers = append(st.Workers, b)
			}
		},
	} {
		kv, err := w.js.KeyValue(ctx, bucket)
		if errors.Is(err, jetstream.ErrBucketNotFound) {
			continue
		}
		if err != nil {
			return st, err
		}
		list, err := entries(ctx, kv)
		if err != nil {
			return st, err
		}
		for _, text := range list {
			add(text)
		}
	}
	slices.SortFunc(st.Workers, func(a, b Beat) int { return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.ID, b.ID)) })
	slices.SortFunc(st.Sessions, func(a, b SessionStatus) int { return cmp.Compare(a.Session, b.Session) })
	return st, nil
}

// Write writes two tables.
func (st Status) Write(out io.Writer) error {
	if len(st.Sessions)+len(st.Workers) == 0 {
		_, err := fmt.Fprintln(out, "no sessions and no workers: train farm worker URL starts one, train label … --farm URL gives it work")
		return err
	}
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "SESSION\tHOST\tKIND\tQUEUE\tIN FLIGHT\tDONE\tRATE\tTO GO\tREISSUED\tREFUSED\tFAILED")
	for _, s := range st.Sessions {
		left := "?"
		if s.ToGo > 0 {
			left = time.Duration(s.ToGo * float64(time.Second)).Round(time.Second).String()
		}
		fmt.Fprintf(t, "%.6s\t%s\t%s\t%d\t%d\t%d\t%.1f/s\t%s\t%d\t%d\t%d\n", s.Session, s.Host, s.Kind, s.Queue, s.InFlight, s.Done, s.Rate, left, s.Reissued, s.Refused, s.Failed)
	}
	fmt.Fprintln(t, "\nWORKER\tHOST\tPID\tTHREADS\tBUSY\tDONE\tRATE\tFAILED\tENGINE\tVERSION")
	for _, w := range st.Workers {
		fmt.Fprintf(t, "%.6s\t%s\t%d\t%d\t%d\t%d\t%.1f/s\t%d\t%s\t%s\n", w.ID, w.Host, w.PID, w.Threads, w.Busy, w.Done, w.Rate, w.Failed, w.Engine, w.Tool)
	}
	return t.Flush()
}
