// Package report draws figures, and renders documents (package internal/outline) as HTML: a page that
// needs no network, script or second file, or a part of another page.
//
// Each figure ([LabelMap], [Intervals], [DropOut], [Tree], [Board], [Matrix], [Chart]) is drawn on
// demand: as SVG for wide and narrow screens and as PNG, with a caption, a text for readers who cannot
// see it, and its values as a table. The same input gives the same bytes. A figure without data is
// drawn with a note. Values that are not finite, or beyond a million, are errors.
package report

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/atomicfile"
	"kroo/internal/outline"
)

// The styles of a page of its own, and of the parts of a document on any.
var (
	//go:embed page.css
	pageStyle string
	//go:embed parts.css
	partsStyle string
)

// WriteHTML writes a document as a page into a file, atomically.
func WriteHTML(path string, d *outline.Doc) error {
	out, err := HTML(d)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, out)
}

// HTML renders a document as a page that is also well-formed XML.
func HTML(d *outline.Doc) ([]byte, error) {
	out, err := Markup(g.Group{g.Raw("<!DOCTYPE html>\n"), h.HTML(h.Lang("en"),
		h.Head(g.Raw(`<meta charset="utf-8"/>`),
			g.Raw(`<meta name="viewport" content="width=device-width, initial-scale=1"/>`),
			g.Raw(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"/>`),
			h.TitleEl(Text(d.Title)),
			h.StyleEl(g.Raw("\n"+Style()+pageStyle))),
		h.Body(header(d), h.Main(Body(d)), Origin(d))), g.Raw("\n")})
	return []byte(out), err
}

// Style returns the style sheet of the parts of documents, with the figures' inks for both modes.
func Style() string {
	return ":root{color-scheme:light dark;" + variables(false) + "}\n" +
		"@media screen and (prefers-color-scheme:dark){:root{" + variables(true) + "}}\n" + partsStyle
}

// Markup renders nodes without control characters, which XML forbids.
func Markup(n g.Node) (string, error) {
	var b strings.Builder
	if err := n.Render(&b); err != nil {
		return "", err
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printable(r)
	}, strings.ToValidUTF8(b.String(), "\ufffd")), nil
}

func header(d *outline.Doc) g.Node {
	all := g.Group{h.H1(Text(d.Title))}
	for _, text := range d.Lead {
		all = append(all, h.P(h.Class("lead"), Text(text)))
	}
	all = append(all, Cards(d.Facts))
	if len(d.Sections) > 2 {
		all = append(all, h.Nav(h.Aria("label", "Contents"), contents(d)))
	}
	return h.Header(all)
}

// Cards renders facts as a row of cards; nil without facts.
func Cards(facts []outline.Fact) g.Node {
	if len(facts) == 0 {
		return nil
	}
	return h.Dl(h.Class("cards"), g.Map(facts, func(f outline.Fact) g.Node {
		return h.Div(h.Dt(Text(f.Name)), h.Dd(h.Class("value"), Text(f.Value)),
			g.If(f.Note != "", h.Dd(h.Class("note"), Text(f.Note))))
	}))
}

// contents returns the links to the sections.
func contents(d *outline.Doc) g.Node {
	link := func(id, text string) g.Node { return h.Li(h.A(h.Href("#"+id), g.Text(text))) }
	var all g.Group
	for i, s := range d.Sections {
		if s.Heading != "" && !s.IsFolded() {
			all = append(all, link("section-"+strconv.Itoa(i+1), s.Heading))
		}
	}
	return h.Ol(all, g.If(len(d.Origin) > 0, link("made", "What made this")))
}

// Body renders the sections of a document. A table whose rows differ in length from
// its header, and a figure that cannot be drawn, are errors of rendering.
func Body(d *outline.Doc) g.Node {
	var all g.Group
	for i := 0; i < len(d.Sections); {
		last := i + 1
		for d.Sections[i].IsFolded() && last < len(d.Sections) && d.Sections[last].IsFolded() && d.Sections[last].Heading == "" {
			last++
		}
		all = append(all, section(d.Sections[i:last], strconv.Itoa(i+1)))
		i = last
	}
	return all
}

// Text renders text, whose negative numbers get a minus sign for a hyphen.
func Text(text string) g.Node { return g.Text(minusSigns(text)) }

// terms renders a list of names with values, each in the given element if it is not nil.
func terms(facts []outline.Fact, value func(...g.Node) g.Node) g.Node {
	return h.Dl(h.Class("terms"), g.Map(facts, func(f outline.Fact) g.Node {
		text := Text(f.Value)
		if value != nil {
			text = value(g.Text(f.Value))
		}
		return g.Group{h.Dt(Text(f.Name)), h.Dd(text), g.If(f.Note != "", h.Dd(h.Class("note"), Text(f.Note)))}
	}))
}

// longTable is the most rows of a table that is not folded below the figures that show it.
const longTable = 10

// Part renders one section for a page that has other documents: name, which is not a number, keeps its id
// distinct from theirs.
func Part(s outline.Section, name string) g.Node { return section([]outline.Section{s}, name) }

// section renders a section; a folded one with those without a heading that follow it.
func section(parts []outline.Section, number string) g.Node {
	var all g.Group
	for _, s := range parts {
		all = append(all, content(s)...)
	}
	heading := parts[0].Heading
	switch {
	case parts[0].IsFolded():
		return h.Details(h.ID("section-"+number), h.Class("aside"), h.Summary(g.Text(heading)), all)
	case heading == "":
		return h.Section(h.ID("section-"+number), h.Aria("label", "Part "+number), all)
	}
	return h.Section(h.ID("section-"+number), h.Aria("labelledby", "heading-"+number),
		h.H2(h.ID("heading-"+number), g.Text(heading)), all)
}

// content renders what is below the heading of a section.
func content(s outline.Section) (all g.Group) {
	for _, text := range s.Text {
		all = append(all, h.P(Text(text)))
	}
	if len(s.Facts) > 0 {
		all = append(all, terms(s.Facts, nil))
	}
	if len(s.Commands) > 0 {
		all = append(all, terms(s.Commands, h.Code))
	}
	var table g.Node
	folded := false
	if s.Table != nil {
		table = Table(s.Table, "Table: "+cmp.Or(s.Heading, strings.Join(s.Table.Header, ", ")))
		folded = s.Drawn && len(s.Figures) > 0 && len(s.Table.Rows) > longTable
	}
	if table != nil && !folded {
		all = append(all, table)
	}
	if s.Plain != "" {
		all = append(all, h.Pre(h.TabIndex("0"), g.Text(s.Plain)))
	}
	for _, b := range s.Boards {
		all = append(all, board(b))
	}
	for _, f := range s.Figures {
		all = append(all, figure(f, !s.Drawn))
	}
	if folded {
		all = append(all, h.Details(h.Summary(g.Text(s.Heading+": the figures as a table")), table))
	}
	for line := range strings.Lines(s.Note) {
		all = append(all, h.P(Text(strings.TrimSuffix(line, "\n"))))
	}
	return all
}

// board renders a drawn position, or its diagram.
func board(b outline.Board) g.Node {
	link := g.If(b.Link != "", h.P(h.A(h.Href(b.Link), g.Text("Analyse "+b.Board))))
	if b.Drawing != nil {
		return g.Group{figure(b.Drawing, false), link}
	}
	return g.Group{h.Figure(h.Pre(g.Text(b.Diagram+"\n"+b.Board)), h.FigCaption(Text(b.Line))), link}
}

// pageDrawing is a drawing that a page shows in its own way.
type pageDrawing interface {
	outline.Drawing
	Node() g.Node
}

// figure renders a drawing with its caption and, folded, its values.
func figure(d outline.Drawing, values bool) g.Node {
	if placed, ok := d.(pageDrawing); ok {
		return placed.Node()
	}
	return g.NodeFunc(func(w io.Writer) error {
		f, err := d.Draw()
		if err != nil {
			return err
		}
		all := g.Group{drawing(f), g.If(f.Caption != "", h.FigCaption(Text(f.Caption)))}
		if values && f.Values != nil {
			all = append(all, h.Details(h.Summary(g.Text("The values as a table")), Table(f.Values, f.Caption)))
		}
		return h.Figure(all).Render(w)
	})
}

// drawing renders a figure for wide and for narrow screens; the style sheet shows one of them. Inks
// are variables of the page.
func drawing(f outline.Figure) g.Node {
	one := func(class string, svg []byte) g.Node {
		_, rest, _ := bytes.Cut(svg, []byte("<svg "))
		return h.Div(h.Class(class), g.Raw(`<svg aria-label="`+html.EscapeString(clean(f.Alt))+`" `+styled.ReplaceAllStringFunc(themed.Replace(string(rest)), attributes)))
	}
	return g.Group{one("wide", f.SVG), one("narrow", f.Narrow)}
}

// styled matches the styles of a drawing's elements.
var styled = regexp.MustCompile(`\sstyle="[^"]*"`)

// attributes returns a style as attributes of its element, for pages whose policy forbids styles.
func attributes(style string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(style[len(` style="`):len(style)-1], ";") {
		if name, value, found := strings.Cut(part, ":"); found {
			fmt.Fprintf(&b, ` %s="%s"`, strings.TrimSpace(name), value)
		}
	}
	return b.String()
}

// scroll lets a wide table scroll, also by keys.
func scroll(name string, table g.Node) g.Node {
	return h.Div(h.Class("scroll"), h.Role("region"), h.TabIndex("0"), h.Aria("label", name), table)
}

// Table renders a table. The link of a row is in its first cell.
func Table(t *outline.Table, name string) g.Node {
	if err := t.Check(); err != nil {
		return g.NodeFunc(func(io.Writer) error { return fmt.Errorf("table %.60q: %w", name, err) })
	}
	numeric := make([]bool, len(t.Header))
	for c := range t.Header {
		numeric[c] = t.Numeric(c)
	}
	tr := func(i int, row []string, cell func(...g.Node) g.Node, attributes ...g.Node) g.Node {
		var all g.Group
		for c, text := range row {
			content := Text(text)
			if c == 0 && i >= 0 && t.Links != nil && t.Links[i] != "" {
				content = h.A(h.Href(t.Links[i]), content)
			}
			if i < 0 && t.HeadLinks != nil {
				content = h.A(h.Href(t.HeadLinks[c]), h.Title("Sort by "+text), content)
			}
			all = append(all, cell(g.Group(attributes), g.If(numeric[c], h.Class("number")), content))
		}
		switch {
		case t.Bars != nil && i < 0:
			all = append(all, h.Td())
		case t.Bars != nil:
			all = append(all, h.Td(h.Class("bars"), bar(t.Bars[i], slices.Max(t.Bars))))
		}
		return h.Tr(all)
	}
	var rows g.Group
	for i, row := range t.Rows {
		rows = append(rows, tr(i, row, h.Td))
	}
	return scroll(name, h.Table(h.THead(tr(-1, t.Header, h.Th, h.Scope("col"))), h.TBody(rows)))
}

// bar draws n as a bar; most has the whole width.
func bar(n, most int) g.Node {
	if n == 0 {
		return nil
	}
	return g.Raw(fmt.Sprintf(`<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><path fill="currentColor" d="M0 0H%.1fV10H0Z"/></svg>`, max(0.5, 100*float64(n)/float64(most))))
}

// Origin renders the provenance of what the document describes; nil without any.
func Origin(d *outline.Doc) g.Node {
	if len(d.Origin) == 0 {
		return nil
	}
	return h.Footer(h.H2(h.ID("made"), g.Text("What made this")),
		scroll("What made this", h.Table(h.Class("provenance"), h.TBody(g.Map(d.Origin, func(f outline.Fact) g.Node {
			return h.Tr(h.Th(h.Scope("row"), g.Text(f.Name)), h.Td(h.Code(g.Text(f.Value))),
				h.Td(h.Class("note"), Text(f.Note)))
		})))),
	)
}
