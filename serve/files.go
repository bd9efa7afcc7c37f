package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/book"
	"kroo/datasets"
	"kroo/internal/doc"
	"kroo/regress/profile"
	"kroo/run/inspect"
)

// fileKinds are the kinds of files that are listed, under a heading each. A book opens with its
// tree, on a page of its own name.
var fileKinds = []struct {
	kind    inspect.Kind
	heading string
	page    string
}{
	{inspect.KindDataset, "datasets", "/files"},
	{inspect.KindWeights, "weights", "/files"},
	{inspect.KindBook, "books", "/book"},
	{inspect.KindTable, "endgame tables", "/files"},
	{inspect.KindGames, "games", "/files"},
	{inspect.KindTuning, "tuned values", "/files"},
	{inspect.KindLeaves, "leaves of books", "/files"},
}

// embedded are the names of a kind's files that are part of the program.
func embedded(kind inspect.Kind) []string {
	switch kind {
	case inspect.KindWeights:
		return slices.Clone(kit.Names)
	case inspect.KindBook:
		return []string{book.DefaultName}
	}
	return nil
}

// names lists all files of a kind, the embedded ones first.
func (s *Server) names(kind inspect.Kind) ([]string, error) {
	names, err := s.folder.list(kind)
	return append(embedded(kind), names...), err
}

// filePage lists the files by kind, or describes the file of a request as train inspect does, with
// what the form for its kind adds.
func (s *Server) filePage(r *http.Request) (p page, err error) {
	name := r.URL.Query().Get("name")
	if name == "" {
		p.doc, err = s.fileList()
		return p, err
	}
	p.form = h.P(h.A(h.Href("/files"), g.Text("All files")))
	if slices.Contains(kit.Names, name) {
		return p, s.showWeights(r, &p)
	}
	path, err := s.folder.path(name)
	if err != nil {
		return p, err
	}
	switch kind, _ := inspect.KindOf(path); kind { // an unreadable file is an error of File
	case inspect.KindDataset:
		return p, s.showDataset(r, &p, path)
	case inspect.KindWeights:
		return p, s.showWeights(r, &p)
	}
	if p.doc, err = inspect.File(r.Context(), path, s.config.Games, profile.Options{}); err == nil {
		p.doc.Title = name + ": " + p.doc.Title
	}
	return p, err
}

func (s *Server) fileList() (*doc.Doc, error) {
	all, err := s.folder.files()
	if err != nil {
		return nil, err
	}
	d := &doc.Doc{Lead: []string{"The files of the program, and those in the served folder. Each opens as train inspect describes it."}}
	for _, k := range fileKinds {
		t := doc.NewTable("file", "contents")
		add := func(name, contents string) {
			t.Add(name, contents)
			t.Links = append(t.Links, address(k.page, nil, "name", name))
		}
		for _, name := range embedded(k.kind) {
			add(name, "part of the program")
		}
		for _, f := range all {
			if f.kind != k.kind {
				continue
			}
			path, err := s.folder.path(f.name)
			if err != nil {
				return nil, err
			}
			add(f.name, inspect.Standing(path, f.kind))
		}
		if len(t.Rows) > 0 {
			d.Add(doc.Section{Heading: k.heading, Table: t})
		}
	}
	return d, nil
}

// shownRows is the number of a dataset's rows that are shown as boards.
const shownRows = 6

// showDataset describes the rows of a dataset that a filter selects, compared with another dataset if
// the request names one.
func (s *Server) showDataset(r *http.Request, p *page, path string) error {
	q := r.URL.Query()
	names, err := s.names(inspect.KindDataset)
	if err != nil {
		return err
	}
	p.form = g.Group{p.form, pick(q, "Show", choice(q, "name", "Dataset", names), choice(q, "other", "Compare with", names, "nothing"),
		field(q, "where", "Rows with", "phase>=20, exact=true")), h.P(h.Class("note"), g.Text("A filter compares columns with = != < <= > >=, separated by commas; a link in a table of values adds one. "+
		"The page shows values in seeds; a filter compares the values in the file: a label in points, 1000 for a won game of 24 seeds, a score in hundredths of a seed."))}
	o := profile.Options{Where: q.Get("where"), Head: shownRows}
	o.Filter = func(condition string) string {
		return address("/files", q, "where", strings.TrimPrefix(o.Where+", "+condition, ", "))
	}
	if other := q.Get("other"); other != "" {
		if o.Compare, err = s.folder.path(other); err != nil {
			return err
		}
	}
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return err
	}
	d, err := inspect.File(r.Context(), path, s.config.Games, o)
	if err != nil {
		return err
	}
	d.Title = q.Get("name") + ": " + d.Title
	for _, section := range d.Sections {
		for i, b := range section.Boards {
			if m.Meta.Game == kit.Game.Name {
				section.Boards[i].Link = address("/", nil, "rules", m.Meta.Rules, "from", b.Board, "analyse", "1")
			}
		}
	}
	p.doc = d
	return nil
}

// address is the address of a page with the given values, added to or replacing those of a request.
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
