package serve

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/engine"
)

// frame is a page around its main part. Its script has its name.
func frame(at link, main g.Node) g.Node {
	there := at.Path != ""
	file := func(rel, path string) g.Node { return h.Link(h.Rel(rel), h.Href("/static/"+path)) }
	return h.Doctype(h.HTML(h.Lang("en"), g.If(!there, h.Data("ready", "true")),
		h.Head(
			h.Meta(h.Charset("utf-8")),
			h.Meta(h.Name("viewport"), h.Content("width=device-width, initial-scale=1")),
			h.Meta(h.Name("color-scheme"), h.Content("light dark")),
			h.TitleEl(g.Text(at.Title+" – Kroo")),
			file("icon", "icon.svg"),
			file("stylesheet", "style.css"),
			file("modulepreload", "draw.js"),
			file("modulepreload", "talk.js"),
			g.If(at.Name == "runs", g.Group{file("stylesheet", "uplot/uPlot.css"), h.Script(h.Defer(), h.Src("/static/uplot/uPlot.js"))}),
			g.If(there, h.Script(h.Type("module"), h.Src("/static/"+at.Name+".js"))),
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
				h.NoScript(h.P(h.Class("fault"), g.Text("These pages need JavaScript. All of it comes from this server."))),
				main,
			),
		),
	))
}

// slots are the nodes that stand for {{name}} in a page's file: always between elements,
// since there text is escaped as nodes escape it.
type slots map[string]g.Node

// fill puts nodes into the slots of a file.
func fill(file string, s slots) g.Node {
	var pairs []string
	for name, node := range s {
		pairs = append(pairs, "{{"+name+"}}", fmt.Sprint(node))
	}
	return g.Raw(strings.NewReplacer(pairs...).Replace(file))
}

// stateNode is a game for the script of its page: JSON has no < that could end the element.
func stateNode(st *state) (g.Node, error) {
	data, err := json.Marshal(st)
	return h.Script(h.Type("application/json"), h.ID("state"), g.Raw(string(data))), err
}

// faultNode says why the game of the address cannot be shown, if it cannot.
func faultNode(fault string) g.Node {
	return h.P(h.Class("fault"), h.ID("fault"), h.Role("alert"), g.If(fault == "", g.Attr("hidden")), g.Text(fault))
}

// houseRow is a row of the board as it is first shown.
func houseRow(row []boardHouse) g.Node {
	return h.Tr(g.Map(row, func(b boardHouse) g.Node {
		seeds := strconv.Itoa(b.Seeds)
		return h.Td(h.Button(h.Type("button"), h.Class("house"), h.Data("house", strconv.Itoa(b.Index)), h.Aria("label", b.Name+" "+seeds),
			h.Span(h.Class("name"), g.Text(b.Name+" "), h.B(g.Text(seeds)))))
	}))
}

func levelOption(l engine.Level) g.Node {
	return h.Option(h.Value(l.Name), h.Data("like", l.Like), g.If(l.Name == "medium", h.Selected()), g.Text(l.Name))
}

func presetOption(p preset) g.Node { return h.Option(h.Value(p.Name), g.Text(p.Name+": "+p.Text)) }
