package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"kroo/engine"
	"kroo/features"
	patterns "kroo/features/oware"
	"kroo/games/oware"
)

// weightsList lists weights by name and file.
func (s *Server) weightsList(r *http.Request) (any, error) {
	names, err := s.weightsNames()
	return names, err
}

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

// owareWeights reads weights of oware.
func (s *Server) owareWeights(name string) (*patterns.Opened, error) {
	w, err := s.openWeights(name)
	if err != nil {
		return nil, err
	}
	o, ok := w.(*patterns.Opened)
	if !ok {
		return nil, fmt.Errorf("%s: weights for %s: expected some for oware", name, w.Facts().Game())
	}
	return o, nil
}

// weightsInfo says what weights are and what made them.
func (s *Server) weightsInfo(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	w, err := s.openWeights(name)
	if err != nil {
		return nil, err
	}
	info := w.Facts()
	info.Name = name
	return info, nil
}

// weightsView is the value of a position taken apart, and what other seeds would be
// worth. Houses are the side to move's A…F, then the other side's a…f.
type weightsView struct {
	*features.Explanation
	Shot    *shot       `json:"shot"`
	Turn    int         `json:"turn"`
	Curves  [][]float64 `json:"curves,omitempty"` // by house and seeds, points; none where no table holds the weights
	Buckets []string    `json:"buckets"`
	Slice   [][]float64 `json:"slice,omitempty"` // by the buckets of the houses g and h
}

// curveSeeds is how many seeds a curve goes up to.
const curveSeeds = 16

// mostColumns is how many contributions are sent.
const mostColumns = 30

func (s *Server) weightsExplain(r *http.Request) (any, error) {
	q := r.URL.Query()
	w, err := s.owareWeights(q.Get("name"))
	if err != nil {
		return nil, err
	}
	board := q.Get("board")
	if board == "" {
		board = oware.Start(oware.Abapa).String()
	}
	p, err := w.Board(q.Get("rules"), board)
	if err != nil {
		return nil, err
	}
	view := weightsView{Shot: shotOf(p), Turn: int(p.ToMove()), Buckets: patterns.BucketNames()}
	if view.Explanation, err = w.ExplainPosition(p); err != nil {
		return nil, err
	}
	view.Weights = q.Get("name")
	view.Columns = view.Columns[:min(len(view.Columns), mostColumns)]
	if err := view.draw(w, p, q.Get("g"), q.Get("h")); err != nil {
		return nil, err
	}
	return view, nil
}

// draw adds curves and the slice of two houses, where tables hold the weights.
func (v *weightsView) draw(w *patterns.Opened, p oware.Position, g, h string) error {
	at := [2]int{0, 1}
	for i, text := range []string{g, h} {
		n, err := strconv.Atoi(text)
		if text != "" && (err != nil || n < 0 || n >= houses) {
			return fmt.Errorf("house %.10q: expected a number from 0 to %d", text, houses-1)
		}
		if text != "" {
			at[i] = n
		}
	}
	if at[0] == at[1] {
		return fmt.Errorf("the houses of the heat map are the same: expected two")
	}
	e := tablesIn(w)
	if e == nil {
		return nil // no table holds these weights: the page goes without
	}
	for _, c := range e.Curves(p) {
		v.Curves = append(v.Curves, append([]float64(nil), c[:curveSeeds+1]...))
	}
	v.Slice = e.Slice(p, at[0], at[1])
	return nil
}

// tablesOf are the tables of patterns of weights, with what holds them.
func (s *Server) tablesOf(name string) (*patterns.Evaluator, []patterns.Table, error) {
	w, err := s.owareWeights(name)
	if err != nil {
		return nil, nil, err
	}
	e := tablesIn(w)
	if e == nil {
		return nil, nil, nil // the page goes without
	}
	return e, e.Tables(), nil
}

// tablesIn are the tables of weights, nil if none can hold them.
func tablesIn(w *patterns.Opened) *patterns.Evaluator {
	e, _ := w.Evaluator()
	tables, _ := e.(*patterns.Evaluator)
	return tables
}

// weightsTables lists the tables of patterns of weights.
func (s *Server) weightsTables(r *http.Request) (any, error) {
	_, all, err := s.tablesOf(r.URL.Query().Get("name"))
	if all == nil {
		all = []patterns.Table{}
	}
	return all, err
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

// weightsBeside are two weights side by side.
type weightsBeside struct {
	Common []features.WeightPair       `json:"weights"`
	Boards *features.Boards            `json:"boards"`
	By     []features.FamilyDifference `json:"families"`
}

// weightsCompare puts two weights side by side.
func (s *Server) weightsCompare(r *http.Request) (any, error) {
	var paths [2]string
	for i, key := range []string{"name", "other"} {
		var err error
		if paths[i], _, err = s.weightsPath(r.URL.Query().Get(key)); err != nil {
			return nil, err
		}
	}
	found, err := s.config.Games.Compare(paths[0], paths[1])
	if err != nil {
		return nil, err
	}
	found.Common = found.Common[:min(len(found.Common), mostColumns)]
	return weightsBeside{found.Common, found.Boards, found.By}, nil
}
