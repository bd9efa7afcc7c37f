package natspool

import (
	"reflect"
	"testing"
	"time"
)

var (
	someBatch = batch{ID: 7, Deadline: time.Minute, Tasks: [][]byte{[]byte("a task"), {}}}
	someFound = answers{Batch: 7, Worker: "host/w2", Busy: time.Millisecond, List: []answer{{Index: 3, Text: []byte("found")}, {Index: 1, Why: "why"}}}
)

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	if m, err := decodeBatch(encode(someBatch)); err != nil || !reflect.DeepEqual(m, someBatch) {
		t.Errorf("%+v comes back as %+v, %v", someBatch, m, err)
	}
	if m, err := decodeAnswers(encode(someFound)); err != nil || !reflect.DeepEqual(m, someFound) {
		t.Errorf("%+v comes back as %+v, %v", someFound, m, err)
	}
}

func TestImpossibleMessagesAreRefused(t *testing.T) {
	for n := range encode(someBatch) {
		if _, err := decodeBatch(encode(someBatch)[:n]); err == nil {
			t.Errorf("the first %d bytes of a batch were taken", n)
		}
	}
	for _, m := range []batch{{Tasks: nil}, {Deadline: -1, Tasks: someBatch.Tasks}, {Deadline: longest + 1, Tasks: someBatch.Tasks}, {Tasks: make([][]byte, maxTasks+1)}} {
		if _, err := decodeBatch(encode(m)); err == nil {
			t.Errorf("a batch of %d tasks in %s was taken", len(m.Tasks), m.Deadline)
		}
	}
	for _, list := range [][]answer{nil, {{Index: -1}}, {{Index: maxTasks}}} {
		if _, err := decodeAnswers(encode(answers{List: list})); err == nil {
			t.Errorf("answers %+v were taken", list)
		}
	}
}

// A full batch, and the largest answer, fit into a message.
func TestMessagesFit(t *testing.T) {
	tasks := batch{Tasks: [][]byte{make([]byte, fullBatch)}}
	found := answers{List: []answer{{Text: make([]byte, maxAnswer)}}}
	if a, b := len(encode(tasks)), len(encode(found)); max(a, b) > maxMessage-1<<16 {
		t.Errorf("%d and %d bytes: want at most %d, with room for the rest", a, b, maxMessage)
	}
}

func FuzzDecodeMessages(f *testing.F) {
	f.Add(encode(someBatch))
	f.Add(encode(someFound))
	f.Fuzz(func(t *testing.T, b []byte) {
		if m, err := decodeBatch(b); err == nil && (len(m.Tasks) == 0 || m.Deadline < 0) {
			t.Errorf("%+v was taken", m)
		}
		if m, err := decodeAnswers(b); err == nil && m.List[0].Index >= maxTasks {
			t.Errorf("%+v was taken", m)
		}
	})
}
