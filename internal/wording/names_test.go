package wording

import (
	"testing"

	"kroo/internal/testkit"
)

func TestListHasTheConjunctionBeforeTheLastWord(t *testing.T) {
	for want, words := range map[string][]string{"": nil, "a": {"a"}, "a or b": {"a", "b"}, "a, b or c": {"a", "b", "c"}} {
		testkit.Equal(t, List(words, "or"), want, "%q", words)
	}
}

func TestSuggestNamesWhatWasMeant(t *testing.T) {
	evaluations := []string{"default", "default-awari", "captures", "thesis4", "thesis12"}
	for _, c := range []struct {
		given string
		names []string
		want  string
	}{
		{"defualt", evaluations, "did you mean default? "},
		{"capture", evaluations, "did you mean captures? "},
		{"CAPTURES", evaluations, "did you mean captures? "},
		{"thesis", evaluations, "did you mean thesis4? "},
		{"thes", evaluations, "did you mean thesis4 or thesis12? "},
		{"default-", evaluations, "did you mean default? "},
		{"weights.json", evaluations, ""},
		{"", evaluations, ""},
		{"hrd", []string{"easy", "hard"}, "did you mean hard? "},
		{"cg", []string{"uci"}, ""},
		{"x", []string{"y"}, ""},
		{"bat", []string{"cat", "hat", "mat", "rat"}, "did you mean cat, hat or mat? "},
	} {
		testkit.Equal(t, Suggest(c.given, c.names), c.want, "%q of %q", c.given, c.names)
	}
	testkit.Equal(t, Expect("quikc", []string{"quick", "full"}), "did you mean quick? expected quick or full", "quikc")
	testkit.Equal(t, Expect("slow", []string{"quick", "full"}), "expected quick or full", "slow")
}

func TestEditsAreCountedInBothDirections(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     int
	}{
		{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "acb", 1}, {"abc", "abd", 1}, {"abcd", "abd", 1},
		{"kitten", "sitting", 3}, {"ab", "ba", 1}, {"ca", "abc", 3},
	} {
		testkit.Equal(t, countEdits(c.from, c.to), c.want, "%q to %q", c.from, c.to)
		testkit.Equal(t, countEdits(c.to, c.from), c.want, "%q to %q", c.to, c.from)
	}
}
