package natspool

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/farm"
)

func aProgram(name, calls, identity string) farm.Program {
	return farm.Program{Name: name, Calls: calls, Identity: identity}
}

// only is the one of a list.
func only(list []farm.Program, err error) (p farm.Program, _ error) {
	if len(list) == 1 {
		p = list[0]
	}
	return p, err
}

// with joins a worker that has a program.
func with(t *testing.T, n *Network, p farm.Program) {
	t.Helper()
	go Work(t.Context(), WorkerConfig{ //nolint:errcheck // it ends with the test
		Config: Config{URL: n.address(), Credentials: n.config.Credentials}, Threads: 1, Engine: p.Engine(), Program: p, Cache: t.TempDir(),
		Open: func(farm.Work, farm.Files, int) (farm.Doer, error) { return doing(upper), nil },
	})
}

// A coordinator asks for a program by its name, and waits for a worker that has it. Who
// lacks it is named; it is the one that most workers have, and others by its name get no work.
func TestAProgramIsAskedForByItsName(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	join(t, n, upper)
	asked, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	type found struct {
		p   farm.Program
		err error
	}
	got := make(chan found, 1)
	go func() {
		p, err := only(n.Programs(asked, "theirs"))
		got <- found{p, err}
	}()
	waitFor(t, func() bool { return told.has("no worker has the engine theirs: without it are there") })
	first := aProgram("theirs", "Engine 1", `["Hash=1"], SHA-256 aa`)
	with(t, n, aProgram("others", "Engine 9", ""))
	with(t, n, first)
	with(t, n, first)
	with(t, n, aProgram("theirs", "Engine 0", ""))
	if f := <-got; f.err != nil || f.p != first {
		t.Fatalf("%+v, error %v: want %+v", f.p, f.err, first)
	}
	with(t, n, aProgram("theirs", "Engine 1", `["Hash=1"], SHA-256 bb`))
	waitFor(t, func() bool {
		return told.has("is another program than the one that is asked for: it gets no work: its file is SHA-256 bb, not SHA-256 aa")
	})
	if p, err := only(n.Programs(t.Context(), "theirs")); err != nil || p != first {
		t.Errorf("%+v, error %v: want the first again", p, err)
	}
	if _, workers := n.threads(first.Engine()); workers != 2 {
		t.Errorf("%d workers for it", workers)
	}
	if _, err := n.Programs(t.Context(), "a b"); err == nil {
		t.Error("a name with a blank is taken")
	}
}

// What a worker tells of its program is checked like all that comes from elsewhere.
func TestBeatsOfImpossibleProgramsAreRefused(t *testing.T) {
	good := aProgram("theirs", "Engine", "[]")
	for _, spoil := range []func(*Beat){
		func(b *Beat) { b.Program.Name = "the.irs" },
		func(b *Beat) { b.Program.Name = "" },
		func(b *Beat) { b.Program.Calls = "\x1b[31m" },
		func(b *Beat) { b.Program.Identity = strings.Repeat("x", 2000) },
		func(b *Beat) { b.Engine = "bench-1-2" },
	} {
		b := Beat{ID: "w1", Threads: 1, Engine: good.Engine(), Program: good}
		if _, err := decodeBeat(b.encode()); err != nil {
			t.Fatal(err)
		}
		spoil(&b)
		if _, err := decodeBeat(b.encode()); err == nil {
			t.Errorf("%+v is taken", b)
		}
	}
}

// Work for several engines together is done where all of them are: such a process begins to
// when it hears of it.
func TestWorkForSeveralEnginesIsDoneWhereAllAre(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	a, b := aProgram("a", "Engine", "1"), aProgram("b", "Engine", "2")
	var w farm.Work
	w.Takes(a, b, a)
	joiner := func(has ...farm.Program) func(*WorkerConfig) {
		return func(c *WorkerConfig) {
			c.Has = has
			c.Join = func(needs []farm.Need) bool {
				for _, need := range needs {
					if !slices.ContainsFunc(has, func(p farm.Program) bool { return p.Engine() == need.Engine }) {
						return false
					}
				}
				join(t, n, upper, func(c *WorkerConfig) { c.Engine, c.Together = farm.Together(needs), "a and b" })
				return true
			}
		}
	}
	one := &notices{}
	join(t, n, upper, joiner(a), func(c *WorkerConfig) { c.Notice = one.add })
	w.Kind, w.Spec, w.Deadline = "test 1", []byte(`{}`), time.Minute
	s, err := n.begin(t.Context(), w)
	if err != nil {
		t.Fatal(err)
	}
	done := doAside(t, s, 5)
	waitFor(t, func() bool { return told.has("no worker has the engines a and b, as they are wanted: waiting for one") })
	if !one.has("wants the engine b: this worker has none by this name") {
		t.Errorf("%q: want what it lacks", one.list)
	}
	join(t, n, upper, joiner(b, a))
	<-done
	if !told.has("is there, 2 threads, with the engines a and b") {
		t.Errorf("%q: want the worker told of", told.list)
	}
}

// The engines that a session names are those of its signature.
func TestSessionsOfImpossibleEnginesAreRefused(t *testing.T) {
	var w farm.Work
	w.Takes(aProgram("a", "", ""), farm.Program{})
	good := announcement{Session: "s", Engine: w.Engine, Needs: w.Needs}
	for _, spoil := range []func(*announcement){
		func(a *announcement) { a.Engine = "bench-1-2" },
		func(a *announcement) { a.Needs = a.Needs[:1] },
		func(a *announcement) { a.Needs = a.Needs[:1]; a.Engine = farm.Together(a.Needs) },
		func(a *announcement) {
			a.Needs = []farm.Need{a.Needs[1], a.Needs[0]}
			a.Engine = farm.Together(a.Needs)
		},
		func(a *announcement) {
			a.Needs = []farm.Need{a.Needs[0], a.Needs[0]}
			a.Engine = farm.Together(a.Needs)
		},
		func(a *announcement) {
			a.Needs = slices.Repeat(a.Needs, farm.MostNeeds)
			a.Engine = farm.Together(a.Needs)
		},
	} {
		a := good
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeAnnouncement(text); err != nil {
			t.Fatal(err)
		}
		spoil(&a)
		if text, err = json.Marshal(a); err != nil {
			t.Fatal(err)
		}
		if _, err := decodeAnnouncement(text); err == nil {
			t.Errorf("%s is taken", text)
		}
	}
}
