package engine

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine/uci/client"
)

func TestParseSpec(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Spec{
		"captures":     {Weights: "captures"},
		"a b/w,1.json": {Weights: "a b/w,1.json"},
		"weights=w.json,nodes=5,depth=6,hash=7,movetime=8ms,book=b.bin,name=x": {
			Name: "x", Weights: "w.json", Book: "b.bin",
			Search: Config{Nodes: 5, Depth: 6, HashMB: 7, MoveTime: Duration{Duration: 8 * time.Millisecond}},
		},
		`cmd=./other -x "two words" '',dir=/tmp,option.Hash=16,option.Clear Hash=,startup=2s,timeout=3s,tc=1m+2s,unit=250`: {
			Clock: TimeControl{Base: time.Minute, Inc: 2 * time.Second},
			Program: client.Command{
				Path: "./other", Args: []string{"-x", "two words", ""}, Dir: "/tmp", StartUp: 2 * time.Second, Hang: 3 * time.Second, Unit: 250,
				Options: []client.Option{{Name: "Hash", Value: "16"}, {Name: "Clear Hash"}},
			},
		},
		"vary=on":                 {Vary: &Vary{Within: 40, Plies: 12}},
		"vary=10:6":               {Vary: &Vary{Within: 10, Plies: 6}},
		"full_width=true,depth=9": {Search: Config{Depth: 9, FullWidth: true}},
		"book=default,bookloss=1.008,bookvariety=guarded": {
			Book: "default", Policy: PolicyOfPoints(42, Guarded),
		},
		"vary=5": {Vary: &Vary{Within: 5, Plies: 12}},
		"cmd=./bot,protocol=cg,movetime=50ms": {
			Search:  Config{MoveTime: Duration{Duration: 50 * time.Millisecond}},
			Program: client.Command{Path: "./bot", Args: []string{}, Protocol: client.CG},
		},
		"cmd=a,protocol=uci": {Program: client.Command{Path: "a", Args: []string{}}},
		`cmd=a\,b=c`:         {Program: client.Command{Path: "a,b=c", Args: []string{}}},
	} {
		got, err := ParseSpec(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, %v, want %+v", text, got, err, want)
		}
	}
}

func TestPlayersThatCannotBe(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":                             "no player",
		"=":                            "unknown",
		"nodes=5,nodes=6":              "each key once",
		"nodes=5,depth":                "KEY=VALUE",
		"nodes=":                       "no value",
		"nodes=many":                   "expected 1 or more",
		"nodes=-1":                     "expected 1 or more",
		"nodes=0":                      "expected 1 or more",
		"movetime=0s":                  "expected a time above 0",
		"cmd=a 'b":                     "nterminated single-quoted string",
		"vary=no":                      "expected on, WITHIN or WITHIN:PLIES",
		"vary=1:-1":                    "expected on",
		"vary=40:":                     "expected on",
		"vary=10001":                   "expected on",
		"cmd=a,vary=on":                "not for a program",
		"cmd=a,full_width=true":        "not for a program",
		"cmd=a,step=2":                 "not for a program",
		"full_width=maybe":             "expected true or false",
		"book=b,bookloss=x":            "expected 0 to 24",
		"book=b,bookloss=-1":           "expected 0 to 24",
		"book=b,bookvariety=odd":       "expected even, weighted or guarded",
		"bookloss=1":                   "without a book",
		"cmd=a,bookloss=1":             "not for a program",
		"cmd= ":                        "expected a program",
		"cmd=a,weights=captures":       "not for a program",
		"option.Hash=1":                "expected cmd",
		"protocol=cg":                  "expected cmd",
		"cmd=a,protocol=xboard":        "expected uci or cg",
		"cmd=a,protocol=cg,nodes=5":    "movetime alone",
		"cmd=a,protocol=cg,option.X=5": "movetime alone",
		"unit=1":                       "expected cmd",
		"cmd=a,unit=0":                 "expected 0.001 to",
		"cmd=a,unit=NaN":               "expected 0.001 to",
		"tc=soon":                      "BASE+INCREMENT",
		"nose=5":                       "expected one of book, book_loss, book_variety, cmd,",
	} {
		if _, err := ParseSpec(text); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzParseSpec(f *testing.F) {
	f.Add("cmd=a 'b',option.x=\\,y,nodes=5")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := ParseSpec(text); err != nil && len(err.Error()) == 0 {
			t.Error("an error without words")
		}
	})
}
