package oware

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/games/oware"
)

// A model made of tables is compiled to the same tables.
func TestDecompiledWeightsCompileToTheSameTables(t *testing.T) {
	for _, spec := range []string{"store+phase+storephase+houses+pairs+triples+quads+sixes", "store+houses", "storephase+houses+sixes", "pairs+rows"} {
		e := compiled(t, randomModel(t, spec, 20))
		m, err := Decompile(e, parse(t, "store+phase+storephase+houses+pairs+sixes"))
		if err != nil {
			t.Fatal(err)
		}
		again := compiled(t, m)
		if strings.Contains(spec, "sixes") && strings.Contains(spec, "pairs") && again.Hash() != e.Hash() {
			t.Errorf("%s: other tables", spec)
		}
		for _, p := range randomGames(rand.New(rand.NewPCG(3, 1)), oware.Abapa, 2000) {
			if a, b := e.Evaluate(p), again.Evaluate(p); a != b {
				t.Fatalf("%s: %v is %d, was %d", spec, p, b, a)
			}
		}
	}
}

func TestDecompileRefuses(t *testing.T) {
	e := compiled(t, randomModel(t, "store+pairs", 10))
	for spec, want := range map[string]string{"storephase+houses+pairs": "storephase, houses and sixes", "storephase+houses/2+sixes": "stages"} {
		if _, err := Decompile(e, parse(t, spec)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v: want one with %q", spec, err, want)
		}
	}
	if _, err := Decompile(compiled(t, randomModel(t, "pairs/2", 10)), parse(t, "storephase+houses+sixes")); err == nil || !strings.Contains(err.Error(), "stages") {
		t.Error(err)
	}
}
