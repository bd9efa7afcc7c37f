package serve

import (
	"context"
	"errors"
	"log"
	"math"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kroo/internal/testkit"
)

// reader is a slow connection: a write after the deadline fails.
type reader struct {
	header http.Header
	each   time.Duration // for every write

	mu       sync.Mutex
	deadline time.Time
	text     strings.Builder
}

func (r *reader) Header() http.Header { return r.header }
func (r *reader) WriteHeader(int)     {}
func (r *reader) FlushError() error   { return nil }
func (r *reader) SetWriteDeadline(t time.Time) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.deadline = t
	return nil
}

func (r *reader) Write(data []byte) (int, error) {
	time.Sleep(r.each)
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.deadline.IsZero() && time.Now().After(r.deadline) {
		return 0, os.ErrDeadlineExceeded
	}
	return r.text.Write(data)
}

// A stream without events for a long time continues.
func TestAQuietStreamContinues(t *testing.T) {
	s := testServer(t, Config{})
	synctest.Test(t, func(t *testing.T) {
		to := &reader{header: http.Header{}}
		stream(s, to, request(http.MethodGet, "/", nil), "news", func(ctx context.Context, post func(any)) (any, error) {
			post("begun")
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(5 * writeTimeout):
				return "ended", nil
			}
		})
		all := eventsOf(t, strings.NewReader(to.text.String()))
		if len(all) != 2 || all[0] != (event{"news", `"begun"`}) || all[1] != (event{"done", `"ended"`}) {
			t.Errorf("events %q", all)
		}
		if n := strings.Count(to.text.String(), ": \n\n"); n < int(5*writeTimeout/pulse) {
			t.Errorf("%d signs of life in %s: expected one every %s", n, 5*writeTimeout, pulse)
		}
	})
}

// Work does not wait for a slow reader, which gets the latest value. If a reader does not read in time,
// the work is cancelled.
func TestASlowReaderStallsNothing(t *testing.T) {
	s := testServer(t, Config{})
	synctest.Test(t, func(t *testing.T) {
		to := &reader{header: http.Header{}, each: writeTimeout - time.Second}
		var took time.Duration
		stream(s, to, request(http.MethodGet, "/", nil), "news", func(ctx context.Context, post func(any)) (any, error) {
			begun := time.Now()
			for i := range 1000 {
				post(i)
			}
			took = time.Since(begun)
			return "ended", nil
		})
		all := eventsOf(t, strings.NewReader(to.text.String()))
		if n := len(all); took != 0 || n < 2 || n > 5 || all[n-2].data != "999" || all[n-1].name != "done" {
			t.Errorf("the work waited %s, events %q", took, all)
		}
		never := &reader{header: http.Header{}, each: writeTimeout + time.Second}
		var stopped error
		stream(s, never, request(http.MethodGet, "/", nil), "news", func(ctx context.Context, _ func(any)) (any, error) {
			<-ctx.Done()
			stopped = ctx.Err()
			return nil, stopped
		})
		if stopped == nil || never.text.Len() > 0 {
			t.Errorf("who does not read: the work ends with %v, %q was sent", stopped, never.text.String())
		}
	})
}

// A request that reads large files ends its turn before the answer is sent.
func TestASlowReaderEndsItsTurn(t *testing.T) {
	s := testServer(t, Config{})
	synctest.Test(t, func(t *testing.T) {
		s.readers = newQueue(1, 0) // nobody may wait
		var ended atomic.Int32
		for range 3 {
			go func() {
				s.docPage("files", func(*http.Request) (page, error) { return page{}, nil })(&reader{header: http.Header{}, each: time.Second}, request(http.MethodGet, "/", nil))
				ended.Add(1)
			}()
			synctest.Wait()
			testkit.Equal(t, len(s.readers.seats), 1, "a reader keeps the others waiting")
		}
		time.Sleep(time.Second)
		synctest.Wait()
		testkit.Equal(t, ended.Load(), 3, "ended.Load")
	})
}

// A stream reports an error if its work fails, or if a value cannot be sent.
func TestAStreamReportsItsError(t *testing.T) {
	s := testServer(t, Config{})
	log.SetOutput(t.Output()) // panics are logged
	defer log.SetOutput(os.Stderr)
	for name, work := range map[string]func(ctx context.Context, post func(any)) (any, error){
		"the work":   func(context.Context, func(any)) (any, error) { return nil, errors.New("no luck") },
		"a panic":    func(context.Context, func(any)) (any, error) { panic("no luck at all") },
		"its result": func(context.Context, func(any)) (any, error) { return math.NaN(), nil },
		"its news": func(ctx context.Context, post func(any)) (any, error) {
			post(math.Inf(1))
			<-ctx.Done()
			return nil, ctx.Err()
		},
	} {
		to := &reader{header: http.Header{}}
		stream(s, to, request(http.MethodGet, "/", nil), "news", work)
		all := eventsOf(t, strings.NewReader(to.text.String()))
		if len(all) != 1 || all[0].name != "failed" || !strings.HasPrefix(all[0].data, `{"error":`) {
			t.Errorf("%s fails: events %q", name, all)
		}
	}
}

// A run that panics does not end the server.
func TestARunThatPanicsEndsAlone(t *testing.T) {
	log.SetOutput(t.Output())
	defer log.SetOutput(os.Stderr)
	w := &worker{name: "unlucky", cancel: func() {}}
	w.work(t.Context(), nil)
	if w.current() != "" || !strings.Contains(w.failed, "a bug in the program") {
		t.Errorf("in work: %q, told %q", w.current(), w.failed)
	}
}
