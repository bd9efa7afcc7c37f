package serve

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/doc"
	"kroo/report"
)

// frame returns a whole page with the given main part. Its script has the name of the page.
func frame(at link, main g.Node) g.Node {
	file := func(rel, path string) g.Node { return h.Link(h.Rel(rel), h.Href("/static/"+path)) }
	return h.Doctype(h.HTML(h.Lang("en"), g.If(!at.Scripted, h.Data("ready", "true")),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.TitleEl(g.Text(at.Title+" – Kroo")),
			file("icon", "icon.svg"),
			file("stylesheet", "parts.css"),
			file("stylesheet", "style.css"),
			g.If(at.Scripted, g.Group{file("modulepreload", "draw.js"), file("modulepreload", "talk.js"), h.Script(h.Type("module"), h.Src("/static/"+at.Name+".js"))}),
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
				g.If(at.Scripted, h.NoScript(h.P(h.Class("fault"), g.Text("This page needs JavaScript. All of it comes from this server.")))),
				main,
			),
		),
	))
}

// faultNode shows an error; it is hidden if there is none.
func faultNode(fault string) g.Node {
	return h.P(h.Class("fault"), h.ID("fault"), h.Role("alert"), g.If(fault == "", g.Attr("hidden")), g.Text(fault))
}

// pick is a form for a page with other values.
func pick(q url.Values, button string, fields ...g.Node) g.Node {
	return h.Form(h.Class("row pick"), h.ID("choice"), g.Group(fields), h.Button(h.Type("submit"), h.Class("main"), g.Text(button)))
}

// choice is a list in a form. none is the text for no value, if allowed.
func choice(q url.Values, name, label string, list []string, none ...string) g.Node {
	return h.Label(g.Text(label+" "), h.Select(h.Name(name), h.ID(name), g.Map(none, func(text string) g.Node { return h.Option(h.Value(""), g.Text(text)) }),
		g.Map(list, func(value string) g.Node { return h.Option(g.If(value == q.Get(name), h.Selected()), g.Text(value)) })))
}

// field is a text field in a form.
func field(q url.Values, name, label, like string) g.Node {
	return h.Label(h.Class("wide-field"), g.Text(label+" "), h.Input(h.Type("text"), h.Name(name), h.ID(name), h.Value(q.Get(name)), h.Placeholder(like), g.Attr("spellcheck", "false"), h.AutoComplete("off")))
}

// page is a page of a document: the form that selects it, the document, and what follows it.
type page struct {
	form  g.Node
	doc   *doc.Doc
	after g.Node
}

// docPage serves pages of documents. A program that accepts JSON gets the value of the document.
func (s *Server) docPage(name string, of func(r *http.Request) (page, error)) http.HandlerFunc {
	at := links[slices.IndexFunc(links, func(l link) bool { return l.Name == name })]
	return func(w http.ResponseWriter, r *http.Request) {
		var p page
		var failed error
		html, err := s.inTurn(r.Context(), clientOf(r), func() (any, error) {
			fault := ""
			if p, failed = of(r); failed != nil {
				fault = s.folder.plain(failed)
			}
			all := g.Group{h.H1(g.Text(at.Title)), faultNode(fault), p.form}
			if d := p.doc; d != nil {
				all = append(all, g.If(d.Title != "", h.P(h.Class("status"), g.Text(d.Title))), g.Map(d.Lead, func(text string) g.Node { return h.P(g.Text(text)) }), report.Cards(d.Facts), h.Div(h.Class("doc"), report.Body(d)), report.Origin(d))
			}
			return report.Markup(frame(at, h.Div(h.Class("parts"), append(all, p.after))))
		})
		switch {
		case err != nil:
			s.reply(w, nil, err)
		case p.doc != nil && strings.Contains(r.Header.Get("Accept"), jsonType):
			s.reply(w, p.doc.Value, failed)
		case failed != nil:
			sendAs(w, statusOf(failed), htmlType, []byte(html.(string)))
		default:
			sendAs(w, http.StatusOK, htmlType, []byte(html.(string)))
		}
	}
}
