package natspool

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kroo/internal/oneline"
	"kroo/internal/strictjson"
)

// announcement is what a coordinator says of a session, and how the session is getting on.
type announcement struct {
	SessionStatus
	Tool     string          `json:"tool"` // version of the coordinator's program
	Spec     json.RawMessage `json:"spec"`
	Files    []fileNote      `json:"files,omitempty"`
	Deadline time.Duration   `json:"deadline"` // of a task
}

type fileNote struct {
	Hash string `json:"hash"`
	Size int64  `json:"size"`
}

// SessionStatus is how some work of a coordinator is getting on.
type SessionStatus struct {
	Session  string  `json:"session"`
	Host     string  `json:"host"`
	Kind     string  `json:"kind"`
	Engine   string  `json:"engine"`    // signature that is needed
	Queue    int     `json:"queue"`     // tasks that are not on their way
	InFlight int     `json:"in_flight"` // tasks that are
	Tasks    int64   `json:"tasks"`     // in all; 0 is unknown
	Seconds  float64 `json:"seconds"`   // since it began
	Rate     float64 `json:"rate"`      // tasks per second, on average
	ToGo     float64 `json:"to_go"`     // seconds; 0 is unknown
	Counts
}

// Counts are what has become of the tasks of a session.
type Counts struct {
	Done     int64 `json:"done"`
	Reissued int64 `json:"reissued"` // tasks that were published again
	Refused  int64 `json:"refused"`  // answers that could not be
	Failed   int64 `json:"failed"`   // attempts of workers that failed
	Doubled  int64 `json:"doubled"`  // answers that came again, and were dropped
}

// Beat is what a worker says of itself.
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
	Rate    float64 `json:"rate"` // tasks per second, of late
}

// name is what a person calls the worker.
func (b Beat) name() string { return b.Host + "/" + b.ID[:min(len(b.ID), 6)] }

const maxAnnouncement = 1 << 18

func decodeAnnouncement(b []byte) (a announcement, err error) {
	if err := strictjson.Decode(b, maxAnnouncement, &a); err != nil {
		return a, fmt.Errorf("a session: %w", err)
	}
	const never = 1e9 // seconds
	if !isToken(a.Session) || !isToken(a.Engine) || a.Deadline < 0 || a.Deadline > longest || len(a.Files) > 100 {
		return a, errors.New("a session: expected names of letters and digits, and a deadline")
	}
	a.Host, a.Kind, a.Tool, a.ToGo = oneline.Short(a.Host), oneline.Short(a.Kind), oneline.Short(a.Tool), min(a.ToGo, never)
	return a, nil
}

func decodeBeat(b []byte) (w Beat, err error) {
	if err := strictjson.Decode(b, maxAnnouncement, &w); err != nil {
		return w, fmt.Errorf("a worker: %w", err)
	}
	if !isToken(w.ID) || !isToken(w.Engine) || w.Threads < 1 || w.Threads > 1<<12 {
		return w, errors.New("a worker: expected names of letters and digits, and 1 to 4096 threads")
	}
	w.Host, w.Tool = oneline.Short(w.Host), oneline.Short(w.Tool)
	return w, nil
}
