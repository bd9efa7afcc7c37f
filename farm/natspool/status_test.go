package natspool

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
)

// alone is a coordinator without a server.
func alone() (*Network, *notices) {
	told := &notices{}
	return &Network{config: Config{teller: &teller{to: told.add}}, sessions: map[string]*session{}, workers: map[string]*worker{}, waiting: map[string]bool{}}, told
}

func (n *Network) hears(b Beat) { n.beat(&nats.Msg{Data: b.encode()}) }

// What others call themselves goes to a terminal.
func TestStatusKeepsControlCharactersOut(t *testing.T) {
	const escape = "a\x1b[2Jb\nc"
	beat := Beat{ID: "w1", Host: escape, Engine: escape, Tool: escape, Threads: 1}
	var st Status
	workers := map[string]WorkerStatus{}
	st.add(beat.encode(), workers)
	beat.ID = "w2"
	text, err := json.Marshal(Status{
		Sessions: []SessionStatus{{Session: "s1", Host: escape, Kind: escape, Engine: escape, ToGo: 1e300}, {Session: escape}},
		Workers:  []WorkerStatus{{Beat: beat}, {Beat: Beat{ID: escape}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	st.add(text, workers)
	if len(workers) != 2 || len(st.Sessions) != 1 || st.Sessions[0].ToGo > 1e9 {
		t.Errorf("%+v, %+v: want two workers and a session", workers, st.Sessions)
	}
	if text := fmt.Sprint(workers, st.Sessions); strings.ContainsAny(text, "\x1b\n") || strings.Count(text, "a?[2Jb c") != 9 {
		t.Errorf("%q: want question marks in place of escapes", text)
	}
}

func TestReportsFitIntoAMessage(t *testing.T) {
	n, _ := alone()
	for i := range 5000 {
		n.hears(Beat{ID: fmt.Sprint("w", i), Host: strings.Repeat("<", 300), Threads: 1})
	}
	text, err := json.Marshal(n.report())
	if err != nil || len(text) > maxMessage || len(text) < maxMessage/2 {
		t.Errorf("%d bytes, %v: want at most %d", len(text), err, maxMessage)
	}
}

func TestWorkersThatHaveLeftWereSeen(t *testing.T) {
	n, told := alone()
	n.hears(Beat{ID: "left", Threads: 1})
	n.hears(Beat{ID: "left", Threads: 1, Leaving: true})
	n.hears(Beat{ID: "goes", Threads: 1})
	n.hears(Beat{ID: "goes", Threads: 1, Leaving: true})
	n.strike("left")
	n.strike("unheard")
	seen := map[string]float64{}
	for _, w := range n.report().Workers {
		seen[w.ID] = w.LastSeen
	}
	if len(seen) != 2 || !(seen["left"] >= 0 && seen["left"] < 60) || seen["unheard"] != -1 {
		t.Errorf("last seen %v: want the two with refused answers, one just now and one never", seen)
	}
	if _, workers := n.threads(""); workers != 0 {
		t.Errorf("%d workers are there", workers)
	}
	n.hears(Beat{ID: "left", Threads: 1})
	if _, workers := n.threads(""); workers != 1 || len(told.list) != 3 {
		t.Errorf("%d workers are there, told %q: want one that is back", workers, told.list)
	}
}

// Beats come while answers are refused: the race detector looks at both.
func TestBeatsAndStrikesAtATime(t *testing.T) {
	n, told := alone()
	var wait sync.WaitGroup
	for range 2 {
		wait.Go(func() {
			for i := range 200 {
				n.hears(Beat{ID: fmt.Sprint("w", i), Host: "host", Threads: 1})
			}
		})
		wait.Go(func() {
			for i := range 200 {
				for range mostRefused - 1 {
					n.strike(fmt.Sprint("w", i))
				}
			}
		})
	}
	wait.Wait()
	if !told.has("worker host/w7 is there") || !told.has("w7 is sent away") {
		t.Errorf("told %q: want workers that come and are sent away", told.list)
	}
}
