package oware

import (
	"testing"

	"kroo/internal/testkit"
)

func TestEmbeddedWeightsAreReadOnce(t *testing.T) {
	for _, rules := range []string{"abapa", "awari", "simple"} {
		a := testkit.Must(Default(rules))(t)
		if b, err := Default(rules); err != nil || a != b {
			t.Errorf("%s: read twice, error %v", rules, err)
		}
		if a != nil && a.Header().Rules != rules {
			t.Errorf("%s: weights for %s", rules, a.Header().Rules)
		}
	}
	for _, name := range otherDefaults() {
		rules, ok := rulesOfOtherDefault(name)
		if e, err := Default(rules); !ok || err != nil || e == nil || e.Header().Rules != rules {
			t.Errorf("%s: no champion for %q; error %v", name, rules, err)
		}
	}
	for _, name := range []string{"default", "default-", "default-simple", "awari", ""} {
		if rules, ok := rulesOfOtherDefault(name); ok {
			t.Errorf("%q stands for the champion of %q", name, rules)
		}
	}
	p := testkit.Must(points())(t)
	if q, err := points(); err != nil || p != q || p.Rules != "abapa" {
		t.Errorf("points: read twice, or for %s; error %v", p.Rules, err)
	}
}
