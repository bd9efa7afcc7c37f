package natspool

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

var (
	someBatch = batch{id: 7, deadline: time.Minute, tasks: [][]byte{[]byte("a task"), {}}}
	someFound = answers{batch: 7, worker: "host/w2", busy: time.Millisecond, list: []answer{{index: 3, text: []byte("found")}, {index: 1, failed: true, text: []byte("why")}}}
)

func TestMessagesComeBackAsTheyWere(t *testing.T) {
	if m, err := decodeBatch(someBatch.append(nil)); err != nil || !reflect.DeepEqual(m, someBatch) {
		t.Errorf("%+v comes back as %+v, %v", someBatch, m, err)
	}
	if m, err := decodeAnswers(someFound.append(nil)); err != nil || !reflect.DeepEqual(m, someFound) {
		t.Errorf("%+v comes back as %+v, %v", someFound, m, err)
	}
}

func TestMessagesCutAnywhereAreRefused(t *testing.T) {
	for _, c := range []struct {
		whole  []byte
		decode func([]byte) error
	}{
		{someBatch.append(nil), func(b []byte) error { _, err := decodeBatch(b); return err }},
		{someFound.append(nil), func(b []byte) error { _, err := decodeAnswers(b); return err }},
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

func FuzzDecodeMessages(f *testing.F) {
	f.Add(someBatch.append(nil))
	f.Add(someFound.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		var back []byte
		if m, err := decodeBatch(b); err == nil {
			back = m.append(nil)
		} else if m, err := decodeAnswers(b); err == nil {
			back = m.append(nil)
		} else {
			return
		}
		if !bytes.Equal(back, b) {
			t.Errorf("%x comes back as %x", b, back)
		}
	})
}
