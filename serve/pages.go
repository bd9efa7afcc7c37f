package serve

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
)

// web contains the pages, the style and the scripts.
//
//go:embed web
var web embed.FS

// routes maps requests to handlers.
func (s *Server) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", s.boardPage)
	mux.HandleFunc("GET /static/{name...}", static)
	mux.HandleFunc("GET /api/game", s.jsonHandler(s.state))
	mux.HandleFunc("GET /api/known", s.jsonHandler(s.known))
	mux.HandleFunc("GET /api/answer", s.jsonHandler(s.answer))
	mux.HandleFunc("GET /api/hint", s.jsonHandler(s.hint))
	mux.HandleFunc("GET /api/analyse", s.analyse)
	mux.HandleFunc("GET /api/review", s.review)
	mux.Handle("POST /api/import", http.MaxBytesHandler(s.jsonHandler(s.importGame), maxRecord))
	mux.HandleFunc("GET /api/export", s.exportGame)
	mux.HandleFunc("GET /files", s.docPage("files", s.filePage))
	mux.HandleFunc("GET /book", s.docPage("book", s.bookPage))
	mux.HandleFunc("GET /runs", s.docPage("runs", s.runsPage))
	mux.HandleFunc("GET /api/run/watch", s.watchRun)
	mux.HandleFunc("POST /api/run/new", s.jsonHandler(s.runNew))
	mux.HandleFunc("POST /api/run/resume", s.jsonHandler(s.runResume))
	mux.HandleFunc("POST /api/run/stop", s.jsonHandler(s.runStop))
	mux.HandleFunc("GET /rules", func(w http.ResponseWriter, _ *http.Request) { s.show(w, "rules", oware.Lesson(), nil) })
	mux.HandleFunc("/", notFound)
	return mux
}

// link is a page. Its file and its script have its name.
type link struct {
	Name, Title, Path string
	Scripted          bool // has a script of its own
	Document          bool // shows documents, whose boards a script draws
}

var links = []link{
	{Name: "board", Title: "Board", Path: "/", Scripted: true},
	{Name: "book", Title: "Book", Path: "/book", Document: true},
	{Name: "files", Title: "Files", Path: "/files", Document: true},
	{Name: "runs", Title: "Runs", Path: "/runs", Scripted: true, Document: true},
	{Name: "rules", Title: "Learn", Path: "/rules", Scripted: true},
}

// notFound serves all other paths: an error as JSON, or as a page for browsers.
func notFound(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet || strings.HasPrefix(r.URL.Path, "/api/") ||
		!strings.Contains(r.Header.Get("Accept"), "text/html") {
		refuse(w, http.StatusNotFound, "unknown request: %s %.80q", r.Method, r.URL.Path)
		return
	}
	sendPage(w, http.StatusNotFound, link{Name: "missing", Title: "No such page"}, g.Group{
		h.H1(g.Text("There is no such page")),
		h.P(g.Text("Unknown address: "), h.Code(g.Textf("%.80s", r.URL.Path)),
			g.Text(". The pages are in the bar above, beginning with "),
			h.A(h.Href("/"), g.Text("the board")), g.Text(".")),
	})
}

// linkOf returns the page with a name.
func linkOf(name string) link {
	return links[slices.IndexFunc(links, func(l link) bool { return l.Name == name })]
}

// show sends a page with the data for its script. JSON has no < that could end the element.
func (s *Server) show(w http.ResponseWriter, name string, data any, err error) {
	file, bad := web.ReadFile("web/" + name + ".html")
	text, worse := json.Marshal(data)
	if err := cmp.Or(err, bad, worse); err != nil {
		s.reply(w, nil, err)
		return
	}
	sendPage(w, http.StatusOK, linkOf(name),
		g.Group{h.Script(h.Type("application/json"), h.ID("data"), g.Raw(string(text))), g.Raw(string(file))})
}

func sendPage(w http.ResponseWriter, status int, at link, main g.Node) {
	sendAs(w, status, htmlType, []byte(fmt.Sprint(frame(at, main))))
}

const htmlType = "text/html; charset=utf-8"

// sendAs sends an answer that browsers must not cache.
func sendAs(w http.ResponseWriter, status int, kind string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-store")
	allowTime(w)
	w.WriteHeader(status)
	w.Write(data) // in vain if the reader is gone
}

// static serves style, scripts and icon. Browsers cache them and revalidate.
func static(w http.ResponseWriter, r *http.Request) {
	name := r.PathValue("name")
	data, err := fs.ReadFile(web, path.Join("web", name))
	if name == "parts.css" {
		data, err = []byte(report.Style()), nil
	}
	kind := kinds[path.Ext(name)]
	if err != nil || kind == "" {
		refuse(w, http.StatusNotFound, "unknown file %.80q", name)
		return
	}
	sum := sha256.Sum256(data)
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Cache-Control", "no-cache")
	h.Set("ETag", `"`+hex.EncodeToString(sum[:8])+`"`)
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(data))
}

// kinds are the content types of static files. Pages are not static.
var kinds = map[string]string{
	".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml", ".txt": "text/plain; charset=utf-8",
}

// boardData is the data of the board's script.
type boardData struct {
	Game   *state         `json:"game"`
	Fault  string         `json:"fault"` // why the game of the request cannot be shown
	Levels []engine.Level `json:"levels"`
	Rules  []string       `json:"rules"`
}

// boardQuery returns the values for the game of a request, which may be one of a file: its name and the
// number of the game, from 1.
func (s *Server) boardQuery(r *http.Request) (url.Values, error) {
	q := r.URL.Query()
	name := q.Get("file")
	if name == "" {
		return q, nil
	}
	seat, err := s.readers.enter(r.Context(), clientOf(r))
	if err != nil {
		return nil, err
	}
	defer s.readers.leave(seat)
	records, err := s.records(name)
	if err != nil {
		return nil, err
	}
	number, err := strconv.Atoi(q.Get("number"))
	if err != nil || number < 1 || number > len(records) {
		return nil, fmt.Errorf("game %.10q of %s: expected 1 to %d", q.Get("number"), name, len(records))
	}
	g, err := importedOf(records, number-1)
	if err != nil {
		return nil, fmt.Errorf("game %d of %s: %w", number, name, err)
	}
	return g.query(), nil
}

// boardPage serves the board with the game of the request.
func (s *Server) boardPage(w http.ResponseWriter, r *http.Request) {
	data := boardData{Levels: engine.Levels(), Rules: kit.Game.Rules}
	q, err := s.boardQuery(r)
	if err == nil {
		q.Set("partial", "1")
		data.Game, err = stateOf(q)
	}
	if err != nil {
		data.Fault = s.folder.plain(err)
		data.Game, err = stateOf(nil)
	} else {
		data.Fault = data.Game.Fault
		data.Game.Fault = ""
	}
	s.show(w, "board", data, err)
}

// frame returns a whole page with the given main part. Its script has the name of the page.
func frame(at link, main g.Node) g.Node {
	file := func(rel, path string) g.Node { return h.Link(h.Rel(rel), h.Href("/static/"+path)) }
	script := func(name string) g.Node { return h.Script(h.Type("module"), h.Src("/static/"+name+".js")) }
	return h.Doctype(h.HTML(h.Lang("en"), g.If(!at.Scripted, h.Data("ready", "true")),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.TitleEl(g.Text(at.Title+" – Kroo")),
			file("icon", "icon.svg"),
			file("stylesheet", "parts.css"),
			file("stylesheet", "style.css"),
			g.If(at.Scripted || at.Document, g.Group{file("modulepreload", "draw.js"), file("modulepreload", "talk.js")}),
			g.If(at.Document, script("positions")),
			g.If(at.Scripted, script(at.Name)),
		),
		h.Body(h.Class(at.Name+"-page"),
			h.A(h.Class("skip"), h.Href("#main"), g.Text("Skip to the content")),
			h.Header(h.Class("top"),
				h.A(h.Class("brand"), h.Href("/"), g.Text("Kroo")),
				h.Nav(h.Aria("label", "Pages"), g.Map(links, func(l link) g.Node {
					return h.A(h.Href(l.Path), g.If(l == at, h.Aria("current", "page")), g.Text(l.Title))
				})),
			),
			h.Main(h.ID("main"),
				g.If(at.Scripted, h.NoScript(h.P(h.Class("fault"),
					g.Text("This page needs JavaScript. All of it comes from this server.")))),
				main,
			),
		),
	))
}

// faultNode shows an error; it is hidden if there is none.
func faultNode(fault string) g.Node {
	return h.P(h.Class("fault"), h.ID("fault"), h.Role("alert"), g.If(fault == "", g.Attr("hidden")), g.Text(fault))
}

// choice is a list in a form, with nothing as the first of it.
func choice(q url.Values, name, label string, list []string) g.Node {
	return h.Label(g.Text(label+" "), h.Select(h.Name(name), h.ID(name), h.Option(h.Value(""), g.Text("nothing")),
		g.Map(list, func(value string) g.Node { return h.Option(g.If(value == q.Get(name), h.Selected()), g.Text(value)) })))
}

// field is a text field in a form.
func field(q url.Values, name, label, like string) g.Node {
	return h.Label(h.Class("wide-field"), g.Text(label+" "),
		h.Input(h.Type("text"), h.Name(name), h.ID(name), h.Value(q.Get(name)), h.Placeholder(like),
			g.Attr("spellcheck", "false"), h.AutoComplete("off")))
}

// page is a page of a document: the form that selects it, the document, and what follows its sections.
type page struct {
	form  g.Node
	doc   *outline.Doc
	after g.Node
	fault error // of a part that the request did not ask for
}

// docPage serves pages of documents. Slow readers of an answer delay nobody.
func (s *Server) docPage(name string, of func(r *http.Request) (page, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		html, status, err := s.markup(r, linkOf(name), of)
		if err != nil {
			s.reply(w, nil, err)
			return
		}
		sendAs(w, status, htmlType, []byte(html))
	}
}

// markup renders a page. A few, which may read large files, are made at a time; clients take turns.
func (s *Server) markup(r *http.Request, at link, of func(r *http.Request) (page, error)) (html string, status int, err error) {
	seat, err := s.readers.enter(r.Context(), clientOf(r))
	if err != nil {
		return "", 0, err
	}
	defer s.readers.leave(seat)
	p, err := of(r)
	status = http.StatusOK
	if err != nil {
		status = statusOf(err)
	}
	fault := ""
	if shown := cmp.Or(err, p.fault); shown != nil {
		fault = s.folder.plain(shown)
	}
	all := g.Group{h.H1(g.Text(at.Title)), faultNode(fault), p.form}
	if d := p.doc; d != nil {
		placeBoards(d)
		all = append(all, g.If(d.Title != "", h.P(h.Class("status"), report.Text(d.Title))),
			g.Map(d.Lead, func(text string) g.Node { return h.P(report.Text(text)) }), report.Cards(d.Facts), contents(d),
			h.Div(h.Class("doc"), report.Body(d)), p.after, report.Origin(d))
	}
	html, err = report.Markup(frame(at, h.Div(h.Class("parts"), all)))
	return html, status, err
}

// listedSections is the number of sections from which on a page has a table of contents.
const listedSections = 4

// contents is the table of contents of a document, by the ids that report.Body gives its sections. Folded
// ones have their headings in view.
func contents(d *outline.Doc) g.Node {
	var links g.Group
	for i, s := range d.Sections {
		if s.Heading != "" && !s.IsFolded() {
			links = append(links, h.A(h.Href(fmt.Sprintf("#section-%d", i+1)), g.Text(capital(s.Heading))))
		}
	}
	if len(links) < listedSections {
		return g.Group{}
	}
	return h.Nav(h.Class("contents"), h.Aria("label", "Sections"), links)
}

// capital returns a text with a capital first letter.
func capital(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// writeTimeout is the time in which a reader must take each part of an answer.
const writeTimeout = 20 * time.Second

// allowTime starts the time for the next part of an answer.
func allowTime(w http.ResponseWriter) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(writeTimeout)) // an error means that the writer has no deadlines
}

// jsonHandler serves the values of a function as JSON.
func (s *Server) jsonHandler(value func(r *http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := value(r)
		s.reply(w, v, err)
	}
}

// reply sends a value as JSON, or an error as an object with its text.
func (s *Server) reply(w http.ResponseWriter, value any, err error) {
	if err != nil {
		sendJSON(w, statusOf(err), s.failure(err))
		return
	}
	sendJSON(w, http.StatusOK, value)
}

// failure is an error as it is sent.
type failure struct {
	Error    string `json:"error"`
	Stopping bool   `json:"stopping,omitempty"` // the server is: the request can be repeated when it is back
}

// failure converts an error, without the path of the folder.
func (s *Server) failure(err error) failure {
	return failure{s.folder.plain(err), s.done.Err() != nil}
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, status int, format string, args ...any) {
	sendJSON(w, status, failure{Error: fmt.Sprintf(format, args...)})
}

func sendJSON(w http.ResponseWriter, status int, value any) {
	data, err := json.Marshal(value)
	if err != nil {
		status, data = http.StatusInternalServerError, []byte(`{"error":"a value of the answer cannot be sent"}`)
	}
	sendAs(w, status, "application/json", append(data, '\n'))
}

// errStopping is the error of requests when the server stops.
var errStopping = errors.New("the server is shutting down")

// errTooLong is the error of a search that exceeds its time limit.
var errTooLong = errors.New("the request took too long")

// statusOf returns the HTTP status of an error, by default 400.
func statusOf(err error) int {
	var tooLarge *http.MaxBytesError
	switch {
	case errors.Is(err, errBusy), errors.Is(err, errStopping), errors.Is(err, context.Canceled):
		return http.StatusServiceUnavailable
	case errors.Is(err, errTooLong):
		return http.StatusGatewayTimeout
	case errors.Is(err, fs.ErrNotExist):
		return http.StatusNotFound
	case errors.As(err, &tooLarge):
		return http.StatusRequestEntityTooLarge
	}
	return http.StatusBadRequest
}

// catch turns a panic into an error, so that neither the server nor a run of it ends.
func catch(err *error) {
	if p := recover(); p != nil {
		log.Printf("a bug: %v\n%s", p, debug.Stack())
		*err = fmt.Errorf("a bug in the program, please report it: %s", wording.Short(fmt.Sprint(p)))
	}
}
