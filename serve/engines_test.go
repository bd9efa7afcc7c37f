package serve

import (
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/internal/testkit"
)

// Only what cannot be used under the rules is replaced.
func TestWeightsRemainWhereTheBookDoesNotServe(t *testing.T) {
	spec := engine.Spec{Weights: engine.CapturesName, Book: book.AwariName, Search: engine.Config{HashMB: 1}}
	e := testkit.Must(openFor(spec, "abapa"))(t)
	defer e.Close()
	testkit.Equal(t, e.Eval.Name, engine.CapturesName, "weights")
}
