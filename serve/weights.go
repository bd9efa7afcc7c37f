package serve

import (
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"

	g "maragu.dev/gomponents"

	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
	"kroo/run/inspect"
)

// openWeights reads weights by the name in a request.
func (s *Server) openWeights(name string) (features.Loaded, error) {
	path := name
	if !slices.Contains(kit.Names, name) {
		var err error
		if path, err = s.folder.path(name); err != nil {
			return nil, err
		}
	}
	return s.config.Games.Weights(path)
}

// letters are the names of the houses: those of the side to move in capitals.
var letters = []string{"A", "B", "C", "D", "E", "F", "a", "b", "c", "d", "e", "f"}

// weightsFound is the page of weights for programs.
type weightsFound struct {
	Weights     any                   `json:"weights"`
	Explanation *features.Explanation `json:"explanation,omitempty"`
	Comparison  *features.SideBySide  `json:"comparison,omitempty"`
}

// showWeights describes weights, explains the value of a position, draws the value of other
// numbers of seeds in it, and compares the weights with others if the request names them.
func (s *Server) showWeights(r *http.Request, p *page) error {
	q := r.URL.Query()
	names, err := s.names(inspect.KindWeights)
	if err != nil {
		return err
	}
	for name, value := range map[string]string{"board": oware.Start(oware.Abapa).String(), "g": "A", "h": "a"} {
		if q.Get(name) == "" {
			q.Set(name, value)
		}
	}
	p.form = g.Group{p.form, pick(q, "Show", choice(q, "name", "Weights", names), choice(q, "other", "Compare with", names, "nothing"), field(q, "board", "Board", ""),
		choice(q, "g", "Two houses", letters), choice(q, "h", "and", letters))}
	w, err := s.openWeights(q.Get("name"))
	if err != nil {
		return err
	}
	info := w.Facts().Doc()
	found := weightsFound{Weights: info.Value}
	d := &doc.Doc{Title: q.Get("name") + ": " + info.Title, Lead: info.Lead, Facts: info.Facts, Origin: info.Origin, Value: &found}
	p.doc = d
	if found.Explanation, err = explain(d, w, q); err != nil {
		return err
	}
	if other := q.Get("other"); other != "" {
		o, err := s.openWeights(other)
		if err != nil {
			return err
		}
		if found.Comparison, err = w.Compare(o); err != nil {
			return err
		}
		found.Comparison.A.Name, found.Comparison.B.Name = q.Get("name"), other
		d.AddDoc("Comparison", found.Comparison.Doc())
	}
	d.Sections = append(d.Sections, info.Sections...)
	return nil
}

// explain adds the value of a position, and the value of other numbers of seeds in it.
func explain(d *doc.Doc, w features.Loaded, q url.Values) (*features.Explanation, error) {
	down, across := slices.Index(letters, q.Get("g")), slices.Index(letters, q.Get("h"))
	if down < 0 || across < 0 || down == across {
		return nil, fmt.Errorf("houses %.10q and %.10q: expected two of %v", q.Get("g"), q.Get("h"), letters)
	}
	o, ok := w.(*patterns.Opened)
	if !ok {
		return nil, fmt.Errorf("%s: weights for %s: expected weights for oware", q.Get("name"), w.Facts().Game())
	}
	p, err := o.Board(q.Get("rules"), q.Get("board"))
	if err != nil {
		return nil, err
	}
	x, err := o.ExplainPosition(p)
	if err != nil {
		return nil, err
	}
	board := report.Board{Position: p, Worth: new([2][oware.Houses + 1]float64), Name: "position", Title: x.Doc().Title, Line: "Below each number of seeds is the value of the house for the side to move."}
	for i, house := range x.Houses {
		board.Worth[i/oware.Houses][i%oware.Houses] = house.Points
	}
	for i := range board.Worth { // the weights do not distinguish the stores from the phase
		board.Worth[i][oware.Houses] = math.NaN()
	}
	d.Add(doc.Section{Heading: "the position", Figures: []doc.Drawing{board}, Drawn: true})
	d.Sections = append(d.Sections, x.Doc().Sections[1:]...)
	tables, _ := o.Evaluator()
	e, ok := tables.(*patterns.Evaluator)
	if !ok {
		return x, nil // tables cannot represent these weights
	}
	d.Add(curves(e, p, x))
	if slice := e.Slice(p, down, across); slice != nil {
		d.Add(doc.Section{Heading: "two houses together", Figures: []doc.Drawing{inSeeds(slice, x.Houses[down].House, x.Houses[across].House)}})
		d.Add(extremes(e))
	}
	return x, nil
}

// extremes lists the best and the worst pattern of six houses in each table.
func extremes(e *patterns.Evaluator) doc.Section {
	return doc.Section{
		Heading: "best and worst patterns", Text: []string{"The highest and the lowest value of six houses together, in seeds for the side to move, by the seeds in play. A B C are the houses of the side to move."},
		Table: doc.TableOf([]string{"seeds in play", "houses", "best", "seeds", "worst", "seeds"}, e.Tables(), func(t patterns.Table) []any {
			return []any{fmt.Sprintf("%d to %d", t.From, t.To), t.Houses, t.High.Name, seedsText(t.High.Points), t.Low.Name, seedsText(t.Low.Points)}
		}),
	}
}

// curveSeeds is the largest number of seeds of a curve.
const curveSeeds = 16

// curves draws the value of each number of seeds in each house.
func curves(e *patterns.Evaluator, p oware.Position, x *features.Explanation) doc.Section {
	one := doc.Section{Heading: "each house by itself", Text: []string{"The value of the seeds in each house, in seeds of score, at the stage of this position."}}
	charts := [2]report.Chart{}
	for i, whose := range []string{"the side to move", "the opponent"} {
		charts[i] = report.Chart{Name: fmt.Sprintf("curves-%d", i+1), Title: "Houses of " + whose, X: "seeds in the house", Y: "worth, seeds"}
	}
	for house, points := range e.Curves(p) {
		for n, v := range points[:curveSeeds+1] {
			charts[house/oware.Houses].Add(x.Houses[house].House, float64(n), v/oware.Descriptor().PointsPerUnit())
		}
	}
	for _, c := range charts {
		one.Figures = append(one.Figures, c)
	}
	return one
}

// inSeeds draws the value of the patterns by the seeds in two houses.
func inSeeds(points [][]float64, down, across string) report.Matrix {
	m := report.Matrix{Name: "two-houses", Title: fmt.Sprintf("Seeds in %s (down) and %s (across)", down, across), Rows: patterns.BucketNames(), Columns: patterns.BucketNames(),
		Caption: "The value of the patterns, in seeds, by the seeds in both houses; the other houses do not change.", Most: 1e-9}
	for _, row := range points {
		var values []float64
		for _, v := range row {
			values = append(values, v/oware.Descriptor().PointsPerUnit())
			m.Most = max(m.Most, math.Abs(values[len(values)-1]))
		}
		m.Values = append(m.Values, values)
	}
	return m
}

func seedsText(points float64) string {
	return report.Signed(points/oware.Descriptor().PointsPerUnit(), 2)
}
