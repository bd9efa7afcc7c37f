package engine

import (
	"bytes"
	"reflect"
	"testing"
	"time"

	"kroo/engine/search"
	"kroo/internal/testkit"
)

var answers = []Answer{
	{},
	{HasMove: true, Book: true, Move: 3},
	{Score: -search.Win, Steady: -search.Win, Proven: true, Nodes: 1},
	{HasMove: true, Move: 1<<16 - 1, Score: -5, Steady: 7, Depth: 512, Nodes: search.MaxNodes, Time: 20 * time.Microsecond},
}

// Answers follow each other without anything between.
func TestAnswersComeBackAsTheyWere(t *testing.T) {
	var text []byte
	for _, a := range answers {
		text = a.Append(text)
	}
	for _, want := range answers {
		got, rest, err := ParseAnswer(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v comes back as %+v, %v", want, got, err)
		}
		text = rest
	}
	testkit.Equal(t, len(text), 0, "bytes left")
}

func TestDamagedAnswersAreRefused(t *testing.T) {
	good := answers[3].Append(nil)
	for n := range good {
		_, _, err := ParseAnswer(good[:n])
		testkit.Refused(t, err, "not the answer of a search")
	}
	for name, spoil := range map[string]func(*Answer){
		"score":      func(a *Answer) { a.Score = search.Win + 1 },
		"steady":     func(a *Answer) { a.Steady = -search.Win - 1 },
		"depth":      func(a *Answer) { a.Depth = search.MaxPly + 1 },
		"nodes":      func(a *Answer) { a.Nodes = -1 },
		"more nodes": func(a *Answer) { a.Nodes = search.MaxNodes + 1 },
		"time":       func(a *Answer) { a.Time = -time.Second },
	} {
		bad := answers[3]
		spoil(&bad)
		if _, _, err := ParseAnswer(bad.Append(nil)); err == nil {
			t.Errorf("%s out of range: no error", name)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, a := range answers {
		f.Add(a.Append(nil))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		a, rest, err := ParseAnswer(text)
		if err != nil {
			return
		}
		back, none, err := ParseAnswer(a.Append(nil))
		if err != nil || len(none) > 0 || !reflect.DeepEqual(back, a) || !bytes.HasSuffix(text, rest) {
			t.Errorf("%+v comes back as %+v, %v", a, back, err)
		}
	})
}
