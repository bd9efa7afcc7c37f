package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// events sends server-sent events: named values as JSON, one after the other. It is for
// one goroutine at a time.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// beginEvents begins an answer of events.
func beginEvents(w http.ResponseWriter) *events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	e := &events{w, http.NewResponseController(w)}
	e.control.SetReadDeadline(time.Time{}) // an answer may take longer than a request
	return e
}

// send sends an event. A reader that does not take it in time is given up.
func (e *events) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	e.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // not all writers have one
	if _, err := fmt.Fprintf(e.w, "event: %s\ndata: %s\n\n", name, data); err != nil {
		return err
	}
	return e.control.Flush()
}

// fail ends an answer with an error.
func (e *events) fail(err error) { e.send("failed", failure{plain(err)}) } // a reader that has gone misses nothing

// stream runs work in a goroutine of its own and sends the last of what it posts: work
// does not wait for a slow reader. The event of work's return is "done". Work's context
// ends when the reader is gone, or the server stops.
func stream(s *Server, w http.ResponseWriter, r *http.Request, name string, work func(ctx context.Context, post func(any)) (any, error)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	defer context.AfterFunc(s.done, cancel)()
	news := make(chan any, 1)
	post := func(v any) {
		select {
		case <-news: // an older one that nobody has read
		default:
		}
		news <- v
	}
	ended := make(chan struct{})
	var result any
	var failed error
	go func() {
		defer close(ended)
		result, failed = work(ctx, post)
	}()
	e := beginEvents(w)
	if err := e.pass(name, news, ended); err != nil {
		cancel()
		<-ended
		return
	}
	if failed != nil {
		e.fail(failed)
	} else {
		e.send("done", result)
	}
}

// pulse is how often a stream without news shows that it is alive, and notices that its
// reader is gone.
const pulse = 10 * time.Second

// pass sends the news until the work has ended, the last of them too.
func (e *events) pass(name string, news <-chan any, ended <-chan struct{}) error {
	alive := time.NewTicker(pulse)
	defer alive.Stop()
	for {
		var err error
		select {
		case v := <-news:
			err = e.send(name, v)
		case <-alive.C:
			_, err = fmt.Fprint(e.w, ": \n\n")
			err = errors.Join(err, e.control.Flush())
		case <-ended:
			select {
			case v := <-news:
				return e.send(name, v)
			default:
				return nil
			}
		}
		if err != nil {
			return err
		}
	}
}
