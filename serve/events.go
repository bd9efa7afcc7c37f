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

// events sends server-sent events: named values as JSON, one after the other. It is for
// one goroutine at a time.
type events struct {
	w       http.ResponseWriter
	control *http.ResponseController
}

// beginEvents begins an answer of events. The reader hears at once that it has begun.
func beginEvents(w http.ResponseWriter) *events {
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("Cache-Control", "no-store")
	e := &events{w, http.NewResponseController(w)}
	e.control.SetReadDeadline(time.Time{}) // an answer may take longer than a request
	e.alive()                              // a reader that has gone is noticed later
	return e
}

// send sends an event. A reader that does not take it in time is given up.
func (e *events) send(name string, value any) error {
	data, err := json.Marshal(value)
	if err != nil {
		return err
	}
	return e.write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
}

// alive sends a comment, which says no more than that the stream continues.
func (e *events) alive() error { return e.write(": \n\n") }

func (e *events) write(text string) error {
	allowTime(e.w)
	if _, err := e.w.Write([]byte(text)); err != nil {
		return err
	}
	return e.control.Flush()
}

// stream runs work in a goroutine of its own and sends the last of what it posts: work
// does not wait for a slow reader. The event of work's return is "done", or "failed" with
// an error. Work's context ends when the reader is gone, or the server stops. work posts
// from one goroutine at a time.
func stream(s *Server, w http.ResponseWriter, r *http.Request, name string, work func(ctx context.Context, post func(any)) (any, error)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
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
		defer catch(&failed)
		result, failed = work(ctx, post)
	}()
	e := beginEvents(w)
	err := e.pass(name, news, ended)
	if err != nil { // the reader has gone, or news cannot be sent
		cancel()
		<-ended
	} else if err = failed; err == nil {
		err = e.send("done", result)
	}
	if err != nil {
		e.send("failed", s.failure(err)) // a reader that has gone misses nothing
	}
}

// catch makes an error of a panic: what a request began ends alone, and neither the server
// nor the run that it does.
func catch(err *error) {
	if p := recover(); p != nil {
		log.Printf("a fault of the program: %v\n%s", p, debug.Stack())
		*err = fmt.Errorf("a fault of the program, please report it: %s", wording.Short(fmt.Sprint(p)))
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
