package tune

import (
	"encoding/json"
	"strings"
	"testing"

	"kroo/internal/journal"
	"kroo/internal/testkit"
	"kroo/match"
)

// Parameters that are taken fit a program within the range that it announces, or are refused
// in one line.
func FuzzParameters(f *testing.F) {
	text := testkit.Read(f, "../../docs/search.toml")
	f.Add(string(text))
	f.Add("[[parameter]]\noption = 'contempt'\nc_end = 10\n[[parameter]]\noption = 'Margin'\nstart = 0.25\nmin = 0\nmax = 1\nc_end = 0.1\nr_end = 0.01")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := parseParameters(text)
		if err == nil {
			var fit []parameter
			fit, err = resolved(list, announced)
			for _, p := range fit {
				if !(p.Min <= p.Start && p.Start <= p.Max && p.Step > 0 && p.Learning > 0) {
					t.Errorf("taken: %+v", p)
				}
			}
		}
		if err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: want one line", err)
		}
	})
}

// A result that is taken is described, and written and read again.
func FuzzResult(f *testing.F) {
	f.Add(`{"format":"` + Format + `","program":"p","iterations":2,"curve_spacing":1,"parameters":[{"option":"x","start":1,"min":0,"max":2,"value":1.5,"tuned":"1.5","moved":0.5,"curve":[1,1.5]}],"wins":1,"draws":1,"losses":2,"forfeits":1}`)
	f.Add(`{"format":"` + Format + `","iterations":1,"parameters":[{}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseResult(strings.NewReader(text))
		if err != nil {
			return
		}
		if r.Doc().Text("tuned.json") == "" {
			t.Error("not described")
		}
		again := testkit.Must(json.Marshal(r))(t)
		if _, err := parseResult(strings.NewReader(string(again))); err != nil {
			t.Errorf("%s: %v", again, err)
		}
	})
}

// A pair that is taken from a journal can be applied.
func FuzzPair(f *testing.F) {
	f.Add([]byte(`{"i":1,"points":[2,0],"forfeits":1}`))
	f.Add([]byte(`{"i":-1,"points":[3]}`))
	f.Fuzz(func(t *testing.T, record []byte) {
		const iterations = 3
		p, err := journal.JSON[pair]().Decode(record)
		if err != nil || p.check(iterations) != nil {
			return
		}
		list := testkit.Must(resolved([]Parameter{{Option: "Contempt", Step: 10}}, announced))(t)
		tuned := &tuning{spsa: newSPSA(list, iterations, iterations, 1), result: newResult(Config{Config: match.Config{Pairs: iterations}}, "p", list)}
		for i := range iterations {
			p.Iteration = i
			if err := tuned.apply(p); err != nil && p.Forfeits == 0 {
				t.Errorf("%+v: %v", p, err)
			}
		}
		if value := tuned.result.at(tuned.spsa).Parameters[0].Value; !(value >= -100 && value <= 100) {
			t.Errorf("%+v: tuned to %g", p, value)
		}
	})
}
