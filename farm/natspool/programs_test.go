package natspool

import (
	"context"
	"strings"
	"testing"
	"time"

	"kroo/farm"
)

func aProgram(name, calls, identity string) farm.Program {
	return farm.Program{Name: name, Calls: calls, Identity: identity}
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
		p, err := n.Program(asked, "theirs")
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
	if p, err := n.Program(t.Context(), "theirs"); err != nil || p != first {
		t.Errorf("%+v, error %v: want the first again", p, err)
	}
	if _, workers := n.threads(first.Engine()); workers != 2 {
		t.Errorf("%d workers for it", workers)
	}
	if _, err := n.Program(t.Context(), "a b"); err == nil {
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
