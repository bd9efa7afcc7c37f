package natspool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

// Session is the description and progress of a session, published by its coordinator.
type Session struct {
	farm.Work
	ID      string  `json:"session"`
	Host    string  `json:"host"`
	Tool    string  `json:"tool"`    // program version
	Queue   int     `json:"queue"`   // unanswered tasks
	Seconds float64 `json:"seconds"` // since the start
	Rate    float64 `json:"rate"`    // tasks per second, on average
	ToGo    float64 `json:"to_go"`   // seconds; 0 if unknown
	Counts
}

// Counts counts the tasks of a session.
type Counts struct {
	Done        int64 `json:"done"`
	Failed      int64 `json:"failed"`   // failed attempts and impossible answers
	Republished int64 `json:"reissued"` // tasks published again because the server had lost some
}

// Beat is the state of a worker, published at intervals.
type Beat struct {
	ID      string  `json:"id"`
	Host    string  `json:"host"`
	PID     int     `json:"pid"`
	Threads int     `json:"threads"`
	Engine  string  `json:"engine"` // engine signature
	Tool    string  `json:"tool"`   // program version
	Busy    int     `json:"busy"`   // busy threads
	Done    int64   `json:"done"`   // tasks
	Failed  int64   `json:"failed"`
	Rate    float64 `json:"rate"` // recent tasks per second
}

func (b Beat) name() string { return b.Host + "/" + short(b.ID) }

func short(id string) string { return id[:min(len(id), 6)] }

func encode(v any) []byte {
	text, _ := json.Marshal(v) // cannot fail: numbers and texts
	return text
}

// Status is the state of a farm.
type Status struct {
	Sessions []Session `json:"sessions"`
	Workers  []Beat    `json:"workers"`
}

// ReadStatus reads the state of a farm from its server. A server that was never used by a farm has
// no sessions and no workers.
func ReadStatus(ctx context.Context, c Config) (st Status, err error) {
	options, err := c.options()
	if err != nil {
		return st, err
	}
	conn, err := nats.Connect(c.URL, options...)
	if err != nil {
		return st, fmt.Errorf("no server at %s: %w", c.URL, err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		return st, err
	}
	keys, err := js.KeyValue(ctx, keysBucket)
	if errors.Is(err, jetstream.ErrBucketNotFound) {
		return st, nil
	}
	if err == nil {
		err = errors.Join(
			entries(ctx, keys, sessionKeys, func(s Session) { st.Sessions = append(st.Sessions, s) }),
			entries(ctx, keys, workerKeys, func(b Beat) { st.Workers = append(st.Workers, b) }))
	}
	slices.SortFunc(st.Workers, func(a, b Beat) int { return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.ID, b.ID)) })
	slices.SortFunc(st.Sessions, func(a, b Session) int { return cmp.Compare(a.ID, b.ID) })
	return st, err
}

// entries calls add with the values of all keys of a kind. It skips values of another format.
func entries[T any](ctx context.Context, bucket jetstream.KeyValue, kind string, add func(T)) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	w, err := bucket.Watch(ctx, kind+"*", jetstream.IgnoreDeletes())
	if err != nil {
		return err
	}
	defer func() { _ = w.Stop() }() // fails if the connection is closed
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case e := <-w.Updates():
			if e == nil { // end of the present entries
				return nil
			}
			var v T
			if json.Unmarshal(e.Value(), &v) == nil {
				add(v)
			}
		}
	}
}

// Doc describes the sessions and workers.
func (st Status) Doc() *outline.Doc {
	d := &outline.Doc{Value: st}
	if len(st.Sessions)+len(st.Workers) == 0 {
		d.Lead = []string{"no sessions and no workers: train farm worker URL starts one, train label … --farm URL " +
			"gives it work"}
		return d
	}
	header := []string{"session", "host", "kind", "queue", "done", "rate", "to go", "republished", "failed"}
	d.Add(outline.Section{Table: outline.TableOf(header, st.Sessions, func(s Session) []any {
		left := "?"
		if s.ToGo > 0 {
			left = wording.Span(min(s.ToGo, 1e9))
		}
		return []any{wording.OneLine(short(s.ID)), wording.Short(s.Host), wording.Short(s.Kind), s.Queue, s.Done,
			rate(s.Rate), left, s.Republished, s.Failed}
	})})
	header = []string{"worker", "host", "pid", "threads", "busy", "done", "rate", "failed", "engine", "version"}
	d.Add(outline.Section{Table: outline.TableOf(header, st.Workers, func(w Beat) []any {
		return []any{wording.OneLine(short(w.ID)), wording.Short(w.Host), w.PID, w.Threads, w.Busy, w.Done,
			rate(w.Rate), w.Failed, wording.Short(w.Engine), wording.Short(w.Tool)}
	})})
	return d
}

func rate(perSecond float64) string { return fmt.Sprintf("%.1f/s", perSecond) }
