package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/regress/profile"
	"kroo/run/inspect"
)

// shownRows is how many rows of a dataset are shown as boards.
const shownRows = 12

// datasetPage describes a dataset, as train inspect --html does: the rows that a filter wants,
// compared with weights and with another dataset if the request names them.
func (s *Server) datasetPage(r *http.Request) (form g.Node, d *doc.Doc, err error) {
	q := r.URL.Query()
	names, err := s.folder.list(inspect.KindDataset)
	if err != nil {
		return nil, nil, err
	}
	weights, err := s.weightsNames()
	if err != nil {
		return nil, nil, err
	}
	form = g.Group{pick(q, "Show", choice(q, "name", "Dataset", names), choice(q, "other", "Compare with", names, "nothing"), choice(q, "weights", "Predictions of", weights, "no weights"),
		field(q, "where", "Rows with", "phase>=20, exact=true")), h.P(h.Class("note"), g.Text("A filter compares columns with = != < <= > >=, separated by commas; a link in a table of values adds one. "+
		"The page shows values in seeds; a filter compares what the file holds: a label in points, 1000 for a won game of 24 seeds, a score in hundredths of a seed."))}
	name := q.Get("name")
	if name == "" && len(names) > 0 {
		name = names[0]
	}
	if name == "" {
		return form, &doc.Doc{Lead: []string{"There are no datasets in the served folder. train run makes some."}}, nil
	}
	d, err = s.datasetDoc(r, name)
	return form, d, err
}

func (s *Server) datasetDoc(r *http.Request, name string) (*doc.Doc, error) {
	q := r.URL.Query()
	path, err := s.folder.path(name)
	if err != nil {
		return nil, err
	}
	o := profile.Options[oware.Position]{Where: q.Get("where"), Head: shownRows, Bars: true}
	if other := q.Get("other"); other != "" {
		if o.Compare, err = s.folder.path(other); err != nil {
			return nil, err
		}
	}
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	if weights := q.Get("weights"); weights != "" {
		path, _, err := s.weightsPath(weights)
		if err != nil {
			return nil, err
		}
		e, points, err := kit.InPoints(m.Meta.Rules, path)
		if err != nil {
			return nil, err
		}
		o.Weights, o.Predict = e.Name, points
	}
	about, err := profile.Of(r.Context(), kit.Game, path, o)
	if err != nil {
		return nil, err
	}
	if about.Drift != nil {
		about.Drift.File = q.Get("other")
	}
	d := about.Doc()
	d.Title = name + ": " + d.Title
	columns := slices.IndexFunc(d.Sections, func(s doc.Section) bool { return s.Heading == "columns" })
	d.Sections = slices.Insert(d.Sections, columns+1, about.Distributions(func(condition string) string {
		return address("/datasets", q, "name", name, "where", strings.TrimPrefix(o.Where+", "+condition, ", "))
	})...)
	for _, section := range d.Sections {
		for i, b := range section.Boards {
			section.Boards[i].Link = address("/", nil, "rules", m.Meta.Rules, "from", b.Board, "analyse", "1")
		}
	}
	return d, nil
}

// address is that of a page, with values instead of some of a request's.
func address(path string, q url.Values, pairs ...string) string {
	all := url.Values{}
	for name, values := range q {
		all[name] = values
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		all.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + all.Encode()
}

// weightsNames are the weights there are, by name or file.
func (s *Server) weightsNames() ([]string, error) {
	names, err := s.folder.list(inspect.KindWeights)
	return append(slices.Clone(kit.Names), names...), err
}
