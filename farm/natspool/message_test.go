package natspool

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"
)

var (
	someBatch = batch{id: 7, work: digest{1, 2, 3}, deadline: time.Minute, avoid: []string{"w-1", "w-4"}, tasks: [][]byte{[]byte("a task"), {}}}
	someFound = answers{batch: 7, work: digest{1}, worker: "w-2", busy: time.Millisecond, first: 3, list: []answer{{text: []byte("found")}, {failed: true, text: []byte("why")}}}
	someTaken = taken{batch: 9, worker: "w-3"}
	somePass  = taken{batch: 9, worker: "w-3", passed: true}
)

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	if m, err := decodeBatch(someBatch.append(nil)); err != nil || !reflect.DeepEqual(m, someBatch) {
		t.Errorf("%+v comes back as %+v, %v", someBatch, m, err)
	}
	if m, err := decodeAnswers(someFound.append(nil)); err != nil || !reflect.DeepEqual(m, someFound) {
		t.Errorf("%+v comes back as %+v, %v", someFound, m, err)
	}
	for _, some := range []taken{someTaken, somePass} {
		if m, err := decodeTaken(some.append(nil)); err != nil || m != some {
			t.Errorf("%+v comes back as %+v, %v", some, m, err)
		}
	}
}

func TestMessagesCutAnywhereAreRefused(t *testing.T) {
	for _, c := range []struct {
		whole  []byte
		decode func([]byte) error
	}{
		{someBatch.append(nil), func(b []byte) error { _, err := decodeBatch(b); return err }},
		{someFound.append(nil), func(b []byte) error { _, err := decodeAnswers(b); return err }},
		{somePass.append(nil), func(b []byte) error { _, err := decodeTaken(b); return err }},
	} {
		for n := range c.whole {
			if c.decode(c.whole[:n]) == nil {
				t.Errorf("the first %d bytes of %q were taken", n, c.whole)
			}
		}
		if c.decode(append(c.whole, 0)) == nil || c.decode(make([]byte, maxMessage+1)) == nil {
			t.Error("a message that is too long was taken")
		}
	}
}

func TestWorkersHaveNamesThatSubjectsTake(t *testing.T) {
	for _, name := range []string{"a.b", "a>", "*", "a b", strings.Repeat("x", maxID+1)} {
		if _, err := decodeTaken(taken{worker: name}.append(nil)); err == nil {
			t.Errorf("the name %q was taken", name)
		}
	}
}

func FuzzDecodeMessages(f *testing.F) {
	f.Add(someBatch.append(nil))
	f.Add(someFound.append(nil))
	f.Add(someTaken.append(nil))
	f.Add(somePass.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		var back []byte
		if m, err := decodeBatch(b); err == nil {
			back = m.append(nil)
		} else if m, err := decodeAnswers(b); err == nil {
			back = m.append(nil)
		} else if m, err := decodeTaken(b); err == nil {
			back = m.append(nil)
		} else {
			return
		}
		if !bytes.Equal(back, b) {
			t.Errorf("%x comes back as %x", b, back)
		}
	})
}
