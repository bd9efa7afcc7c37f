package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/book"
	"kroo/datasets"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/regress/profile"
	"kroo/report"
	"kroo/run/inspect"
)

// folder is the served folder. It need not exist yet.
type folder struct{ dir string }

// path returns the path of a file in the folder; its name has slashes. Names and links that lead out of
// the folder are refused.
func (f folder) path(name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil || name == "." {
		return "", fmt.Errorf("%.80q: expected the name of a file in the served folder", name)
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return "", fmt.Errorf("%s: the served folder: %w", name, cause(err))
	}
	defer root.Close()
	info, err := root.Stat(local)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, cause(err))
	}
	if !info.Mode().IsRegular() && !info.IsDir() { // reading from a pipe would wait forever
		return "", fmt.Errorf("%s: %s: expected a file", name, info.Mode().Type())
	}
	return filepath.Join(f.dir, local), nil
}

// cause returns an error without the path, which visitors need not know.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Limits of a listing: number of files, depth of folders.
const (
	maxListed = 2000
	maxDepth  = 6
)

// file is a file of the folder.
type file struct {
	name string
	kind inspect.Kind
}

// listing is the files of the folder.
type listing struct {
	files    []file
	unlisted []string // names that are not UTF-8, which no address or JSON can contain
	unread   []error  // of files and folders that cannot be read
	more     bool     // there are more than maxListed files
}

// files lists the files, sorted. It leaves out hidden files and folders, files that have vanished, and
// those without permission. A file that cannot be read for any other reason is noted, and all others are
// listed.
func (f folder) files() (l listing, err error) {
	root, err := os.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err != nil {
		return l, fmt.Errorf("the served folder: %w", cause(err))
	}
	defer root.Close()
	seen := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && name == ".":
			return fmt.Errorf("the served folder: %w", cause(err))
		case err != nil:
			l.note(name, err)
			return nil
		case name != "." && strings.HasPrefix(d.Name(), "."), d.IsDir() && strings.Count(name, "/") >= maxDepth:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !utf8.ValidString(name):
			l.unlisted = append(l.unlisted, name)
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		seen++
		if seen > maxListed {
			l.more = true
			return fs.SkipAll
		}
		k, err := inspect.KindOf(filepath.Join(f.dir, filepath.FromSlash(name)))
		if err != nil {
			l.note(name, err)
			return nil
		}
		l.files = append(l.files, file{name, k})
		return nil
	})
	slices.SortFunc(l.files, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return l, err
}

// note notes a file that cannot be read, unless it has vanished or is not permitted.
func (l *listing) note(name string, err error) {
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return
	}
	l.unread = append(l.unread, fmt.Errorf("%s: %w", name, cause(err)))
}

// plain returns the text of an error for visitors: one line, without the path of the folder.
func (f folder) plain(err error) string {
	text := wording.OneLine(err.Error())
	if len(f.dir) > 1 { // not the root
		text = strings.ReplaceAll(text, f.dir+string(filepath.Separator), "")
	}
	return text
}

// fileKinds are the kinds of files that are listed, under a heading each, with the names of those that
// are part of the program. A book opens with its tree, on a page of its own name.
var fileKinds = []struct {
	kind          inspect.Kind
	heading, page string
	embedded      []string
}{
	{inspect.KindDataset, "datasets", "/files", nil},
	{inspect.KindWeights, "weights", "/files", kit.Names},
	{inspect.KindBook, "books", "/book", book.Names()},
	{inspect.KindTable, "endgame tables", "/files", nil},
	{inspect.KindGames, "games", "/files", nil},
	{inspect.KindTuning, "tuned values", "/files", nil},
}

// allFiles links to the list of files.
func allFiles() g.Node { return h.P(h.A(h.Class("button"), h.Href("/files"), g.Text("All files"))) }

// filePage lists the files by kind, or describes the file of a request as train inspect does.
func (s *Server) filePage(r *http.Request) (p page, err error) {
	q := r.URL.Query()
	name := q.Get("name")
	if name == "" {
		p.doc, err = s.fileList()
		return p, err
	}
	path, kind := name, inspect.KindWeights
	if !slices.Contains(kit.Names, name) {
		path, err = s.folder.path(name)
		if err != nil {
			return page{form: allFiles()}, err
		}
		kind, _ = inspect.KindOf(path) // an unreadable file is an error of File
	}
	switch kind {
	case inspect.KindDataset:
		p, err = s.datasetPage(r.Context(), q, path)
	case inspect.KindWeights:
		p, err = s.weightsPage(q, path)
	case inspect.KindGames:
		p, err = s.gamesPage(r.Context(), q, path)
	default:
		p.doc, err = s.describe(r.Context(), name, path)
		if err == nil {
			hideCommands(p.doc)
		}
	}
	if p.form == nil {
		p.form = allFiles()
	} else {
		p.form = g.Group{allFiles(), p.form}
	}
	return p, err
}

// datasetPage describes a dataset. Its form takes a filter and another dataset to compare with.
func (s *Server) datasetPage(ctx context.Context, q url.Values, path string) (p page, err error) {
	all, err := s.folder.files()
	if err != nil {
		return p, err
	}
	var names []string
	for _, f := range all.files {
		if f.kind == inspect.KindDataset {
			names = append(names, f.name)
		}
	}
	p.form = g.Group{
		showForm(q, choice(q, "other", "Compare with", names), field(q, "where", "Rows with", "phase>=20, exact=true")),
		h.P(h.Class("note"), g.Text("A filter compares columns with = != < <= > >=, separated by commas; a link in a table of values adds one. "+
			"The page shows values in seeds; a filter compares the values in the file: a label in points, 1000 for a won game of 24 seeds, a score in hundredths of a seed.")),
	}
	p.doc, err = s.dataset(ctx, q, path)
	return p, err
}

// weightsPage describes weights. The form of weights of oware takes a board to explain.
func (s *Server) weightsPage(q url.Values, path string) (p page, err error) {
	name := q.Get("name")
	q.Set("board", cmp.Or(q.Get("board"), oware.Start(oware.Abapa).String()))
	w, err := s.config.Games.Weights(path)
	if err != nil {
		return p, err
	}
	p.doc = w.Facts().Doc()
	p.doc.Title = name + ": " + p.doc.Title
	if o, ok := w.(*owarefeatures.Opened); ok {
		p.form = showForm(q, field(q, "board", "Board", ""))
		err = explain(p.doc, o, q.Get("rules"), q.Get("board"))
	}
	if err != nil || slices.Contains(kit.Names, name) {
		return p, err // weights of the program come from no file
	}
	return p, inspect.AddOrigin(p.doc, path, inspect.KindWeights, s.config.Games, shownOnPage(name))
}

// gamesPage describes a file of games, and lists those of oware.
func (s *Server) gamesPage(ctx context.Context, q url.Values, path string) (p page, err error) {
	name := q.Get("name")
	p.doc, err = s.describe(ctx, name, path)
	if err != nil {
		return p, err
	}
	list, err := s.gameList(q, name)
	if errors.Is(err, errOtherGame) { // described, but there is no board for it
		return p, nil
	}
	if err != nil {
		return p, err
	}
	p.doc.Sections = append([]outline.Section{list.section()}, p.doc.Sections...)
	p.form = list.turn(q, "Pages of games")
	p.after = list.turn(q, "Pages of games, after the list")
	return p, nil
}

// describe describes a file as train inspect does.
func (s *Server) describe(ctx context.Context, name, path string) (*outline.Doc, error) {
	d, err := inspect.File(ctx, path, s.config.Games, shownOnPage(name))
	if err != nil {
		return d, err
	}
	d.Title = name + ": " + d.Title
	return d, nil
}

// showForm is a form of fields that shows the file of a request again.
func showForm(q url.Values, fields ...g.Node) g.Node {
	return h.Form(h.Class("row pick"), h.ID("choice"), h.Input(h.Type("hidden"), h.Name("name"), h.Value(q.Get("name"))),
		g.Group(fields), h.Button(h.Type("submit"), h.Class("main"), g.Text("Show")))
}

// shownOnPage makes commands name files as the served folder does: visitors need not know where it is.
func shownOnPage(name string) inspect.Options {
	return inspect.Options{Program: "train", Folder: path.Dir(name)}
}

// hideCommands removes command lines, which name folders of the server.
func hideCommands(d *outline.Doc) {
	for i := range d.Sections {
		d.Sections[i].Commands = nil
	}
}

func (s *Server) fileList() (*outline.Doc, error) {
	all, err := s.folder.files()
	if err != nil {
		return nil, err
	}
	d := &outline.Doc{Lead: []string{"The files of the program, and those in the served folder. Each opens as train inspect describes it."}}
	if len(all.unlisted) > 0 {
		d.Lead = append(d.Lead, fmt.Sprintf("Files and folders whose names are not UTF-8 are not listed (%d, such as %.80q): rename them.",
			len(all.unlisted), all.unlisted[0]))
	}
	if len(all.unread) > 0 {
		d.Lead = append(d.Lead, fmt.Sprintf("Files and folders that cannot be read are not listed (%d, such as %s).",
			len(all.unread), s.folder.plain(all.unread[0])))
	}
	if all.more {
		d.Lead = append(d.Lead, fmt.Sprintf("Only the first %d files are listed. Others open by their address: /files?name=FILE.", maxListed))
	}
	for _, k := range fileKinds {
		t := outline.NewTable("file", "contents")
		add := func(name, contents string) {
			t.Add(name, contents)
			t.Links = append(t.Links, address(k.page, nil, "name", name))
		}
		for _, name := range k.embedded {
			add(name, "part of the program")
		}
		for _, f := range all.files {
			if f.kind != k.kind {
				continue
			}
			add(f.name, inspect.Standing(filepath.Join(s.folder.dir, filepath.FromSlash(f.name)), f.kind))
		}
		if len(t.Rows) > 0 {
			d.Add(outline.Section{Heading: k.heading, Table: t})
		}
	}
	return d, nil
}

// shownRows is the number of a dataset's rows that are shown as boards.
const shownRows = 6

// dataset describes the rows of a dataset that a filter selects, compared with another dataset if the
// request names one.
func (s *Server) dataset(ctx context.Context, q url.Values, file string) (*outline.Doc, error) {
	o := profile.Options{Where: q.Get("where"), Head: shownRows}
	o.Filter = func(condition string) string {
		return address("/files", q, "where", strings.TrimPrefix(o.Where+", "+condition, ", "))
	}
	var err error
	if other := q.Get("other"); other != "" {
		o.Compare, err = s.folder.path(other)
		if err != nil {
			return nil, err
		}
	}
	m, err := datasets.ReadManifest(file)
	if err != nil {
		return nil, err
	}
	shown := shownOnPage(q.Get("name"))
	shown.Rows = o
	d, err := inspect.File(ctx, file, s.config.Games, shown)
	if err != nil {
		return nil, err
	}
	d.Title = q.Get("name") + ": " + d.Title
	for _, section := range d.Sections {
		for i, b := range section.Boards {
			if m.Meta.Game == kit.Game.Name {
				section.Boards[i].Link = address("/", nil, "rules", m.Meta.Rules, "from", b.Board, "analyse", "1")
			}
		}
	}
	return d, nil
}

// explain adds the value of a board to the description of weights.
func explain(d *outline.Doc, o *owarefeatures.Opened, rules, board string) error {
	p, err := o.Board(rules, board)
	if err != nil {
		return err
	}
	x, err := o.ExplainPosition(p)
	if err != nil {
		return err
	}
	about := x.Doc()
	drawn := report.Board{
		Position: p,
		Worth:    new([2][oware.Houses + 1]float64),
		Name:     "position",
		Title:    about.Title,
		Line:     "Below each number of seeds is the value of the house for the side to move.",
	}
	for i, house := range x.Houses {
		drawn.Worth[i/oware.Houses][i%oware.Houses] = house.Points
	}
	for i := range drawn.Worth { // the weights do not distinguish the stores from the phase
		drawn.Worth[i][oware.Houses] = math.NaN()
	}
	position := outline.Section{Heading: "the position", Figures: []outline.Drawing{drawn}, Drawn: true}
	d.Sections = slices.Concat([]outline.Section{position}, about.Sections[1:], d.Sections)
	return nil
}

// address is the address of a page with the given values, added to or replacing those of a request.
func address(path string, q url.Values, pairs ...string) string {
	all := url.Values{}
	maps.Copy(all, q)
	for i := 0; i+1 < len(pairs); i += 2 {
		all.Set(pairs[i], pairs[i+1])
	}
	return path + "?" + all.Encode()
}
