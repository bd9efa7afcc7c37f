package oware

import (
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// A model made of tables is compiled to the same tables.
func TestDecompiledWeightsCompileToTheSameTables(t *testing.T) {
	for _, spec := range []string{"store+phase+storephase+houses+pairs+triples+quads+sixes", "store+houses", "storephase+houses+sixes", "pairs+rows"} {
		e := compilationOf(t, randomModel(t, spec, 20))
		m := testkit.Must(decompile(e, parse(t, "store+phase+storephase+houses+pairs+sixes")))(t)
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

// Weights without stages work for a set with stages, which repeats them; weights with stages need a
// set with as many.
func TestDecompiledStagesCompileToTheSameFunction(t *testing.T) {
	for spec, into := range map[string]string{
		"store+phase+houses+pairs+sixes":            "storephase+houses/3+pairs/3+sixes",
		"storephase+houses+quads":                   "storephase+houses/4+sixes/4",
		"store+houses/2+pairs/2+quads+sixes":        "storephase+houses/2+pairs/2+sixes/2",
		"storephase+houses/4+triples/4+quads/4":     "storephase+houses/4+sixes/4",
		"storephase+houses/3+triples+adjacent+rows": "storephase+houses/3+sixes/3",
	} {
		e := compilationOf(t, randomModel(t, spec, 20))
		m := testkit.Must(decompile(e, parse(t, into)))(t)
		again := compiled(t, m)
		for _, p := range randomGames(rand.New(rand.NewPCG(3, 2)), oware.Abapa, 2000) {
			if a, b := e.Evaluate(p), again.Evaluate(p); a != b {
				t.Fatalf("%s as %s: %v is %d, was %d", spec, into, p, b, a)
			}
		}
	}
}

func TestDecompileRefuses(t *testing.T) {
	e := compilationOf(t, randomModel(t, "store+pairs", 10))
	_, err := decompile(e, parse(t, "storephase+houses+pairs"))
	testkit.Refused(t, err, "storephase, houses and sixes")
	staged := compilationOf(t, randomModel(t, "pairs/2", 10))
	for _, spec := range []string{"storephase+houses+sixes", "storephase+houses/2+sixes", "storephase+houses/3+sixes/3"} {
		_, err := decompile(staged, parse(t, spec))
		testkit.Refused(t, err, "houses/2 and sixes/2")
	}
}
