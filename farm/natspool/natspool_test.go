package natspool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/farm"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// Tests here wait for others more than they compute: many run at a time.
func TestMain(m *testing.M) {
	testenv.SideBySide(16)
	remove, err := testenv.FarmServer()
	if err != nil {
		panic(err)
	}
	defer remove()
	m.Run()
}

// notices records the messages for the user.
type notices struct {
	mu   sync.Mutex
	list []string
}

func (n *notices) add(text string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.list = append(n.list, text)
}

func (n *notices) has(text string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return slices.ContainsFunc(n.list, func(s string) bool { return strings.Contains(s, text) })
}

// dial is a coordinator with a server inside, at any port.
func dial(t testing.TB, c Config) (*Network, *notices) {
	t.Helper()
	notes := &notices{}
	c.URL, c.Notice = Embedded, notes.add
	if c.Listen == "" {
		c.Listen = "127.0.0.1:0"
	}
	n := testkit.Must(Dial(t.Context(), c))(t)
	t.Cleanup(func() {
		if err := n.Close(); err != nil {
			t.Error(err)
		}
	})
	return n, notes
}

// doing makes a doer of a function.
type doing func(ctx context.Context, task []byte) ([]byte, error)

func (f doing) Do(ctx context.Context, task []byte) ([]byte, error) { return f(ctx, task) }
func (doing) Close() error                                          { return nil }

// anything takes any answer.
func anything(int, []byte) error { return nil }

// upper is an honest doer.
func upper(_ context.Context, task []byte) ([]byte, error) {
	return []byte(strings.ToUpper(string(task))), nil
}

const someEngine = "bench-1-2"

// join starts a worker that does tasks by a function. It ends with the test, or by the
// function that is returned, which gives what Work does.
func join(t testing.TB, n *Network, f doing, change ...func(*WorkerConfig)) (leave func() (Summary, error)) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	c := WorkerConfig{
		Config: Config{URL: n.address(), Credentials: n.config.Credentials}, Threads: 2, Engine: someEngine, Cache: t.TempDir(),
		Open:         func(farm.Work, farm.Files, int) (farm.Doer, error) { return f, nil },
		longestPause: 200 * time.Millisecond,
	}
	for _, f := range change {
		f(&c)
	}
	type result struct {
		s   Summary
		err error
	}
	ended := make(chan result, 1)
	go func() {
		s, err := Work(ctx, c)
		ended <- result{s, err}
	}()
	var once sync.Once
	var r result
	leave = func() (Summary, error) {
		once.Do(func() {
			cancel()
			r = <-ended
		})
		return r.s, r.err
	}
	t.Cleanup(func() { leave() })
	return leave
}

// open begins a session of honest tasks.
func open(t testing.TB, n *Network, w farm.Work) *dispatcher {
	t.Helper()
	w.Kind, w.Engine, w.Spec = "test 1", someEngine, []byte(`{}`)
	if w.Deadline == 0 {
		w.Deadline = time.Minute
	}
	s := testkit.Must(n.begin(t.Context(), w))(t)
	return s
}

func payloads(n int) (list [][]byte) {
	for i := range n {
		list = append(list, fmt.Appendf(nil, "task %d", i))
	}
	return list
}

// tasks is a feed of n tasks, of which take gets the answers.
func tasks(n int, take func(i int, answer []byte) error) parallel.Feed[farm.Task] {
	return func(_ context.Context, ask func(farm.Task) error) error {
		for i, data := range payloads(n) {
			if err := ask(farm.Task{Data: data, Take: func(answer []byte) error { return take(i, answer) }}); err != nil {
				return err
			}
		}
		return nil
	}
}

// doAside begins do; the channel is closed when it has ended.
func doAside(t testing.TB, s *dispatcher, n int) (done chan struct{}) {
	done = make(chan struct{})
	go func() {
		defer close(done)
		do(t, s, n)
	}()
	return done
}

// do has n tasks done and checks that each is taken once, with the honest answer.
func do(t testing.TB, s *dispatcher, n int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	seen := make([]bool, n)
	list := payloads(n)
	err := s.do(ctx, tasks(n, func(i int, text []byte) error {
		if string(text) != strings.ToUpper(string(list[i])) {
			return farm.Refuse(fmt.Errorf("answer %q: expected capitals", text))
		}
		if seen[i] {
			t.Errorf("task %d taken twice", i)
		}
		seen[i] = true
		return nil
	}))
	testkit.NoError(t, err)
	if i := slices.Index(seen, false); i >= 0 {
		t.Errorf("task %d not taken", i)
	}
}

func counts(s *dispatcher) Counts { return s.status().Counts }

// workers counts the workers that are there.
func workers(n *Network) (count int) {
	_ = entries(n.living, n.keys, workerKeys, func(Beat) { count++ })
	return count
}

func TestEveryTaskIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	join(t, n, upper)
	s := open(t, n, farm.Work{})
	do(t, s, 3000)
	join(t, n, upper) // one more on the way
	var wait sync.WaitGroup
	sessions := []*dispatcher{s}
	for range 3 {
		s := open(t, n, farm.Work{})
		sessions = append(sessions, s)
		wait.Go(func() { do(t, s, 500) })
	}
	wait.Wait()
	done := int64(0)
	for _, s := range sessions {
		c := counts(s)
		if done += c.Done; c.Failed+c.Republished > 0 {
			t.Errorf("%+v: want no trouble", c)
		}
	}
	if done != 4500 {
		t.Errorf("%d tasks done: want 4500", done)
	}
	s.close()
	if err := s.do(t.Context(), tasks(1, nil)); err == nil {
		t.Error("a closed session took tasks")
	}
}

// Tasks and answers that come twice count once.
func TestDoubledMessagesCountOnce(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	var doubled sync.Map
	for _, subject := range []string{tasksSubject, answersSubject} {
		_, err := n.conn.Subscribe(subject+">", func(m *nats.Msg) {
			if _, seen := doubled.LoadOrStore(fmt.Sprint(m.Header, m.Data), true); !seen {
				_ = n.conn.PublishMsg(&nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data}) // counted below
			}
		})
		testkit.NoError(t, err)
	}
	s := open(t, n, farm.Work{})
	var tried atomic.Int32
	join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		tried.Add(1)
		return upper(ctx, task)
	})
	do(t, s, 300)
	waitFor(t, func() bool { return tried.Load() == 600 })
	do(t, s, 300)
}

func waitFor(t testing.TB, f func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("it did not come to that")
		}
	}
}

// What hangs is given to another worker after its deadline.
func TestHangingTasksGoToAnother(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{Deadline: spec.Duration{Duration: 300 * time.Millisecond}})
	var first sync.Once
	f := func(ctx context.Context, task []byte) ([]byte, error) {
		hang := false
		first.Do(func() { hang = true })
		if hang {
			time.Sleep(3 * time.Second) // whatever the context says
		}
		return upper(ctx, task)
	}
	join(t, n, f)
	join(t, n, f)
	s := open(t, n, farm.Work{})
	do(t, s, 50)
}

func TestEndsOfASession(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := open(t, n, farm.Work{}).do(ctx, tasks(10, anything)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v: want that of the context", err)
	}
	waitFor(t, func() bool { return notes.has("waiting for workers") })
	join(t, n, upper)
	enough := errors.New("enough")
	if err := open(t, n, farm.Work{}).do(t.Context(), tasks(10, func(int, []byte) error { return enough })); err != enough {
		t.Errorf("error %v, want %v", err, enough)
	}
	do(t, open(t, n, farm.Work{}), 10)
	if err := open(t, n, farm.Work{}).do(t.Context(), tasks(0, nil)); err != nil {
		t.Errorf("no tasks: %v", err)
	}
	if err := open(t, n, farm.Work{}).do(t.Context(), parallel.List([]farm.Task{{Data: make([]byte, maxTask+1)}})); err == nil {
		t.Error("a task that is too long was sent")
	}
}

// A session that cannot start ends its subscription and leaves nothing on the server, whether a file cannot be
// uploaded or the session cannot be announced.
func TestASessionThatCannotStartLeavesNothing(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	before := n.conn.NumSubscriptions()
	missing := farm.File{Path: filepath.Join(t.TempDir(), "missing"), Hash: strings.Repeat("0", 64), Size: 1}
	_, err := n.begin(t.Context(), farm.Work{Engine: someEngine, Files: []farm.File{missing}})
	testkit.ErrorContains(t, err, "cannot be copied to the server")
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = n.begin(cancelled, farm.Work{Engine: someEngine})
	testkit.ErrorContains(t, err, "the server refuses the session")
	testkit.Equal(t, n.conn.NumSubscriptions(), before, "subscriptions")
	stream := testkit.Must(n.js.Stream(t.Context(), tasksStream))(t)
	testkit.Equal(t, stream.CachedInfo().State.Consumers, 0, "consumers")
}

// A worker of another engine refuses the coordinator and names the version.
func TestAnotherEngineIsRefused(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	open(t, n, farm.Work{})
	ended := make(chan error, 1)
	go func() {
		_, err := Work(t.Context(), WorkerConfig{Config: Config{URL: n.address()}, Threads: 1, Engine: "bench-3-4"})
		ended <- err
	}()
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "needs the engine bench-1-2") || !strings.Contains(err.Error(), "this worker is bench-3-4") {
		t.Errorf("error %v: want both engines in it", err)
	}
}

func TestStatusListsSessionsAndWorkers(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	join(t, n, upper)
	s := open(t, n, farm.Work{Tasks: 400})
	do(t, s, 100)
	var st Status
	var err error
	waitFor(t, func() bool {
		st, err = ReadStatus(t.Context(), Config{URL: n.address()})
		return err != nil || len(st.Sessions) == 1 && len(st.Workers) == 1 && st.Sessions[0].Done == 100 && st.Workers[0].Done == 100
	})
	testkit.NoError(t, err)
	if got := st.Sessions[0]; got.Done != 100 || got.Tasks != 400 || !(got.ToGo > 0) || got.Engine != someEngine {
		t.Errorf("session %+v", got)
	}
	if got := st.Workers[0]; got.Threads != 2 || got.Done != 100 || got.PID != os.Getpid() {
		t.Errorf("worker %+v", got)
	}
}

// What others call themselves goes to a terminal.
func TestStatusKeepsControlCharactersOut(t *testing.T) {
	const escape = "a\x1b[2Jb\nc"
	st := Status{
		Sessions: []Session{{Work: farm.Work{Kind: escape}, ID: escape, Host: escape, ToGo: 1e300}},
		Workers:  []Beat{{ID: escape, Host: escape, Engine: escape, Tool: escape}},
	}
	if text := st.Doc().Text(""); strings.Contains(text, "\x1b") || strings.Count(text, "a?[2Jb c") != 5 || strings.Count(text, "\n") != 5 {
		t.Errorf("%q: want question marks in place of escapes", text)
	}
}
