package uci

import (
	"errors"
	"slices"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// writes receives every write.
type writes chan string

func (w writes) Write(b []byte) (int, error) {
	w <- string(b)
	return len(b), nil
}

func TestHeldLinesAreWrittenWithTheNext(t *testing.T) {
	w := make(writes, 9)
	o := newOutput(w)
	o.wait = time.Hour
	o.hold("one")
	o.hold("two")
	o.text("")
	o.hold("three")
	o.line("four %d", 4)
	o.text("")
	close(w)
	var got []string
	for text := range w {
		got = append(got, text)
	}
	if want := []string{"one\ntwo\n", "three\nfour 4\n"}; !slices.Equal(got, want) {
		t.Errorf("writes %q, want %q", got, want)
	}
}

// Held lines are written even if no other line follows.
func TestHeldLinesAreWrittenInTime(t *testing.T) {
	w := make(writes)
	o := newOutput(w)
	for _, line := range []string{"one", "two"} {
		o.hold(line)
		testkit.Equal(t, <-w, line+"\n", "<-w")
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestAFailedWriteIsReported(t *testing.T) {
	o := newOutput(broken{})
	o.hold("one")
	<-o.failed
	if o.line("two"); o.error() == nil {
		t.Error("no error")
	}
}
