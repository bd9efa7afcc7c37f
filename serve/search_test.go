package serve

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"math"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/testkit"
	"kroo/run"
)

// event is a server-sent event.
type event struct{ name, data string }

// eventsOf reads a stream.
func eventsOf(t testing.TB, r io.Reader) (all []event) {
	t.Helper()
	for in := bufio.NewScanner(r); in.Scan(); {
		if name, ok := strings.CutPrefix(in.Text(), "event: "); ok {
			all = append(all, event{name: name})
		} else if data, ok := strings.CutPrefix(in.Text(), "data: "); ok {
			all[len(all)-1].data = data
		}
	}
	return all
}

// valueOf returns the value of an answer.
func valueOf[T any](t *testing.T, s *Server, path string) (v T) {
	t.Helper()
	testkit.NoError(t, json.Unmarshal([]byte(answers(t, s, "GET", path, 200)), &v))
	return v
}

// lastOf returns the value of the last event of a stream, which is done.
func lastOf[T any](t *testing.T, s *Server, path string) (v T) {
	t.Helper()
	all := eventsOf(t, strings.NewReader(answers(t, s, "GET", path, 200)))
	if len(all) == 0 || all[len(all)-1].name != "done" {
		t.Fatalf("%s: events %v", path, all)
	}
	testkit.NoError(t, json.Unmarshal([]byte(all[len(all)-1].data), &v))
	return v
}

func TestTheEngineAnswersAtItsLevel(t *testing.T) {
	s := testServer(t, Config{Spec: engine.Spec{Book: "none"}})
	depth := map[string]int{}
	for _, level := range []string{"beginner", "hard"} {
		a := valueOf[thought](t, s, "/api/answer?moves=F&level="+level)
		if len(a.Move) != 1 || !strings.Contains("abcdef", a.Move) || a.Book || a.Depth == 0 {
			t.Errorf("%s: %+v", level, a)
		}
		depth[level] = a.Depth
	}
	if depth["beginner"] >= depth["hard"] {
		t.Errorf("depths %v: expected a beginner to look less far", depth)
	}
	for _, query := range []string{"moves=F&level=god", "moves=Fx&level=easy", "from=0-0-0-0-0-1-1-0-0-0-0-0-25-21-N&level=easy"} {
		answers(t, s, "GET", "/api/answer?"+query, 400)
	}
}

func TestAHintIncludesTheBook(t *testing.T) {
	s := testServer(t, Config{})
	if h := valueOf[hint](t, s, "/api/hint"); h.Search.Move == "" || h.Book == nil || !h.Book.Book {
		t.Errorf("%+v", h)
	}
}

func TestAnAnalysisHasEveryMove(t *testing.T) {
	s := testServer(t, within(engine.Config{Nodes: 5000}))
	i := lastOf[insight](t, s, "/api/analyse?moves=Ff")
	if len(i.Lines) != 5 || i.Nodes > 5000 || i.Depth < 2 || i.WDL[0]+i.WDL[1]+i.WDL[2] != 1000 || i.Lines[0].Score != i.Score || !strings.HasPrefix(i.Lines[0].PV, i.Lines[0].Move) {
		t.Errorf("found %+v", i)
	}
	// The same request has the same answer, whatever the searcher was used for before.
	if j := lastOf[insight](t, s, "/api/analyse?moves=Ff"); j.Nodes != i.Nodes || j.Score != i.Score || !reflect.DeepEqual(j.Lines, i.Lines) {
		t.Errorf("asked again: %+v", j)
	}
}

func TestAReviewGradesEveryMove(t *testing.T) {
	s := testServer(t, Config{})
	r := lastOf[reviewed](t, s, "/api/review?moves=FfEeAb")
	if len(r.Found) != 6 || !r.Found[0].Book || r.Found[5].Name != "b" || !r.Found[5].Calibrated {
		t.Errorf("review %+v", r)
	}
	if len(r.Sides) != 2 || r.Sides[1].Side != "North" || r.Sides[1].Moves != 3 || r.Sides[0].Accuracy == nil {
		t.Errorf("sides %+v", r.Sides)
	}
	opened := lastOf[reviewed](t, s, "/api/review?moves=FfEeAb&opening=2")
	if !opened.Found[1].Opening || opened.Found[2].Opening || opened.Sides[1].Moves != 2 {
		t.Errorf("with an opening of two moves: %+v, %+v", opened.Found, opened.Sides)
	}
	for _, query := range []string{"", "moves=x", "rules=x", "from=x", "moves=F&opening=2", "moves=F&opening=-1"} {
		answers(t, s, "GET", "/api/review?"+query, 400)
	}
}

// A review finds no mistake in a game that follows the hints.
func TestReviewAgreesWithHints(t *testing.T) {
	s := testServer(t, within(engine.Config{Nodes: 200_000}))
	moves, over := "A", false
	for !over && len(moves) < 200 {
		var h hint
		_, _, text := get(s, "/api/hint?moves="+moves)
		if over = strings.Contains(text, "the game is over"); over {
			break
		}
		if json.Unmarshal([]byte(text), &h) != nil || h.Search.Move == "" {
			t.Fatalf("after %q: %s", moves, text)
		}
		moves += h.Search.Move
	}
	if !over {
		t.Fatalf("%q goes on", moves)
	}
	found := lastOf[reviewed](t, s, "/api/review?moves="+moves).Found
	if len(found) != len(moves) {
		t.Fatalf("review %+v", found)
	}
	for _, m := range found[1:] {
		if m.Mark == "mistake" || m.Mark == "blunder" {
			t.Errorf("%s: ply %d: %+v", moves, m.Ply, m)
		}
	}
}

// A search ends when its reader leaves, and its seat is free again.
func TestLeavingStopsTheSearch(t *testing.T) {
	s := testServer(t, Config{Searches: 1, Spec: engine.Spec{Search: engine.Config{Nodes: 1 << 40}}})
	h := httptest.NewServer(s.handler)
	defer h.Close()
	ctx, cancel := context.WithCancel(t.Context())
	r := testkit.Must(http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/api/analyse", nil))(t)
	answer := testkit.Must(http.DefaultClient.Do(r))(t)
	for lines := bufio.NewReader(answer.Body); ; {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("the stream ends before anything is found: %q, %v", line, err)
		}
		if line == "event: found\n" {
			break
		}
	}
	cancel()
	answer.Body.Close()
	end, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if _, err := s.engines.queue.enter(end, "next"); err != nil {
		t.Fatalf("the seat stays taken: %v", err)
	}
}

// An infinite analysis exceeds the node limit.
func TestEndlessAnalysisExceedsTheLimit(t *testing.T) {
	s := testServer(t, Config{Searches: 1, Spec: engine.Spec{Search: engine.Config{Nodes: 500}}})
	a := beginAnalysis(t, s)
	for {
		var i insight
		testkit.NoError(t, json.Unmarshal([]byte(a.next("found")), &i))
		if i.Nodes > 50_000 {
			return
		}
	}
}

// begun is an infinite analysis in progress.
type begun struct {
	t     *testing.T
	lines *bufio.Scanner
}

// beginAnalysis starts an infinite analysis, which ends with the test. The test fails if it is still
// reading events of it after a time that is long for any machine.
func beginAnalysis(t *testing.T, s *Server) begun {
	t.Helper()
	h := httptest.NewServer(s.handler)
	t.Cleanup(h.Close)
	ctx, cancel := context.WithTimeout(t.Context(), longForAny)
	t.Cleanup(cancel)
	r := testkit.Must(http.NewRequestWithContext(ctx, http.MethodGet, h.URL+"/api/analyse?endless=1", nil))(t)
	answer := testkit.Must(http.DefaultClient.Do(r))(t)
	t.Cleanup(func() { answer.Body.Close() })
	return begun{t, bufio.NewScanner(answer.Body)}
}

// longForAny is a time after which a test fails: less than a search that gives way was once guaranteed.
const longForAny = 20 * time.Second

// next returns the data of the next event with a name.
func (b begun) next(name string) string {
	b.t.Helper()
	for b.lines.Scan() {
		if b.lines.Text() == "event: "+name && b.lines.Scan() {
			return strings.TrimPrefix(b.lines.Text(), "data: ")
		}
	}
	b.t.Fatalf("the analysis ends before an event %q: %v", name, b.lines.Err())
	return ""
}

// An infinite analysis gives way at once to another, to a move, a hint and an analysis with an end. It reports
// that it waits, and starts again in a free seat.
func TestEndlessAnalysisGivesWay(t *testing.T) {
	s := testServer(t, Config{Searches: 1})
	first := beginAnalysis(t, s)
	first.next("found")
	second := beginAnalysis(t, s)
	second.next("found")
	first.next("waiting") // until the second gives way
	for _, path := range []string{"/api/answer?moves=F&level=easy", "/api/hint?moves=F", "/api/analyse?moves=F"} {
		answersSoon(t, s, path)
	}
	first.next("found")
}

// A request takes the seat of one infinite analysis only.
func TestOneAnalysisGivesWay(t *testing.T) {
	s := testServer(t, Config{Searches: 2, Spec: engine.Spec{Search: engine.Config{Nodes: 1 << 40}}})
	first, second := beginAnalysis(t, s), beginAnalysis(t, s)
	first.next("found")
	second.next("found")
	answersSoon(t, s, "/api/answer?moves=F&level=easy")
	next := turn{client: "next", rules: "abapa", atMost: longForAny, waits: func() {}}
	testkit.NoError(t, s.engines.search(t.Context(), next, func(context.Context, *owareEngine, owareSearcher) error {
		// An analysis that has got its seat back may not have left the line yet.
		for end := time.Now().Add(longForAny); s.engines.queue.waiting.Load() != 1 && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		testkit.Equal(t, s.engines.queue.waiting.Load(), 1, "waiting analyses")
		return nil
	}))
}

// answersSoon asks for an answer, which must not take as long as an infinite analysis.
func answersSoon(t *testing.T, s *Server, path string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), longForAny)
	defer cancel()
	status, _, text := ask(s, request(http.MethodGet, path, nil).WithContext(ctx))
	if status != http.StatusOK || strings.Contains(text, "event: failed") {
		t.Errorf("%s: status %d, %s", path, status, text)
	}
}

// When the context of Serve ends, searches and waiting requests end with an error before the engines are
// closed.
func TestServeStopsCleanly(t *testing.T) {
	s := testServer(t, Config{Searches: 2, Spec: engine.Spec{Search: engine.Config{Nodes: 1 << 40}}})
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error, 1)
	go func() { stopped <- s.Serve(ctx, l) }()
	answers := make(chan string, 2)
	for _, path := range []string{"/api/analyse", "/api/hint"} {
		go func() {
			answer, err := http.Get("http://" + l.Addr().String() + path)
			if err != nil {
				answers <- err.Error()
				return
			}
			defer answer.Body.Close()
			text, err := io.ReadAll(answer.Body)
			answers <- fmt.Sprint(string(text), err)
		}()
	}
	for end := time.Now().Add(20 * time.Second); len(s.engines.queue.seats) > 0; time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("the searches do not begin")
		}
	}
	cancel()
	begun := time.Now()
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	for range 2 {
		if text := <-answers; !strings.Contains(text, errStopping.Error()) {
			t.Errorf("a waiting request gets %.300s", text)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if took := time.Since(begun); took > 10*time.Second || len(s.engines.queue.seats) != 2 {
		t.Errorf("stopped after %s with %d of 2 seats free", took, len(s.engines.queue.seats))
	}
}

// A browser opens connections in advance and sends nothing over them. They do not delay the end.
func TestConnectionsWithoutARequestDoNotDelayTheEnd(t *testing.T) {
	address, stop := startServing(t, testServer(t, Config{}))
	from(t, "127.0.0.1", address)
	if !answered(from(t, "127.0.0.1", address)) { // so the first was accepted too
		t.Fatal("no answer")
	}
	began := time.Now()
	testkit.NoError(t, stop())
	if took := time.Since(began); took >= stopTimeout {
		t.Errorf("stopped after %s: want less than %s", took, stopTimeout)
	}
}

// Close cancels requests and waits until they end.
func TestCloseWaitsForRequests(t *testing.T) {
	s := testServer(t, Config{})
	told, release, closed := make(chan error, 1), make(chan bool), make(chan error, 1)
	begun := make(chan bool)
	slow := s.guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
		told <- context.Cause(r.Context())
		<-release
	}))
	go slow.ServeHTTP(httptest.NewRecorder(), request(http.MethodGet, "/", nil))
	<-begun
	go func() { closed <- s.Close() }()
	if err := <-told; !errors.Is(err, errStopping) {
		t.Errorf("the request ends with %v, want %v", err, errStopping)
	}
	select {
	case <-closed:
		t.Error("closed with a request in work")
	case <-time.After(50 * time.Millisecond):
	}
	close(release)
	if err := <-closed; err != nil {
		t.Error(err)
	}
	answers(t, s, "GET", "/api/game", 503)
}

// There is a default node limit only without limits of time and depth.
func TestLimitsOfSearches(t *testing.T) {
	timed := func(t time.Duration) engine.Config { return engine.Config{MoveTime: engine.Duration{Duration: t}} }
	longest := maxSearchTime - time.Second
	for _, c := range []struct {
		config        engine.Config
		limits, hints search.Limits
	}{
		{engine.Config{}, search.Limits{Nodes: 2_000_000, Time: longest}, search.Limits{Nodes: 200_000}},
		{engine.Config{Depth: 9}, search.Limits{Depth: 9, Time: longest}, search.Limits{Depth: 9}},
		{timed(time.Second), search.Limits{Time: time.Second}, search.Limits{Time: 100 * time.Millisecond}},
		{timed(time.Hour), search.Limits{Time: longest}, search.Limits{Time: longest / 10}},
		{engine.Config{Depth: 9, Nodes: 5000}, search.Limits{Nodes: 5000, Depth: 9, Time: longest}, search.Limits{Nodes: 500, Depth: 9}},
	} {
		config := within(c.config).withDefaults()
		testkit.Equal(t, config.limits(), c.limits, "%+v", c.config)
		testkit.Equal(t, config.hints().Limits(), c.hints, "%+v: hints", c.config)
	}
}

// A client with many requests does not delay others.
func TestQueueServesClientsInTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 100)
		first := testkit.Must(q.enter(t.Context(), "first"))(t)
		var order []string
		for _, client := range []string{"greedy", "greedy", "greedy", "modest", "third", "greedy"} {
			go func() {
				if at, err := q.enter(t.Context(), client); err == nil {
					order = append(order, client)
					q.leave(at)
				}
			}()
			synctest.Wait()
		}
		q.leave(first)
		synctest.Wait()
		testkit.EqualSlices(t, order, []string{"greedy", "modest", "third", "greedy", "greedy", "greedy"}, "served")
		if len(q.seats) != 1 || q.waiting.Load() != 0 {
			t.Errorf("left over: %+v", q)
		}
	})
}

// A request gets the seat of a search that gives way, though another waits for a free one; if it is
// cancelled meanwhile, the seat is free.
func TestQueueHandsSeatsOver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 100)
		first := testkit.Must(q.enter(t.Context(), "first"))(t)
		var order []string
		go func() {
			at := testkit.Must(q.reenter(t.Context()))(t)
			order = append(order, "patient")
			q.leave(at)
		}()
		synctest.Wait()
		go func() {
			at := testkit.Must(q.enter(t.Context(), "first"))(t)
			order = append(order, "asking")
			q.leave(at)
		}()
		to := <-q.asks
		to <- first
		synctest.Wait()
		testkit.EqualSlices(t, order, []string{"asking", "patient"}, "served")
		last := testkit.Must(q.enter(t.Context(), "first"))(t)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			if _, err := q.enter(ctx, "gone"); !errors.Is(err, context.Canceled) {
				t.Errorf("a cancelled request ends with %v", err)
			}
		}()
		to = <-q.asks
		cancel()
		synctest.Wait()
		to <- last
		synctest.Wait()
		if len(q.seats) != 1 || q.waiting.Load() != 0 {
			t.Errorf("left over: %+v", q)
		}
	})
}

// While an engine is opened, requests for its rules wait, and those for other rules do not. After a failure
// it is opened again.
func TestEnginesAreOpenedBesideOthers(t *testing.T) {
	s := testServer(t, Config{})
	opening, release := make(chan string), make(chan error)
	open := s.engines.open
	s.engines.open = func(rules string) (*owareEngine, error) {
		opening <- rules
		if err := <-release; err != nil {
			return nil, err
		}
		return open(rules)
	}
	asked := make(chan error, 2)
	ask := func() {
		_, err := s.engines.engine(t.Context(), "awari")
		asked <- err
	}
	go ask()
	testkit.Equal(t, <-opening, "awari", "opened")
	testkit.Must(s.engines.engine(t.Context(), "abapa"))(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.engines.engine(ctx, "awari"); !errors.Is(err, context.Canceled) {
		t.Errorf("a request that is gone waits until the engine is open: %v", err)
	}
	failed := errors.New("a slow disk")
	release <- failed
	if err := <-asked; !errors.Is(err, failed) {
		t.Errorf("got %v, expected %v", err, failed)
	}
	go ask()
	<-opening
	go ask()
	release <- nil
	testkit.NoError(t, <-asked)
	testkit.NoError(t, <-asked)
}

func TestQueueRefusesTooMany(t *testing.T) {
	q := newQueue(1, 0)
	testkit.Must(q.enter(t.Context(), "a"))(t)
	if _, err := q.enter(t.Context(), "b"); !errors.Is(err, errBusy) {
		t.Errorf("the second gets %v, want errBusy", err)
	}
}

// A request that is cancelled leaves no trace, and a seat granted meanwhile is not lost.
func TestQueueForgetsCancelledRequests(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := newQueue(1, 100)
		first := testkit.Must(q.enter(t.Context(), "a"))(t)
		var cancels []context.CancelFunc
		for range 50 {
			ctx, cancel := context.WithCancel(t.Context())
			cancels = append(cancels, cancel)
			go func() {
				if at, err := q.enter(ctx, "b"); err == nil {
					q.leave(at)
				}
			}()
			synctest.Wait()
		}
		testkit.Equal(t, q.waiting.Load(), 50, "waiting")
		for _, cancel := range cancels[1:] {
			cancel()
			synctest.Wait()
		}
		testkit.Equal(t, q.waiting.Load(), 1, "waiting")
		cancels[0]() // granted and cancelled at the same time
		q.leave(first)
		synctest.Wait()
		if len(q.seats) != 1 || q.waiting.Load() != 0 {
			t.Errorf("left over: %+v", q)
		}
	})
}

// An infinite analysis ends after its time, also if it gave its seat to another request meanwhile.
func TestGivingWayDoesNotProlongAnAnalysis(t *testing.T) {
	s := testServer(t, Config{})
	synctest.Test(t, func(t *testing.T) {
		s.engines.queue = newQueue(1, 100)
		go func() {
			time.Sleep(50 * time.Minute)
			at := testkit.Must(s.engines.queue.enter(t.Context(), "another"))(t)
			time.Sleep(time.Minute)
			s.engines.queue.leave(at)
		}()
		begin, searches := time.Now(), 0
		one := turn{client: "patient", rules: kit.Game.Rules[0], atMost: time.Hour, waits: func() {}}
		err := s.engines.searchInfinitely(t.Context(), one, func(ctx context.Context, _ *owareEngine, _ owareSearcher) error {
			searches++
			<-ctx.Done()
			return context.Cause(ctx)
		})
		if !errors.Is(err, errTooLong) || time.Since(begin) != time.Hour || searches != 2 {
			t.Errorf("%v after %s and %d searches: want %v after an hour and 2", err, time.Since(begin), searches, errTooLong)
		}
	})
}

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
		stream(s, to, request(http.MethodGet, "/", nil), func(ctx context.Context, post poster) (any, error) {
			post("news", "begun")
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
		stream(s, to, request(http.MethodGet, "/", nil), func(ctx context.Context, post poster) (any, error) {
			begun := time.Now()
			for i := range 1000 {
				post("news", i)
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
		stream(s, never, request(http.MethodGet, "/", nil), func(ctx context.Context, _ poster) (any, error) {
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
	for name, work := range map[string]func(ctx context.Context, post poster) (any, error){
		"the work":   func(context.Context, poster) (any, error) { return nil, errors.New("no luck") },
		"a panic":    func(context.Context, poster) (any, error) { panic("no luck at all") },
		"its result": func(context.Context, poster) (any, error) { return math.NaN(), nil },
		"its news": func(ctx context.Context, post poster) (any, error) {
			post("news", math.Inf(1))
			<-ctx.Done()
			return nil, ctx.Err()
		},
	} {
		to := &reader{header: http.Header{}}
		stream(s, to, request(http.MethodGet, "/", nil), work)
		all := eventsOf(t, strings.NewReader(to.text.String()))
		if len(all) != 1 || all[0].name != "failed" || !strings.HasPrefix(all[0].data, `{"error":`) {
			t.Errorf("%s fails: events %q", name, all)
		}
	}
}

// Pages do not wait for a run that is being opened, which a second one may not join.
func TestPagesDoNotWaitForARun(t *testing.T) {
	w := &worker{}
	begun, release, started := make(chan bool), make(chan error), make(chan error)
	go func() {
		started <- w.start("slow", func() (*run.Run, error) {
			close(begun)
			return nil, <-release
		})
	}()
	<-begun
	testkit.Equal(t, w.current(), "slow", "the run in progress")
	if err := w.start("second", nil); !errors.Is(err, errWorking) {
		t.Errorf("a second run: %v, expected %v", err, errWorking)
	}
	failed := errors.New("a slow disk")
	release <- failed
	if err := <-started; !errors.Is(err, failed) || w.current() != "" {
		t.Errorf("%v, in progress: %q", err, w.current())
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
