package report

import (
	"strconv"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"
)

// html is the whole page. Elements of the head that have no end are written out, since
// the page is XML too.
func (p Page) html() g.Node {
	return g.Group{g.Raw("<!DOCTYPE html>\n"), h.HTML(h.Lang("en"), stacked(
		h.Head(stacked(
			g.Raw(`<meta charset="utf-8"/>`),
			g.Raw(`<meta name="viewport" content="width=device-width, initial-scale=1"/>`),
			g.Raw(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>`),
			h.TitleEl(g.Text(p.Title)),
			h.StyleEl(g.Raw("\n"+styleSheet())),
		)),
		h.Body(stacked(p.header(), p.main(), p.footer())),
	)), g.Raw("\n")}
}

// stacked gives each node that is there a line of its own: pages are compared line by line.
func stacked(nodes ...g.Node) g.Group {
	all := g.Group{g.Raw("\n")}
	for _, n := range nodes {
		if n != nil {
			all = append(all, n, g.Raw("\n"))
		}
	}
	return all
}

func paragraph(text string) g.Node { return h.P(g.Text(text)) }

func (p Page) header() g.Node {
	all := g.Group{h.H1(g.Text(p.Title))}
	for _, text := range p.Lead {
		all = append(all, h.P(h.Class("lead"), g.Text(text)))
	}
	if len(p.Summary) > 0 {
		all = append(all, h.Dl(h.Class("summary"), stacked(g.Map(p.Summary, Row.card)...)))
	}
	if len(p.Sections) > 2 {
		all = append(all, h.Nav(h.Aria("label", "Contents"), stacked(h.Ol(stacked(p.contents()...)))))
	}
	return h.Header(stacked(all...))
}

func (r Row) card() g.Node {
	return h.Div(h.Dt(g.Text(r.Label)), h.Dd(h.Class("value"), g.Text(r.Value)),
		g.If(r.Note != "", h.Dd(h.Class("note"), g.Text(r.Note))))
}

// contents are the links to the sections.
func (p Page) contents() g.Group {
	var all g.Group
	link := func(id, text string) { all = append(all, h.Li(h.A(h.Href("#"+id), g.Text(text)))) }
	for i, s := range p.Sections {
		link("section-"+strconv.Itoa(i+1), s.Heading)
	}
	if len(p.Terms) > 0 {
		link("terms", "Words")
	}
	if len(p.Provenance) > 0 {
		link("made", "What made this")
	}
	return all
}

func (p Page) main() g.Node {
	var all g.Group
	for i, s := range p.Sections {
		all = append(all, s.html(strconv.Itoa(i+1)))
	}
	if len(p.Terms) > 0 {
		all = append(all, h.Section(h.Aria("labelledby", "terms"), stacked(
			h.H2(h.ID("terms"), g.Text("Words")),
			h.Dl(h.Class("terms"), stacked(g.Map(p.Terms, Row.term)...)))))
	}
	return h.Main(stacked(all...))
}

func (r Row) term() g.Node { return g.Group{h.Dt(g.Text(r.Label)), h.Dd(g.Text(r.Value))} }

func (r Row) command() g.Node {
	return g.Group{h.Dt(g.Text(r.Label)), h.Dd(h.Code(g.Text(r.Value)))}
}

func (s Section) html(number string) g.Node {
	all := g.Group{h.H2(h.ID("heading-"+number), g.Text(s.Heading))}
	all = append(all, g.Map(s.Text, paragraph)...)
	if len(s.Commands) > 0 {
		all = append(all, h.Dl(h.Class("terms"), stacked(g.Map(s.Commands, Row.command)...)))
	}
	if s.Table != nil && !s.Folded {
		all = append(all, s.captioned()...)
	}
	all = append(all, g.Map(s.Figures, Figure.html)...)
	if s.Table != nil && s.Folded {
		title := h.Summary(g.Text(s.Heading + ": the figures as a table"))
		all = append(all, h.Details(stacked(append(g.Group{title}, s.captioned()...)...)))
	}
	return h.Section(h.ID("section-"+number), h.Aria("labelledby", "heading-"+number), stacked(all...))
}

func (f Figure) html() g.Node {
	return h.Figure(stacked(drawing(f), h.FigCaption(g.Text(f.Caption))))
}

// captioned is the section's table below its caption.
func (s Section) captioned() (all g.Group) {
	name := "Table: " + s.Heading
	if s.Table.Caption != "" {
		name = s.Table.Caption
		all = append(all, h.P(h.Class("caption"), g.Text(name)))
	}
	return append(all, scroll(name, s.Table.html()))
}

// scroll gives a wide table room to scroll in, with the keys too.
func scroll(name string, table g.Node) g.Node {
	return h.Div(h.Class("scroll"), h.Role("region"), h.TabIndex("0"), h.Aria("label", name), stacked(table))
}

func (t *Table) html() g.Node {
	numeric := make([]bool, len(t.Header))
	for c := range t.Header {
		numeric[c] = t.numeric(c)
	}
	tr := func(row []string, cell func(...g.Node) g.Node, attributes ...g.Node) g.Node {
		var all g.Group
		for c, text := range row {
			all = append(all, cell(g.Group(attributes), g.If(numeric[c], h.Class("number")), g.Text(text)))
		}
		return h.Tr(all)
	}
	return h.Table(stacked(
		h.THead(stacked(tr(t.Header, h.Th, h.Scope("col")))),
		h.TBody(stacked(g.Map(t.Rows, func(row []string) g.Node { return tr(row, h.Td) })...)),
	))
}

func (p Page) footer() g.Node {
	if len(p.Provenance) == 0 {
		return nil
	}
	return h.Footer(stacked(
		h.H2(h.ID("made"), g.Text("What made this")),
		scroll("What made this", h.Table(h.Class("provenance"), stacked(
			h.TBody(stacked(g.Map(p.Provenance, Row.provenance)...))))),
	))
}

func (r Row) provenance() g.Node {
	return h.Tr(h.Th(h.Scope("row"), g.Text(r.Label)), h.Td(h.Code(g.Text(r.Value))), h.Td(h.Class("note"), g.Text(r.Note)))
}
