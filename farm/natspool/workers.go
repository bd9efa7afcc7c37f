package natspool

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/farm"
	"kroo/internal/oneline"
	"kroo/internal/plural"
	"kroo/internal/strictjson"
)

// Beat is what a worker tells of itself, every second.
type Beat struct {
	ID      string  `json:"id"`
	Host    string  `json:"host"`
	PID     int     `json:"pid"`
	Threads int     `json:"threads"`
	Engine  string  `json:"engine"` // its signature
	Tool    string  `json:"tool"`   // version of its program
	Busy    int     `json:"busy"`   // threads at work
	Done    int64   `json:"done"`   // tasks
	Failed  int64   `json:"failed"`
	Rate    float64 `json:"rate"` // tasks a second, of late
	Leaving bool    `json:"leaving,omitempty"`
}

const maxBeat = 1 << 13

func decodeBeat(b []byte) (w Beat, err error) {
	if err := strictjson.Decode(b, maxBeat, &w); err != nil {
		return w, wrap("a beat", err)
	}
	if !isToken(w.ID) || len(w.ID) > maxID || w.Threads < 1 || w.Threads > 1<<12 || len(w.Host) > 300 || len(w.Tool) > 300 {
		return w, wrap("a beat", errors.New("expected a name of letters and digits, and 1 to 4096 threads"))
	}
	w.clean()
	return w, nil
}

// clean makes texts from elsewhere fit to be shown on a terminal.
func (b *Beat) clean() {
	b.Host, b.Engine, b.Tool = oneline.Short(b.Host), oneline.Short(b.Engine), oneline.Short(b.Tool)
}

// worker is what a coordinator knows of a worker.
type worker struct {
	Beat
	came    time.Time // the first time; zero for never
	seen    time.Time // zero for never
	gone    bool      // it has left, or says nothing any more
	refused int       // answers, and batches that it failed at and others did not
	suspect bool      // an answer of it differed from those of two others: all are compared now
	away    bool      // it was sent away
}

// beat notes that a worker is there.
func (n *Network) beat(m *nats.Msg) {
	b, err := decodeBeat(m.Data)
	if err != nil {
		n.config.notice("farm: refused a message: %v", err)
		return
	}
	n.mu.Lock()
	w := n.worker(b.ID)
	come := (w.gone || w.seen.IsZero()) && !b.Leaving
	w.Beat, w.seen, w.gone = b, time.Now(), b.Leaving
	if w.came.IsZero() {
		w.came = w.seen
	}
	delete(n.waiting, b.Engine)
	name := w.name()
	n.mu.Unlock()
	if come {
		n.config.notice("farm: worker %s is there, %s", name, plural.Of(b.Threads, "thread"))
		for _, s := range n.open() {
			s.kick()
		}
	}
}

// worker is the worker of a name. It needs the lock.
func (n *Network) worker(id string) *worker {
	w := n.workers[id]
	if w == nil {
		w = &worker{Beat: Beat{ID: id}}
		if len(n.workers) < maxWorkers {
			n.workers[id] = w
		}
	}
	return w
}

// maxWorkers bounds what is kept of workers, those of the past included.
const maxWorkers = 1 << 14

// name is what a person calls the worker.
func (w worker) name() string {
	return cmp.Or(w.Host, "?") + "/" + w.ID[:min(len(w.ID), 6)]
}

// about is what is known of a worker.
func (n *Network) about(id string) worker {
	n.mu.Lock()
	defer n.mu.Unlock()
	return *n.worker(id)
}

func (n *Network) nameOf(id string) string { return n.about(id).name() }

// threads counts the threads of the workers of an engine that are there, and the workers.
func (n *Network) threads(engine string) (threads, workers int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, w := range n.workers {
		if w.there() && w.Engine == engine {
			threads += w.Threads
			workers++
		}
	}
	return threads, workers
}

// others tells whether any workers of an engine are there but those.
func (n *Network) others(engine string, but []string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	for id, w := range n.workers {
		if w.there() && w.Engine == engine && !slices.Contains(but, id) {
			return true
		}
	}
	return false
}

// there tells whether tasks can go to the worker.
func (w *worker) there() bool { return !w.gone && !w.away && time.Since(w.seen) < goneAfter }

// sweep tells of workers that are gone, and that there are none for some work.
func (n *Network) sweep(work farm.Work) {
	if !n.conn.IsConnected() {
		return
	}
	n.mu.Lock()
	var gone []string
	there := 0
	for _, w := range n.workers {
		switch {
		case w.there():
			if w.Engine == work.Engine {
				there++
			}
		case !w.gone && !w.away && !w.seen.IsZero():
			w.gone = true
			gone = append(gone, w.name())
		}
	}
	tell := there == 0 && !n.waiting[work.Engine]
	if tell {
		n.waiting[work.Engine] = true
	}
	n.mu.Unlock()
	slices.Sort(gone)
	for _, name := range gone {
		n.config.notice("farm: worker %s is gone; what it was at goes to others", name)
	}
	if tell {
		n.config.notice("farm: no workers: waiting for some; they join with: train worker --farm %s", n.address())
	}
}

func (n *Network) suspect(id string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.worker(id).suspect = true
}

// strike counts a fault of a worker, and sends it away after some.
func (n *Network) strike(id string) {
	n.mu.Lock()
	w := n.worker(id)
	w.refused++
	away := w.refused >= mostRefused
	tell := away && !w.away
	w.away = away
	name := w.name()
	n.mu.Unlock()
	if away {
		_ = n.conn.Publish(awaySubject+id, nil) // said again with the next refusal
	}
	if tell {
		n.config.notice("farm: worker %s is sent away: %d times its answers were refused, or it failed where others did not", name, mostRefused)
	}
}
