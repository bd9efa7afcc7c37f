package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"runtime/debug"
	"time"

	"kroo/internal/wording"
)

// events sends server-sent events: named values as JSON. It is not safe for concurrent use.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// beginEvents starts a stream of events. The first bytes are sent immediately.
func beginEvents(w http.ResponseWriter) *events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	e := &events{w, http.NewResponseController(w)}
	e.control.SetReadDeadline(time.Time{}) // a stream may take longer than a request
	e.alive()                              // an error recurs when the next event is sent
	return e
}

// send sends an event. It fails if the reader does not take it in time.
func (e *events) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return e.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}

// alive sends a comment, which keeps the stream alive.
func (e *events) alive() error { return e.write(": \n\n") }

func (e *events) write(text string) error {
	allowTime(e.w)
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}

// stream runs work in a goroutine and sends the values that it posts as events with the given name. If
// the reader is slow, it misses all but the latest value. The last event is "done" with the result, or
// "failed" with the error. The context of work ends when the reader is gone or the server stops. work
// must not call post concurrently.
func stream(s *Server, w http.ResponseWriter, r *http.Request, name string, work func(ctx context.Context, post func(any)) (any, error)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	news := make(chan any, 1)
	post := func(v any) {
		select {
		case <-news: // replace a value that was not sent
		default:
		}
		news <- v
	}
	ended := make(chan struct{})
	var result any
	var failed error
	go func() {
		defer close(ended)
		defer catch(&failed)
		result, failed = work(ctx, post)
	}()
	e := beginEvents(w)
	err := e.pass(name, news, ended)
	if err != nil { // the reader is gone, or a value cannot be sent
		cancel()
		<-ended
	} else if err = failed; err == nil {
		err = e.send("done", result)
	}
	if err != nil {
		e.send("failed", s.failure(err)) // in vain if the reader is gone
	}
}

// catch turns a panic into an error, so that neither the server nor a run of it ends.
func catch(err *error) {
	if p := recover(); p != nil {
		log.Printf("a bug: %v\n%s", p, debug.Stack())
		*err = fmt.Errorf("a bug in the program, please report it: %s", wording.Short(fmt.Sprint(p)))
	}
}

// pulse is the time after which a stream without events sends a comment, which also detects that the
// reader is gone.
const pulse = 10 * time.Second

// pass sends the values until the work has ended.
func (e *events) pass(name string, news <-chan any, ended <-chan struct{}) error {
	alive := time.NewTicker(pulse)
	defer alive.Stop()
	for {
		var err error
		select {
		case v := <-news:
			err = e.send(name, v)
		case <-alive.C:
			err = e.alive()
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
