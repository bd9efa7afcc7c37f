package serve

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kroo/endgame"
	"kroo/engine/analysis"
	"kroo/internal/testkit"
)

// jsonNames adds the JSON names of a type's fields.
func jsonNames(names map[string]bool, t reflect.Type) {
	if _, own := reflect.Zero(t).Interface().(json.Marshaler); own {
		var value map[string]json.RawMessage
		if data, err := json.Marshal(reflect.Zero(t).Interface()); err == nil && json.Unmarshal(data, &value) == nil {
			for name := range value {
				names[name] = true
			}
		}
		return
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		switch {
		case name == "" && f.Anonymous:
			jsonNames(names, f.Type)
		case name != "" && name != "-":
			names[name] = true
		}
	}
}

// script returns the text of a script.
func script(t *testing.T, name string) string {
	t.Helper()
	data := testkit.Must(web.ReadFile("web/" + name + ".js"))(t)
	return string(data)
}

// functionOf returns the text of a function in a script.
func functionOf(t *testing.T, text, name string) string {
	t.Helper()
	if _, body, found := strings.Cut(text, "function "+name+"("); found {
		body, _, _ = strings.Cut(body, "\n}\n")
		return body
	}
	if _, body, found := strings.Cut(text, "const "+name+" = "); found {
		body, _, _ = strings.Cut(body, ";\n")
		return body
	}
	t.Fatalf("no function %s", name)
	return ""
}

// The fields that scripts read exist in the JSON of the value's type.
func TestScriptsReadWhatTheServerSends(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		script, function, variable string
		types                      []any
	}{
		{"board", "query", "state", []any{state{}}},
		{"board", "shot", "state", []any{state{}}},
		{"board", "statusText", "state", []any{state{}}},
		{"board", "statusText", "last", []any{ply{}}},
		{"board", "demonstrate", "game", []any{state{}}},
		{"board", "demonstrate", "m", []any{ply{}}},
		{"board", "hint", "h", []any{hint{}}},
		{"board", "reply", "t", []any{thought{}}},
		{"board", "startReview", "p", []any{reviewed{}}},
		{"board", "startReview", "r", []any{reviewed{}}},
		{"board", "summary", "s", []any{analysis.Side{}}},
		{"talk", "worth", "m", []any{analysis.Move{}}},
		{"board", "drawVerdict", "m", []any{analysis.Move{}}},
		{"board", "analyseAgain", "i", []any{insight{}}},
		{"board", "analyseAgain", "l", []any{bestOne{}}},
		{"lines", "worthOf", "l", []any{bestOne{}}},
		{"lines", "bestLines", "l", []any{bestOne{}, struct {
			Game int `json:"game"` // which the script adds
		}{}}},
		{"charts", "deepening", "l", []any{bestOne{}}},
		{"board", "showKnown", "k", []any{known{}}},
		{"board", "showKnown", "t", []any{endgame.Answer{}}},
		{"board", "showKnown", "m", []any{endgame.AnswerMove{}, bookMove{}}},
		{"board", "load", "g", []any{imported{}}},
		{"draw", "sow", "move", []any{ply{}}},
		{"learn", "lost", "m", []any{analysis.Move{}}},
		{"learn", "refuted", "m", []any{analysis.Move{}}},
		{"runs", "draw", "s", []any{runState{}}},
	} {
		names := map[string]bool{}
		for _, v := range c.types {
			jsonNames(names, reflect.TypeOf(v))
		}
		read := regexp.MustCompile(`(?:^|[^\w.$"])`+c.variable+`\??\.(\w+)`).FindAllStringSubmatch(functionOf(t, script(t, c.script), c.function), -1)
		if len(read) == 0 {
			t.Errorf("%s.js: %s reads nothing of %s", c.script, c.function, c.variable)
		}
		for _, m := range read {
			if !names[m[1]] {
				t.Errorf("%s.js: %s reads %s.%s: a %T has no such name", c.script, c.function, c.variable, m[1], c.types[0])
			}
		}
	}
}

// The words in comparisons of scripts are words that the server sends.
func TestScriptsKnowTheWordsOfTheServer(t *testing.T) {
	t.Parallel()
	marks := []string{string(analysis.Inaccuracy), string(analysis.Mistake), string(analysis.Blunder)}
	for _, c := range []struct {
		script, compared string
		words            []string
	}{
		{"board", `\bm\??\.mark`, marks},
		{"charts", `\bm\.side`, kit.Game.Sides[:]},
		{"learn", `\btried\.mark`, marks},
	} {
		found := regexp.MustCompile(c.compared+` === "([^"]*)"`).FindAllStringSubmatch(script(t, c.script), -1)
		if len(found) == 0 {
			t.Errorf("%s.js compares %s with nothing", c.script, c.compared)
		}
		for _, m := range found {
			if !slices.Contains(c.words, m[1]) {
				t.Errorf("%s.js expects %s: the server sends one of %q", c.script, m[0], c.words)
			}
		}
	}
	signs := regexp.MustCompile(`(?m)^export const grades = \{(.*)\};$`).FindStringSubmatch(script(t, "charts"))
	for _, mark := range marks {
		if signs == nil || !strings.Contains(signs[1], mark+": ") {
			t.Errorf("charts.js has no sign for a move that is %q: %v", mark, signs)
		}
	}
}
