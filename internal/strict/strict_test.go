package strict

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"kroo/internal/testkit"
)

type target struct {
	Size  int            `json:"size"`
	Names []string       `json:"names"`
	Inner map[string]any `json:"inner"`
	List  []*target      `json:"list"`
}

// Keys of a map may differ in case alone: encoding/json keeps both.
func TestKeysOfMapsHaveACase(t *testing.T) {
	var got target
	testkit.NoError(t, JSON([]byte(`{"inner": {"A0": 1, "a0": 2}, "list": [{"inner": {"B": {"x": 1, "X": 2}}}]}`), 1000, &got))
	if len(got.Inner) != 2 || len(got.List[0].Inner["B"].(map[string]any)) != 2 {
		t.Errorf("got %+v", got)
	}
}

func TestWholeObjectIsDecoded(t *testing.T) {
	var got target
	text := ` { "size": 3, "names": ["a", "b"], "inner": {"size": 1, "deep": [[{"size": 2}]]} } ` + "\n"
	testkit.NoError(t, JSON([]byte(text), len(text), &got))
	var want target
	if err := json.Unmarshal([]byte(text), &want); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

func TestRefused(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"unknown field":      {`{"size": 1, "sizes": 2}`, `unknown field "sizes"`},
		"field twice":        {`{"size": 1, "size": 2}`, `field "size" appears twice: expected it once`},
		"twice, other case":  {`{"size": 1, "SIZE": 2}`, `field "SIZE" appears twice, first as "size": expected it once; case does not matter`},
		"twice, long s":      {`{"size": 1, "ſize": 2}`, `appears twice, first as "size"`},
		"twice in a list":    {`{"list": [{"size": 1, "SIZE": 2}]}`, `field "SIZE" appears twice, first as "size"`},
		"twice, inside":      {`{"inner": {"a": [{"b": 1, "b": 2}]}}`, `field "b" appears twice: expected it once`},
		"text after":         {`{"size": 1} x`, "expected nothing after the object"},
		"object after":       {`{"size": 1}{}`, "expected nothing after the object"},
		"empty":              {``, "expected a JSON object"},
		"null":               {`null`, "expected a JSON object"},
		"array":              {`[]`, "expected a JSON object"},
		"ends in a name":     {`{"si`, "the file ends"},
		"ends in an object":  {`{"size": 1`, "the file ends"},
		"ends in an array":   {`{"names": ["a"`, "the file ends"},
		"number as a name":   {`{1: 2}`, "near byte"},
		"wrong type":         {`{"size": "x"}`, "near byte"},
		"too deep":           {`{"inner": ` + strings.Repeat("[", 100_000), "nested too deep"},
		"one level too many": {nested(deepestJSON), "nested too deep"},
		"too long":           {`{"size": 1` + strings.Repeat(" ", 200_000) + `}`, "longer than 150000 bytes"},
	} {
		err := JSON([]byte(c.text), 150_000, new(target))
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v: want one line with %q", name, err, c.want)
		}
	}
	if err := JSON([]byte(nested(deepestJSON-1)), 1000, new(target)); err != nil {
		t.Errorf("%d levels: %v", deepestJSON, err)
	}
}

// nested returns n nested objects.
func nested(n int) string {
	return `{"inner": {"x": ` + strings.Repeat("[", n-1) + strings.Repeat("]", n-1) + `}}`
}

// A newer build may write unknown fields: the error names that build.
func TestUnknownFieldErrorNamesTheWriter(t *testing.T) {
	for text, want := range map[string]string{
		`{"tool": "build 12ab", "more": 1}`:           `written by "build 12ab", which may be newer`,
		`{"inner": {"tool": "0a1b2c"}, "more": 1}`:    `written by "0a1b2c"`,
		`{"names": [], "inner": {"a": 1}, "more": 1}`: `unknown field "more"`,
		`{"tool": 5, "more": 1}`:                      "unknown field",
	} {
		err := JSON([]byte(text), 1000, new(target))
		_, newer := errors.AsType[Newer](err)
		if err == nil || !strings.Contains(err.Error(), want) || newer != strings.Contains(want, "written by") {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

func TestRead(t *testing.T) {
	var got target
	if err := ReadJSON(strings.NewReader(`{"size": 7}`), 11, &got); err != nil || got.Size != 7 {
		t.Errorf("got %+v, error %v", got, err)
	}
	testkit.ErrorContains(t, ReadJSON(strings.NewReader(`{"size": 7}`), 10, &got), "longer than 10 bytes")
	broken := errors.New("broken")
	if err := ReadJSON(iotest.ErrReader(broken), 10, &got); !errors.Is(err, broken) {
		t.Errorf("a reader's error: %v", err)
	}
}

// Accepted objects decode to the same value as with encoding/json.
// quoted matches strings and comments: the slow twin of quotedLen.
var quoted = regexp.MustCompile(`^(?s:"""(?:\\.|[^\\])*?"{3,}|'''.*?'{3,}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\r\n]*)`)

func TestQuotedTextIsSkipped(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := []byte("\"\"\"'''\\\n\r#a.")
	for range 20_000 {
		text := []byte{`"'#`[rng.IntN(3)]}
		for range rng.IntN(12) {
			text = append(text, letters[rng.IntN(len(letters))])
		}
		if got, want := quotedLen(string(text)), len(quoted.Find(text)); got != want {
			t.Fatalf("%q: %d, want %d", text, got, want)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, text := range []string{`{"size":1,"names":["a"],"inner":{"a":null}}`, `{"ſize":1}`, `{}`, `{"size":1}x`, `[`, `{"a":1,"A":2}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var got, want target
		if err := JSON(data, 1000, &got); err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("an error of several lines: %q", err)
			}
			return
		}
		if err := json.Unmarshal(data, &want); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v, error %v", got, want, err)
		}
	})
}

// Small, deeply nested configurations would take gigabytes to decode.
func TestNestedConfigurationsTakeLittleMemory(t *testing.T) {
	const n = 3000
	brackets := strings.Repeat("[ ", deepestTOML) + strings.Repeat("] ", deepestTOML)
	var keys strings.Builder
	for i := range longestTOML / 8 {
		fmt.Fprintf(&keys, "%x=0,", i)
	}
	for name, c := range map[string]struct{ text, want string }{
		"inline tables": {"seed = 1\na" + strings.Repeat("={a", n), "line 2: nested too deep"},
		"dotted key":    {strings.Repeat("a.", n) + "a = 1", "line 1: nested too deep"},
		"quoted key":    {strings.Repeat(`"a#" . `, n) + "a = 1", "nested too deep"},
		"table":         {"[" + strings.Repeat("a.", n) + "a]", "nested too deep"},
		"many tables":   {strings.Repeat("["+strings.Repeat("a.", 30)+"a]\n", n/3), "nested too deep"},
		"arrays":        {"a = " + strings.Repeat("[\n", n), "line 7: nested too deep"},
		"after strings": {"a = \"\"\"x\\\"\"\"\"\"\nb = '''y''''\nc = \"\\\"\"\n# \" '\rd" + strings.Repeat("={a", n), "line 4: nested too deep"},
		"long":          {"a = \"" + strings.Repeat("a", longestTOML) + "\"", "at most 131072"},
		"many keys":     {strings.Repeat("a.a.a.a.a.a.a={", deepestTOML) + keys.String() + strings.Repeat("}", deepestTOML), ""},
		"as it may be":  {"a = " + brackets + "# " + strings.Repeat("[.", n) + "\nb = '" + strings.Repeat("{.", n) + "'\nc = [" + strings.Repeat("0.5, ", n) + "]", ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Table(c.text)
		runtime.ReadMemStats(&after)
		if c.want == "" {
			testkit.NoError(t, err)
		} else {
			testkit.ErrorContains(t, err, c.want)
		}
		if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 128 {
			t.Errorf("%s: %d bytes took %d MB", name, len(c.text), took)
		}
	}
}
