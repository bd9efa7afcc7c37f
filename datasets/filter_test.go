package datasets

import (
	"strings"
	"testing"
)

func FuzzWhere(f *testing.F) {
	columns := []Column{{Name: "phase", Type: NumberField}, {Name: "exact", Type: TruthField}, {Name: "best", Type: TextField}}
	f.Add("phase>=20, exact=true,best!=F")
	f.Add("=<!>,phase<,")
	f.Fuzz(func(t *testing.T, text string) {
		w, err := ParseFilter(text, columns)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "filter ") {
				t.Errorf("error %v", err)
			}
			return
		}
		w.Wants(func(int) float64 { return 1 }, func(int) string { return "A" })
		w.Wants(func(int) float64 { return 0 }, func(int) string { return "" })
	})
}
