package serve

import (
	"cmp"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
)

// weightsPath is where weights are by the name of a request, "" for the default; file is
// "" for the program's own.
func (s *Server) weightsPath(name string) (path, file string, err error) {
	name = cmp.Or(name, engine.DefaultName)
	if slices.Contains(kit.Names, name) {
		return name, "", nil
	}
	path, err = s.folder.path(name)
	return path, path, err
}

// openWeights reads weights by their name.
func (s *Server) openWeights(name string) (features.Loaded, error) {
	path, file, err := s.weightsPath(name)
	if err != nil {
		return nil, err
	}
	return s.weights.get(file, name, func() (features.Loaded, error) { return s.config.Games.Weights(path) })
}

// owareWeights are weights of oware.
func owareWeights(name string, w features.Loaded) (*patterns.Opened, error) {
	o, ok := w.(*patterns.Opened)
	if !ok {
		return nil, fmt.Errorf("%s: weights for %s: expected weights for oware", name, w.Facts().Game())
	}
	return o, nil
}

// tablesIn are the tables of weights, nil if none can hold them.
func tablesIn(w *patterns.Opened) *patterns.Evaluator {
	e, _ := w.Evaluator()
	tables, _ := e.(*patterns.Evaluator)
	return tables
}

// letters are the names of the houses: those of the side to move in capitals.
var letters = []string{"A", "B", "C", "D", "E", "F", "a", "b", "c", "d", "e", "f"}

// weightsFound is what the page has for programs.
type weightsFound struct {
	Weights     any                   `json:"weights"`
	Explanation *features.Explanation `json:"explanation,omitempty"`
	Comparison  *features.SideBySide  `json:"comparison,omitempty"`
}

// weightsPage says what weights are, takes the value of a position apart, shows what other seeds
// would be worth, and puts other weights next to them.
func (s *Server) weightsPage(r *http.Request) (form g.Node, d *doc.Doc, err error) {
	q := r.URL.Query()
	names, err := s.weightsNames()
	if err != nil {
		return nil, nil, err
	}
	for name, value := range map[string]string{"name": names[0], "board": oware.Start(oware.Abapa).String(), "g": "A", "h": "a"} {
		if q.Get(name) == "" {
			q.Set(name, value)
		}
	}
	form = pick(q, "Explain", choice(q, "name", "Weights", names), choice(q, "other", "Compare with", names, "nothing"), field(q, "board", "Board", ""),
		choice(q, "g", "Two houses", letters), choice(q, "h", "and", letters))
	w, err := s.openWeights(q.Get("name"))
	if err != nil {
		return form, nil, err
	}
	info := w.Facts().Doc()
	d = &doc.Doc{Title: q.Get("name") + ": " + info.Title, Lead: info.Lead, Facts: info.Facts, Origin: info.Origin}
	found := weightsFound{Weights: info.Value}
	defer func() { d.Value = found }()
	if found.Explanation, err = s.explain(d, w, q); err != nil {
		return form, d, err
	}
	if q.Get("other") != "" {
		if found.Comparison, err = s.compareWeights(d, q); err != nil {
			return form, d, err
		}
	}
	d.Sections = append(d.Sections, info.Sections...)
	return form, d, nil
}

// explain adds the value of a position, and what other seeds would be worth in it.
func (s *Server) explain(d *doc.Doc, w features.Loaded, q url.Values) (*features.Explanation, error) {
	at := [2]int{slices.Index(letters, q.Get("g")), slices.Index(letters, q.Get("h"))}
	if at[0] < 0 || at[1] < 0 || at[0] == at[1] {
		return nil, fmt.Errorf("houses %.10q and %.10q: expected two of %v", q.Get("g"), q.Get("h"), letters)
	}
	o, err := owareWeights(q.Get("name"), w)
	if err != nil {
		return nil, err
	}
	p, err := o.Board(q.Get("rules"), q.Get("board"))
	if err != nil {
		return nil, err
	}
	x, err := o.ExplainPosition(p)
	if err != nil {
		return nil, err
	}
	board := report.Board{Position: p, Worth: new([2][oware.Houses + 1]float64), Name: "position", Title: x.Doc().Title, Line: "Below each number of seeds is what the house adds for the side to move."}
	for i, house := range x.Houses {
		board.Worth[i/oware.Houses][i%oware.Houses] = house.Points
	}
	for i := range board.Worth { // the weights do not distinguish the stores from the phase
		board.Worth[i][oware.Houses] = math.NaN()
	}
	d.Add(doc.Section{Heading: "the position", Figures: []doc.Drawing{board}, Drawn: true})
	d.Sections = append(d.Sections, x.Doc().Sections[1:]...)
	e := tablesIn(o)
	if e == nil {
		return x, nil // no table has these weights: the page goes without
	}
	d.Add(curves(e, p, x))
	slice := e.Slice(p, at[0], at[1])
	if slice == nil {
		return x, nil
	}
	d.Add(doc.Section{Heading: "two houses together", Figures: []doc.Drawing{inSeeds(slice, x.Houses[at[0]].House, x.Houses[at[1]].House)}})
	return x, nil
}

// curveSeeds is how many seeds a curve goes up to.
const curveSeeds = 16

// curves show what seeds in each house are worth.
func curves(e *patterns.Evaluator, p oware.Position, x *features.Explanation) doc.Section {
	one := doc.Section{Heading: "a house by itself", Text: []string{"What seeds in each house are worth, in seeds of score, at the stage of this position."}}
	charts := [2]report.Chart{}
	for i, whose := range []string{"the side to move", "the other side"} {
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

// inSeeds is a map of what the patterns are worth with a given number of seeds in two houses.
func inSeeds(points [][]float64, down, across string) report.Matrix {
	m := report.Matrix{Name: "two-houses", Title: fmt.Sprintf("Seeds in %s (down) and %s (across)", down, across), Rows: patterns.BucketNames(), Columns: patterns.BucketNames(),
		Caption: "What the patterns are worth, in seeds, by the number of seeds in both houses, the others as they are.", Most: 1e-9}
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

// compareWeights puts two weights side by side.
func (s *Server) compareWeights(d *doc.Doc, q url.Values) (*features.SideBySide, error) {
	var paths [2]string
	for i, key := range []string{"name", "other"} {
		var err error
		if paths[i], _, err = s.weightsPath(q.Get(key)); err != nil {
			return nil, err
		}
	}
	found, err := s.config.Games.Compare(paths[0], paths[1])
	if err != nil {
		return nil, err
	}
	found.A.Name, found.B.Name = q.Get("name"), q.Get("other")
	d.AddDoc("Comparison", found.Doc())
	return found, nil
}

// maps shows the tables of patterns of weights, those of a stage of the game at a time.
func (s *Server) maps(q url.Values) (g.Node, error) {
	name := cmp.Or(q.Get("name"), engine.DefaultName)
	_, all, err := s.tablesOf(name)
	if err != nil || len(all) == 0 {
		return nil, err
	}
	stageOf := func(t patterns.Table) string { return fmt.Sprintf("%d to %d", t.From, t.To) }
	stage := cmp.Or(q.Get("stage"), stageOf(all[0]))
	var links, pictures g.Group
	for i, t := range all {
		if i == 0 || stageOf(all[i-1]) != stageOf(t) {
			links = append(links, h.A(h.Href(address("/weights", q, "stage", stageOf(t))+"#maps"), g.If(stage == stageOf(t), h.Aria("current", "true")), g.Text(stageOf(t))), g.Text(" "))
		}
		if stage != stageOf(t) {
			continue
		}
		picture := address("/weights/table", nil, "name", name, "table", strconv.Itoa(i))
		caption := fmt.Sprintf("%s across, %s down. Best %s: %s. Worst %s: %s.", t.Houses[:3], t.Houses[3:], seedsText(t.High.Points), t.High.Name, seedsText(t.Low.Points), t.Low.Name)
		pictures = append(pictures, h.Figure(h.A(h.Href(picture), h.Img(h.Src(picture), h.Loading("lazy"), h.Width("512"), h.Height("512"), h.Alt("Heat map: "+caption))), h.FigCaption(g.Text(caption))))
	}
	return h.Section(h.ID("maps"), h.Aria("labelledby", "maps-title"), h.H2(h.ID("maps-title"), g.Text("every table")),
		h.P(g.Text("What the patterns of six houses are worth, in seeds, whatever stands in them: three houses across, three down, each from no seeds to twelve and more. The third of three changes in the largest steps, the first in the smallest. Green is good for the side to move, orange bad.")),
		h.P(h.Class("chips"), g.Text("Seeds in play: "), links), h.Div(h.Class("maps"), pictures)), nil
}

func seedsText(points float64) string {
	return report.Signed(points/oware.Descriptor().PointsPerUnit(), 2)
}

// tablesOf are the tables of patterns of weights, with what holds them; none where no table has the
// weights, and of another game's.
func (s *Server) tablesOf(name string) (*patterns.Evaluator, []patterns.Table, error) {
	w, err := s.openWeights(name)
	if err != nil {
		return nil, nil, err
	}
	o, err := owareWeights(name, w)
	if err != nil {
		return nil, nil, nil
	}
	e := tablesIn(o)
	if e == nil {
		return nil, nil, nil
	}
	return e, e.Tables(), nil
}

// weightsTable sends a table as a picture.
func (s *Server) weightsTable(w http.ResponseWriter, r *http.Request) {
	picture, err := s.inTurn(r.Context(), clientOf(r), func() (any, error) {
		q := r.URL.Query()
		e, all, err := s.tablesOf(q.Get("name"))
		if err != nil {
			return nil, err
		}
		n, err := strconv.Atoi(q.Get("table"))
		if err != nil || n < 0 || n >= len(all) {
			return nil, fmt.Errorf("table %.10q: expected a number from 0, below %d", q.Get("table"), len(all))
		}
		return heatMap(e.Points(all[n]))
	})
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	send(w, "image/png", picture.([]byte))
}
