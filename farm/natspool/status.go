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

	"kroo/internal/strictjson"
)

var errBeat = errors.New("expected a name of letters and digits, and 1 to 4096 threads")

// Status is how a farm stands.
type Status struct {
	Sessions []SessionStatus `json:"sessions"`
	Workers  []WorkerStatus  `json:"workers"`
}

// SessionStatus is how some work of a coordinator stands.
type SessionStatus struct {
	Session  string  `json:"session"`
	Host     string  `json:"host"`
	Kind     string  `json:"kind"`
	Engine   string  `json:"engine"`
	Queue    int     `json:"queue"`     // tasks that are not with a worker
	InFlight int     `json:"in_flight"` // tasks that are
	Tasks    int64   `json:"tasks"`     // that there are in all; 0 is unknown
	Seconds  float64 `json:"seconds"`   // since it began
	Rate     float64 `json:"rate"`      // tasks a second, on the mean
	ToGo     float64 `json:"to_go"`     // seconds; 0 is unknown
	Counts
}

// WorkerStatus is how a worker stands.
type WorkerStatus struct {
	Beat
	LastSeen float64 `json:"last_seen"` // seconds ago
	Refused  int     `json:"refused"`   // answers that a coordinator refused
	Away     bool    `json:"away"`      // a coordinator has sent it away
}

// report is the answer of a coordinator to a request for the status.
type report struct {
	Sessions []SessionStatus `json:"sessions"`
	Workers  []WorkerStatus  `json:"workers"`
}

func (b Beat) encode() []byte {
	text, _ := json.Marshal(b) // numbers and texts: it encodes
	return text
}

// answerStatus tells how the sessions of this coordinator stand.
func (n *Network) answerStatus(m *nats.Msg) {
	var r report
	for _, s := range n.open() {
		r.Sessions = append(r.Sessions, s.status())
	}
	n.mu.Lock()
	for _, w := range n.workers {
		if len(r.Workers) == maxReported {
			break
		}
		if !w.seen.IsZero() || w.refused > 0 {
			r.Workers = append(r.Workers, WorkerStatus{Beat: w.Beat, LastSeen: time.Since(w.seen).Seconds(), Refused: w.refused, Away: w.away})
		}
	}
	n.mu.Unlock()
	text, err := json.Marshal(r)
	if err == nil {
		_ = m.Respond(text) // who asked asks again
	}
}

// maxReported is how many workers fit into a message.
const maxReported = 2000

func (s *session) status() SessionStatus {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := SessionStatus{
		Session: s.id, Host: s.note.Host, Kind: s.work.Kind, Engine: s.work.Engine, Queue: len(s.queue),
		Tasks: s.work.Tasks, Seconds: time.Since(s.begun).Seconds(), Counts: s.counts,
	}
	for _, f := range s.flying {
		if f.taken.IsZero() {
			st.Queue += f.left
		} else {
			st.InFlight += f.left
		}
	}
	if st.Rate = float64(s.counts.Done) / st.Seconds; st.Rate > 0 && st.Tasks > 0 {
		st.ToGo = float64(max(st.Tasks-s.counts.Done, 0)) / st.Rate
	}
	return st
}

// Watcher asks how a farm stands.
type Watcher struct{ conn *nats.Conn }

// Watch connects with a farm's server to ask how the farm stands. Close it.
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
		return nil, fmt.Errorf("farm: no server at %s: %w", redacted(c.URL), err)
	}
	return &Watcher{conn}, nil
}

// Close ends the connection.
func (w *Watcher) Close() { w.conn.Close() }

// Status asks all coordinators and workers, and waits for a while.
func (w *Watcher) Status(ctx context.Context, wait time.Duration) (st Status, err error) {
	inbox := w.conn.NewInbox()
	sub, err := w.conn.SubscribeSync(inbox)
	if err != nil {
		return st, fmt.Errorf("farm: %w", err)
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := w.conn.PublishRequest(statusSubject, inbox, nil); err != nil {
		return st, fmt.Errorf("farm: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, wait)
	defer cancel()
	workers := map[string]WorkerStatus{}
	for {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			break
		}
		st.add(m.Data, workers)
	}
	for _, known := range workers {
		st.Workers = append(st.Workers, known)
	}
	slices.SortFunc(st.Workers, func(a, b WorkerStatus) int { return cmp.Or(cmp.Compare(a.Host, b.Host), cmp.Compare(a.ID, b.ID)) })
	slices.SortFunc(st.Sessions, func(a, b SessionStatus) int { return cmp.Compare(a.Session, b.Session) })
	return st, nil
}

// add takes the answer of a worker or of a coordinator, and drops what is neither. What
// a worker says of itself is newer than what a coordinator has heard.
func (st *Status) add(data []byte, workers map[string]WorkerStatus) {
	if b, err := decodeBeat(data); err == nil {
		known := workers[b.ID]
		known.Beat, known.LastSeen = b, 0
		workers[b.ID] = known
		return
	}
	var r report
	if err := strictjson.Decode(data, maxMessage, &r); err != nil {
		return
	}
	st.Sessions = append(st.Sessions, r.Sessions...)
	for _, w := range r.Workers {
		known, there := workers[w.ID]
		if there {
			known.Refused, known.Away = known.Refused+w.Refused, known.Away || w.Away
		} else {
			known = w
		}
		workers[w.ID] = known
	}
}
