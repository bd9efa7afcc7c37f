package serve

import (
	"encoding/json"
	"math"
	"testing"
)

func TestWeightsAreTakenApart(t *testing.T) {
	s := testServer(t, Config{})
	for _, name := range []string{"default", "captures"} {
		code, _, text := get(s, "/api/weights/explain?board=4-4-4-4-4-0-5-5-5-5-4-4-0-0-N&g=0&h=3&name="+name)
		var v weightsView
		if err := json.Unmarshal([]byte(text), &v); err != nil || code != 200 || len(v.Houses) != houses || len(v.Curves) != houses || len(v.Curves[0]) != curveSeeds+1 || v.Turn != 1 {
			t.Fatalf("%s: %d %s, %v", name, code, text, err)
		}
		sum := v.Board
		for _, h := range v.Houses {
			sum += h.Points
		}
		if math.Abs(sum-v.Points) > 1e-6 {
			t.Errorf("%s: the houses and the board are worth %g, all %g", name, sum, v.Points)
		}
		if (v.Slice != nil) != (name == "default") {
			t.Errorf("%s: slice %v", name, v.Slice)
		}
	}
	for _, query := range []string{"name=../x", "name=no.json", "board=1-2", "rules=chess", "g=12", "g=x", "g=1&h=1"} {
		if code, _, text := get(s, "/api/weights/explain?"+query); code != 400 && code != 404 {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}

func TestWeightsInfoAndComparison(t *testing.T) {
	s := testServer(t, Config{})
	if code, _, text := get(s, "/api/weights/info?name=default"); code != 200 {
		t.Errorf("info: %d %s", code, text)
	}
	code, _, text := get(s, "/api/weights/compare?name=default&other=captures")
	var c struct{ Boards struct{ R float64 } }
	if err := json.Unmarshal([]byte(text), &c); err != nil || code != 200 || c.Boards.R < 0.5 {
		t.Errorf("comparison: %d %s, %v", code, text, err)
	}
}
