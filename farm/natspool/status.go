package natspool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/internal/oneline"
	"kroo/internal/strictjson"
)

// Status is how a farm stands, to all or to one coordinator.
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
	LastSeen float64 `json:"last_seen"` // seconds ago; -1 is never
	Refused  int     `json:"refused"`   // answers that a coordinator refused, and failures where others did not fail
	Away     bool    `json:"away"`      // a coordinator has sent it away
}

func (b Beat) encode() []byte {
	text, _ := json.Marshal(b) // numbers and texts: it encodes
	return text
}

// answerStatus tells how the sessions of this coordinator stand.
func (n *Network) answerStatus(m *nats.Msg) {
	text, err := json.Marshal(n.report())
	if err == nil {
		_ = m.Respond(text) // who asked asks again
	}
}

// report has as many workers as fit into a message: they answer for themselves too.
func (n *Network) report() (r Status) {
	for _, s := range n.open() {
		r.Sessions = append(r.Sessions, s.status())
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	size := 0
	for _, w := range n.workers {
		if (w.gone || w.seen.IsZero()) && w.refused == 0 {
			continue
		}
		st := w.status()
		text, _ := json.Marshal(st) // numbers and texts: it encodes
		if size += len(text) + 1; size > fullBatch {
			break
		}
		r.Workers = append(r.Workers, st)
	}
	return r
}

func (w *worker) status() WorkerStatus {
	st := WorkerStatus{Beat: w.Beat, LastSeen: -1, Refused: w.refused, Away: w.away}
	if !w.seen.IsZero() {
		st.LastSeen = time.Since(w.seen).Seconds()
	}
	return st
}

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
		return nil, fmt.Errorf("no server at %s: %w", redacted(c.URL), err)
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
		return st, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := w.conn.PublishRequest(statusSubject, inbox, nil); err != nil {
		return st, err
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
	var r Status
	if err := strictjson.Decode(data, maxMessage, &r); err != nil {
		return
	}
	for _, session := range r.Sessions {
		if isToken(session.Session) {
			session.clean()
			st.Sessions = append(st.Sessions, session)
		}
	}
	for _, w := range r.Workers {
		if !isToken(w.ID) {
			continue
		}
		w.clean()
		known, there := workers[w.ID]
		if there {
			known.Refused, known.Away = known.Refused+w.Refused, known.Away || w.Away
		} else {
			known = w
		}
		workers[w.ID] = known
	}
}

// clean makes what comes from elsewhere fit to be shown on a terminal.
func (s *SessionStatus) clean() {
	const never = 1e9 // seconds
	s.Host, s.Kind, s.Engine = oneline.Short(s.Host), oneline.Short(s.Kind), oneline.Short(s.Engine)
	s.ToGo = min(s.ToGo, never)
}
