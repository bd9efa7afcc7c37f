package wording

import (
	"math"
	"runtime/debug"
	"strings"
	"testing"
	"unicode/utf8"

	"kroo/internal/testkit"
)

func TestOneLineReplacesOnlyUnprintableCharacters(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"  two  spaces ", "  two  spaces "},
		{"a\nb\r\n\tc\u2028d\u0085e", "a b   c d e"},
		{"bell\x07 escape\x1b[31m zero\x00", "bell? escape?[31m zero?"},
		{"not\xff\xfeUTF-8", "not?UTF-8"},
		{"right-to-left\u202e", "right-to-left?"},
		{"d'aualé 四", "d'aualé 四"},
	} {
		testkit.Equal(t, OneLine(c.text), c.want, "OneLine(%q)", c.text)
	}
}

func TestShortCollapsesSpacesAndTruncates(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" \n", ""},
		{" two \n\n spaces ", "two spaces"},
		{strings.Repeat("x", 300), strings.Repeat("x", 300)},
		{strings.Repeat("x", 301), strings.Repeat("x", 297) + "…"},
		{strings.Repeat("é", 200), strings.Repeat("é", 148) + "…"}, // never cut within a character
		{strings.Repeat("x", 296) + " end", strings.Repeat("x", 296) + " end"},
		{strings.Repeat("x", 296) + " the end", strings.Repeat("x", 296) + "…"},
	} {
		testkit.Equal(t, Short(c.text), c.want, "Short(%q)", c.text)
	}
}

func TestRecordsForPeopleHaveNoIdentifiers(t *testing.T) {
	for record, want := range map[string]string{
		"train endgame build --resolve=12 of 10d5eb11c93d309f, build e1fd99b3e8401e63": "train endgame build --resolve=12",
		"train book expand of 10d5eb11c93d309f":                                        "train book expand",
		"bench-9199904-351840, default 4cd07b1d489dfc38, hash 16 MiB, default tables":  "default 4cd07b1d489dfc38, hash 16 MiB, default tables",
		"bench-9199904": "",
		"a, 7c2cf4cf96992bffd2c04433869270cdd4555a5d+changes": "a",
		"from 1a2b3c4d of 20975 entries, plies 12":            "from 20975 entries, plies 12",
		"Stockfish 16, hash 16 MiB":                           "Stockfish 16, hash 16 MiB",
	} {
		testkit.Equal(t, WithoutIDs(record), want, "%s", record)
	}
}

func FuzzOneLine(f *testing.F) {
	f.Add("a\r\n b\x00\xff\u2029")
	f.Add(strings.Repeat("é ", 200))
	f.Fuzz(func(t *testing.T, text string) {
		of, short := OneLine(text), Short(text)
		if strings.ContainsAny(of, "\x00\n\r\t\v\f\u0085\u2028\u2029") || !utf8.ValidString(of) || !utf8.ValidString(short) || len(short) > longest {
			t.Errorf("%q: Of %q, Short %q", text, of, short)
		}
		if OneLine(of) != of || OneLine(short) != short || Short(short) != short {
			t.Errorf("%q: Of %q, Short %q: not the same when done again", text, of, short)
		}
	})
}

func TestCountOfOneIsSingular(t *testing.T) {
	for n, want := range map[int]string{0: "0 games", 1: "1 game", 2: "2 games", 1000: "1000 games"} {
		testkit.Equal(t, Count(n, "game"), want, "%d", n)
	}
}

func TestSpansAreNeverNegative(t *testing.T) {
	for seconds, want := range map[float64]string{0: "0s", 130.4: "2m10s", 3600: "1h0m0s", -5: "0s", 9.3e9: "", 1e300: "", math.Inf(1): "", math.NaN(): ""} {
		testkit.Equal(t, Span(seconds), want, "%g", seconds)
	}
}

func TestRateUsesAUnitWithAtLeastOneEvent(t *testing.T) {
	for perSecond, want := range map[float64]string{
		12_345.6: "12346 games/s", 100: "100 games/s", 99.94: "99.9 games/s", 1: "1.0 games/s", 0.5: "30.0 games/min",
		0.01: "36.0 games/h", 1.0 / 7200: "12.0 games/day", 1e-9: "", 0: "", -1: "", math.Inf(1): "", math.NaN(): "",
	} {
		testkit.Equal(t, Rate(perSecond, "games"), want, "%g", perSecond)
	}
}

func TestAPathIsNotReadAsAFlag(t *testing.T) {
	for name, want := range map[string]string{"x": "x", "-x": "./-x", "./-x": "./-x", "-": "./-", "--my file": "'./--my file'"} {
		testkit.Equal(t, Path(name), want, "%s is written", name)
	}
}

func TestProgramIsTheCommandThatStartedIt(t *testing.T) {
	kroo := &debug.BuildInfo{Path: "kroo/cmd/train", Main: debug.Module{Path: "kroo"}}
	for name, want := range map[string]string{
		"train": "train", "./train": "./train", "/opt/my tools/train": "'/opt/my tools/train'",
		"/root/.cache/go-build/ab/abcd-d/train": "go run ./cmd/train", "/tmp/go-build123/b001/exe/train": "go run ./cmd/train",
	} {
		testkit.Equal(t, program(name, kroo), want, "%s is named", name)
	}
	kalah := &debug.BuildInfo{Path: "example.org/kalah/train", Main: debug.Module{Path: "example.org/kalah"}}
	testkit.Equal(t, program("/tmp/go-build123/b001/exe/train", kalah), "go run ./train", "a program of another module")
}
