package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"
)

// pulse is the time after which a stream without events sends a comment, which also detects that the
// reader is gone.
const pulse = 10 * time.Second

// poster posts an event: its name and value.
type poster func(name string, value any)

// waiting posts that a search waits for its turn.
func (post poster) waiting() { post("waiting", nil) }

// posted is an event that is posted.
type posted struct {
	name  string
	value any
}

// stream runs work in a goroutine and sends the events that it posts. If the reader is slow, it misses all
// but the latest. The last event is "done" with the result, or "failed" with the error. The context of work
// ends when the reader is gone or the server stops. work must not call post concurrently.
func stream(s *Server, w http.ResponseWriter, r *http.Request, work func(ctx context.Context, post poster) (any, error)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	news := make(chan posted, 1) // closed at the end of the work
	post := func(name string, value any) {
		select {
		case <-news: // replace an event that was not sent
		default:
		}
		news <- posted{name, value}
	}
	var result any
	var failed error
	go func() {
		defer close(news)
		defer catch(&failed)
		result, failed = work(ctx, post)
	}()
	events := newEventWriter(w)
	err := events.sendAll(news)
	cancel()         // if the reader is gone, or a value cannot be sent
	for range news { // to the end of the work
	}
	err = cmp.Or(err, failed)
	if err == nil {
		err = events.send(posted{"done", result})
	}
	if err != nil {
		_ = events.send(posted{"failed", s.failure(err)}) // in vain if the reader is gone
	}
}

// eventWriter writes server-sent events.
type eventWriter struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

func newEventWriter(w http.ResponseWriter) eventWriter {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // a stream may take longer than a request
	return eventWriter{w, control}
}

// sendAll sends events until the channel is closed, and comments when there are none for a while.
func (e eventWriter) sendAll(news <-chan posted) error {
	const comment = ": \n\n"
	if err := e.write(comment); err != nil {
		return err
	}
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for {
		var err error
		select {
		case p, more := <-news:
			if !more {
				return nil
			}
			err = e.send(p)
		case <-tick.C:
			err = e.write(comment)
		}
		if err != nil {
			return err
		}
	}
}

func (e eventWriter) send(p posted) error {
	data, err := json.Marshal(p.value)
	if err != nil {
		return err
	}
	return e.write(fmt.Sprintf("event: %s\ndata: %s\n\n", p.name, data))
}

func (e eventWriter) write(text string) error {
	allowTime(e.w)
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}
