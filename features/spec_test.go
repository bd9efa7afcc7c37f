package features

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// An accepted spec names families, each once, and equals the sum of its parts.
func FuzzSpec(f *testing.F) {
	families := []string{"houses", "pairs", "triples"}
	for _, spec := range []string{"houses", "houses+pairs/3", "triples/9+houses", "pairs/", "+", "houses/0", "houses/10"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		asked, err := parseSpec(spec, families, 8)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 1000 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		words := strings.Split(spec, "+")
		testkit.Equal(t, len(words), len(asked), "%q: %v", spec, asked)
		for family, stages := range asked {
			if !slices.Contains(words, family) && !slices.Contains(words, fmt.Sprintf("%s/%d", family, stages)) || stages < 1 || stages > 8 {
				t.Errorf("%q: %s in %d stages", spec, family, stages)
			}
		}
	})
}
