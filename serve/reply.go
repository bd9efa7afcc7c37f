package serve

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"runtime/debug"
	"time"

	"kroo/internal/wording"
)

// writeTimeout is the time in which a reader must take each part of an answer.
const writeTimeout = 20 * time.Second

// allowTime starts the time for the next part of an answer.
func allowTime(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout)) // an error means that the writer has no deadlines
}

// gives serves the values of a function as JSON.
func (s *Server) gives(value func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := value(r)
		s.reply(w, v, err)
	}
}

// reply sends a value as JSON, or an error as an object with its text.
func (s *Server) reply(w http.ResponseWriter, value any, err error) {
	if err != nil {
		sendJSON(w, statusOf(err), s.failure(err))
		return
	}
	sendJSON(w, http.StatusOK, value)
}

// failure is an error as it is sent.
type failure struct {
	Error    string `json:"error"`
	Stopping bool   `json:"stopping,omitempty"` // the server is: the request can be repeated when it is back
}

// failure converts an error, without the path of the folder.
func (s *Server) failure(err error) failure {
	return failure{s.folder.plain(err), s.done.Err() != nil}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	sendJSON(w, status, failure{Error: fmt.Sprintf(format, args...)})
}

func sendJSON(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":"a value of the answer cannot be sent"}`)
	}
	sendAs(w, status, "application/json", append(data, '\n'))
}

// errStopping is the error of requests when the server stops.
var errStopping = errors.New("the server stops: start it again")

// errTooLong is the error of a search that exceeds its time limit.
var errTooLong = errors.New("the request took too long")

// statusOf returns the HTTP status of an error: by default that of a bad request.
func statusOf(err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy), errors.Is(err, errStopping), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, errTooLong):
		return http.StatusGatewayTimeout
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// pulse is the time after which a stream without events sends a comment, which also detects that the
// reader is gone.
const pulse = 10 * time.Second

// stream runs work in a goroutine and sends the values that it posts as server-sent events with the given
// name. If the reader is slow, it misses all but the latest value. The last event is "done" with the
// result, or "failed" with the error. The context of work ends when the reader is gone or the server
// stops. work must not call post concurrently.
func stream(s *Server, w http.ResponseWriter, r *http.Request, name string, work func(ctx context.Context, post func(any)) (any, error)) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	news := make(chan any, 1) // closed at the end of the work
	post := func(v any) {
		select {
		case <-news: // replace a value that was not sent
		default:
		}
		news <- v
	}
	var result any
	var failed error
	go func() {
		defer close(news)
		defer catch(&failed)
		result, failed = work(ctx, post)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	control := http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // a stream may take longer than a request
	write := func(text string) error {
		allowTime(w)
		if _, err := w.Write([]byte(text)); err != nil {
			return err
		}
		return control.Flush()
	}
	send := func(name string, value any) error {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		return write(fmt.Sprintf("event: %s\ndata: %s\n\n", name, data))
	}
	const alive = ": \n\n"
	err := write(alive)
	tick := time.NewTicker(pulse)
	defer tick.Stop()
	for working := true; working && err == nil; {
		select {
		case v, more := <-news:
			if working = more; more {
				err = send(name, v)
			}
		case <-tick.C:
			err = write(alive)
		}
	}
	cancel()         // if the reader is gone, or a value cannot be sent
	for range news { // to the end of the work
	}
	if err = cmp.Or(err, failed); err == nil {
		err = send("done", result)
	}
	if err != nil {
		send("failed", s.failure(err)) // in vain if the reader is gone
	}
}

// catch turns a panic into an error, so that neither the server nor a run of it ends.
func catch(err *error) {
	if p := recover(); p != nil {
		log.Printf("a bug: %v\n%s", p, debug.Stack())
		*err = fmt.Errorf("a bug in the program, please report it: %s", wording.Short(fmt.Sprint(p)))
	}
}
