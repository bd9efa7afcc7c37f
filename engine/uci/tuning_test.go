package uci

import (
	"fmt"
	"strings"
	"testing"

	"kroo/engine/search"
	"kroo/internal/testkit"
)

// Without Config.Tuning, the search settings are not offered and cannot be set.
func TestSettingsOfTheSearchAreHidden(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	for _, l := range c.ask("uci", "setoption name Futility value 10") {
		if strings.Contains(l, "option name Futility") {
			t.Errorf("the service offers %q", l)
		}
		if strings.Contains(l, "unknown option") {
			return
		}
	}
	t.Error("an option that is not offered can be set")
}

// The settings are offered with the values of the evaluation. Setting these changes nothing, other values
// change the search, and values out of range are rejected.
func TestSettingsOfTheSearchAreOptions(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tuning: true}))
	announced := c.ask("uci")
	nodes := func(commands ...string) string {
		c.send(append(commands, "setoption name Clear Hash", "go depth 12")...)
		last := ""
		for _, l := range c.until("bestmove") {
			if _, after, ok := strings.Cut(l, " nodes "); ok {
				last = strings.Fields(after)[0]
			}
		}
		return last
	}
	plain := nodes()
	own := new(search.Tuning).WithDefaults(false)
	for _, setting := range own.Settings() {
		line := fmt.Sprintf("option name %s type spin default %d min %d max %d", setting.Name, *setting.Value, setting.Min, setting.Max)
		testkit.Equal(t, count(announced, line), 1, "%q is not among what is announced", line)
		testkit.Equal(t, nodes(fmt.Sprintf("setoption name %s value %d", setting.Name, *setting.Value)), plain, "%s as it", setting.Name)
		text := fmt.Sprintf("setoption name %s value %d", setting.Name, setting.Max+1)
		if got := c.ask(text); count(got, "info string setoption: "+setting.Name) != 1 {
			t.Errorf("%s: %q", text, got)
		}
	}
	if got := nodes("setoption name Futility value 500"); got == plain {
		t.Errorf("a different margin: still %s nodes", got)
	}
	testkit.Equal(t, nodes("setoption name Futility value 300"), plain, "the margin set back")
}

// Settings that the client has not set follow the active evaluation.
func TestSettingsFollowTheEvaluation(t *testing.T) {
	c := dial(t, ctx, newServer(t, setup{HashMB: 1, Tuning: true}))
	plain := dial(t, ctx, newServer(t, setup{HashMB: 1}))
	search := []string{"setoption name Weights value default", "go depth 10"}
	c.send(search...)
	plain.send(search...)
	score := func(lines []string) (s string) {
		for _, l := range lines {
			if _, after, ok := strings.Cut(l, "info depth 10 "); ok {
				s, _, _ = strings.Cut(after, " nps ")
			}
		}
		return s
	}
	if got, want := score(c.until("bestmove")), score(plain.until("bestmove")); got != want || want == "" {
		t.Errorf("%q, want %q", got, want)
	}
}
