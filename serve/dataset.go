package serve

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"kroo/datasets"
	"kroo/datasets/profile"
	"kroo/games/oware"
	"kroo/inspect"
	"kroo/internal/parallel"
	"kroo/report"
)

type (
	owareView       = profile.View[oware.Position]
	owareSelection  = profile.Selection[oware.Position]
	owareEvaluation = profile.Evaluation[oware.Position]
)

// Limits on datasets: values in memory of each (eight bytes a value), how many are kept,
// rows of a list.
const (
	maxValues    = 40 << 20
	keptDatasets = 2
	maxRows      = 100
)

// datasetNames lists datasets, and the weights to compare them with.
func (s *Server) datasetNames(r *http.Request) (any, error) {
	var names struct {
		Datasets []string `json:"datasets"`
		Weights  []string `json:"weights"`
	}
	var err error
	if names.Datasets, err = s.folder.list(inspect.KindDataset); err == nil {
		names.Weights, err = s.weightsNames()
	}
	return names, err
}

// weightsNames are the weights there are, by name or file.
func (s *Server) weightsNames() ([]string, error) {
	names, err := s.folder.list(inspect.KindWeights)
	return append(slices.Clone(kit.Names), names...), err
}

// view reads a dataset by its name.
func (s *Server) view(ctx context.Context, name string, progress parallel.Progress) (*owareView, error) {
	path, err := s.folder.path(name)
	if err != nil {
		return nil, err
	}
	return s.datasets.get(path, "", func() (*owareView, error) {
		return profile.Open(ctx, kit.Game, path, maxValues, progress)
	})
}

// evaluation finds weights by the name of a request, for rules; nil for none.
func (s *Server) evaluation(name, rules string) (*owareEvaluation, error) {
	if name == "" {
		return nil, nil
	}
	path, _, err := s.weightsPath(name)
	if err != nil {
		return nil, err
	}
	e, points, err := kit.InPoints(rules, path)
	return &owareEvaluation{Name: e.Name, Predict: points}, err
}

// datasetSheet is what there is to say of the rows of a dataset that a filter wants.
type datasetSheet struct {
	Name    string                 `json:"name"`
	Total   int64                  `json:"total"`
	Rows    int                    `json:"rows"`
	About   [][]string             `json:"about"` // what made it
	Schema  int                    `json:"schema"`
	Columns []profile.Distribution `json:"columns"` // those described so far
	Against *profile.Comparison    `json:"against,omitempty"`
}

// chosen is the part of a dataset that a request names.
type chosen struct {
	*owareSelection
	view *owareView
	with *owareEvaluation
}

// choose reads the values name, where and weights of a request.
func (s *Server) choose(ctx context.Context, q url.Values, progress parallel.Progress) (c chosen, err error) {
	if c.view, err = s.view(ctx, q.Get("name"), progress); err != nil {
		return c, err
	}
	if c.owareSelection, err = c.view.Select(q.Get("where")); err != nil {
		return c, err
	}
	c.with, err = s.evaluation(q.Get("weights"), c.view.Manifest.Meta.Rules)
	return c, err
}

// progress is how far something is.
type progress struct {
	Done  int64 `json:"done"`
	Total int64 `json:"total"`
}

// dataset streams a sheet: how far the reading is, then the sheet as it grows.
func (s *Server) dataset(w http.ResponseWriter, r *http.Request) {
	q, client := r.URL.Query(), clientOf(r)
	stream(s, w, r, "sheet", func(ctx context.Context, post func(any)) (any, error) {
		return s.inTurn(ctx, client, func() (any, error) {
			c, err := s.choose(ctx, q, func(done, total int64, _ string) { post(progress{done, total}) })
			if err != nil {
				return nil, err
			}
			return c.sheet(ctx, q.Get("name"), post)
		})
	})
}

// sheet describes the rows, and posts what it has after every column.
func (c chosen) sheet(ctx context.Context, name string, post func(any)) (_ any, err error) {
	sheet := datasetSheet{Name: name, Total: c.view.Manifest.Rows, Rows: c.Rows(), Schema: c.Columns(), About: c.about()}
	for i := range c.Columns() {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		column, err := c.Distribution(ctx, i)
		if err != nil {
			return nil, err
		}
		sheet.Columns = append(sheet.Columns, column)
		post(sheet)
	}
	if c.with != nil {
		if sheet.Against, err = c.Compare(*c.with); err != nil {
			return nil, err
		}
	}
	return sheet, nil
}

// about says what kind of dataset it is, and what made it.
func (c chosen) about() [][]string {
	m := c.view.Manifest
	all := [][]string{{"kind", m.Meta.Kind}, {"rules", m.Meta.Rules}}
	for _, f := range profile.Origin(m) {
		all = append(all, []string{f.Name, f.Value})
	}
	return all
}

// datasetDescription sends the page that train inspect --html writes: of the rows of a dataset that a filter
// wants, compared with weights and with another dataset if the request names them.
func (s *Server) datasetDescription(w http.ResponseWriter, r *http.Request) {
	page, err := s.inTurn(r.Context(), clientOf(r), func() (any, error) { return s.described(r.Context(), r.URL.Query()) })
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	w.Header().Set("Content-Security-Policy", reportPolicy)
	send(w, "text/html; charset=utf-8", page.([]byte))
}

// described reads the values name, where, weights and other of a request.
func (s *Server) described(ctx context.Context, q url.Values) ([]byte, error) {
	path, err := s.folder.path(q.Get("name"))
	if err != nil {
		return nil, err
	}
	o := profile.Options[oware.Position]{Where: q.Get("where")}
	if other := q.Get("other"); other != "" {
		if o.Compare, err = s.folder.path(other); err != nil {
			return nil, err
		}
	}
	if weights := q.Get("weights"); weights != "" {
		m, err := datasets.ReadManifest(path)
		if err != nil {
			return nil, err
		}
		with, err := s.evaluation(weights, m.Meta.Rules)
		if err != nil {
			return nil, err
		}
		o.Weights, o.Predict = with.Name, with.Predict
	}
	about, err := profile.Of(ctx, kit.Game, path, o)
	if err != nil {
		return nil, err
	}
	about.File = q.Get("name")
	d := about.Doc()
	d.Title = about.File + ": " + d.Title
	return report.HTML(d)
}

// datasetPage is some of the rows of a dataset that a filter wants.
type datasetPage struct {
	Rows int               `json:"rows"` // of all pages
	List []profile.ViewRow `json:"list"`
}

// datasetRows lists rows: in the order of the file, or with weights and sort=residual the
// worst predicted first.
func (s *Server) datasetRows(r *http.Request) (any, error) {
	q := r.URL.Query()
	offset := 0
	if text := q.Get("offset"); text != "" {
		var err error
		if offset, err = strconv.Atoi(text); err != nil || offset < 0 || offset > maxValues {
			return nil, fmt.Errorf("offset %.20q: expected a number from 0", text)
		}
	}
	c, err := s.choose(r.Context(), q, nil)
	if err != nil {
		return nil, err
	}
	if q.Get("sort") != "residual" {
		c.with = nil
	}
	return datasetPage{c.Rows(), c.List(offset, rowsOf(q.Get("n")), c.with)}, nil
}

// rowsOf reads how many rows to list.
func rowsOf(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		n = 12
	}
	return max(1, min(n, maxRows))
}
