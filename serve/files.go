package serve

import (
	"net/http"

	g "maragu.dev/gomponents"

	"kroo/internal/doc"
	"kroo/run/inspect"
)

// shownKinds are the kinds of files that are listed, with the pages that have more to say of some.
var shownKinds = []struct {
	kind    inspect.Kind
	heading string
	page    string // "" for the page of files itself
}{
	{inspect.KindDataset, "datasets", "/datasets"},
	{inspect.KindWeights, "weights", "/weights"},
	{inspect.KindBook, "books", "/book"},
	{inspect.KindTable, "endgame tables", ""},
	{inspect.KindGames, "games", ""},
	{inspect.KindTuning, "tuned values", ""},
	{inspect.KindLeaves, "leaves of books", ""},
	{inspect.KindConfig, "configurations of runs", ""},
}

// filesPage lists the files there are by kind, or describes one as train inspect does.
func (s *Server) filesPage(r *http.Request) (form g.Node, d *doc.Doc, err error) {
	if name := r.URL.Query().Get("name"); name != "" {
		path, err := s.folder.path(name)
		if err != nil {
			return nil, nil, err
		}
		d, err := inspect.File(r.Context(), path, s.config.Games)
		if d != nil {
			d.Title = name + ": " + d.Title
		}
		return nil, d, err
	}
	all, err := s.folder.files()
	if err != nil {
		return nil, nil, err
	}
	d = &doc.Doc{}
	for _, k := range shownKinds {
		t := doc.NewTable("file", "what is in it")
		add := func(name, what string) {
			t.Add(name, what)
			page := k.page
			if page == "" {
				page = "/files"
			}
			t.Links = append(t.Links, address(page, nil, "name", name))
		}
		switch k.kind {
		case inspect.KindWeights:
			for _, name := range kit.Names {
				add(name, "comes with the program")
			}
		case inspect.KindBook:
			add("default", "comes with the program")
		}
		for _, f := range all {
			if f.kind == k.kind {
				path, err := s.folder.path(f.name)
				if err != nil {
					return nil, nil, err
				}
				add(f.name, inspect.Standing(path, f.kind))
			}
		}
		if len(t.Rows) > 0 {
			d.Add(doc.Section{Heading: k.heading, Table: t})
		}
	}
	d.Lead = []string{"Files in the served folder. Datasets, weights and books open on pages of their own, the others here."}
	return nil, d, nil
}
