package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"regexp"
	"strings"
	"sync"

	"kroo/internal/atomicfile"
)

// A Row is a named value with a remark; Note may be empty.
type Row struct{ Label, Value, Note string }

// A Table has one cell a column in every row. Columns of numbers are aligned to the
// right.
type Table struct {
	Header  []string
	Rows    [][]string
	Caption string
}

// A Section is a heading with its content, in the order of the fields.
type Section struct {
	Heading string
	Text    []string // paragraphs
	Table   *Table
	Figures []Figure // the page shows the PNG of those without SVG
	Folded  bool     // the table stands below the figures, folded away
}

// A Page is a whole report. All text is plain text: the page escapes it and never reads
// it as HTML.
type Page struct {
	Title      string
	Lead       []string // paragraphs that tell the result to whoever reads no further
	Summary    []Row    // the most important results
	Terms      []Row    // words that the page uses, with what they mean
	Sections   []Section
	Provenance []Row // what made this: inputs, settings, hashes
}

//go:embed page.tmpl
var pageSource string

//go:embed page.css
var pageStyle string

// pageTemplate is parsed when the first page is written: it takes two milliseconds, which
// a program that writes none should not spend when it starts.
var pageTemplate = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("page").Funcs(template.FuncMap{
		"style":   styleSheet,
		"drawing": drawing,
		"numeric": (*Table).numeric,
		"inc":     func(i int) int { return i + 1 },
	}).Parse(pageSource))
})

// WriteHTML writes a page into a file, atomically, as [writePage] does.
func WriteHTML(path string, p Page) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error { return writePage(w, p) })
}

// writePage writes a page as HTML that is also well-formed XML. It writes nothing if the
// page has a fault: a table row whose length differs from its header, or a figure that
// is neither a PNG nor plain SVG.
func writePage(w io.Writer, p Page) error {
	for _, s := range p.Sections {
		if err := s.Table.check(); err != nil {
			return fmt.Errorf("section %.60q: %w", s.Heading, err)
		}
	}
	out, err := fill("page", p)
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, out)
	return err
}

// HTML is the table as it stands in a page.
func (t *Table) HTML() ([]byte, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	out, err := fill("table", t)
	return []byte(out), err
}

// fill fills in a template, without control characters: they are no XML and say nothing
// in HTML.
func fill(template string, data any) (string, error) {
	var b bytes.Buffer
	if err := pageTemplate().ExecuteTemplate(&b, template, data); err != nil {
		return "", err
	}
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		return printable(r)
	}, strings.ToValidUTF8(b.String(), "\ufffd")), nil
}

func (t *Table) check() error {
	if t == nil {
		return nil
	}
	for i, row := range t.Rows {
		if len(row) != len(t.Header) {
			return fmt.Errorf("table row %d has %d cells, expected %d as in the header", i, len(row), len(t.Header))
		}
	}
	return nil
}

// numberCell allows signs, grouping, a unit sign and an error bar, as in
// "−1 024.5 ± 3 %".
var numberCell = regexp.MustCompile(`^[+\-−±<≤≥>]? ?[0-9][0-9.,\s\x{a0}eE+\-−±–×/:%]*$`)

func (t *Table) numeric(column int) bool {
	seen := false
	for _, row := range t.Rows {
		switch cell := strings.TrimSpace(row[column]); {
		case cell == "" || cell == "–" || cell == "-":
		case !numberCell.MatchString(cell):
			return false
		default:
			seen = true
		}
	}
	return seen
}

// styleSheet gives every colour a value for either mode.
func styleSheet() template.CSS {
	return template.CSS(":root{color-scheme:light dark;" + variables(false) + "}\n" +
		"@media screen and (prefers-color-scheme:dark){:root{" + variables(true) + "}}\n" + pageStyle)
}

var pngMagic = []byte("\x89PNG\r\n\x1a\n")

// drawing is the figure's drawing as part of the page. If the figure has a narrow one
// too, both are there, and the style sheet shows the one that the screen has room for.
func drawing(f Figure) (template.HTML, error) {
	alt := template.HTMLEscapeString(clean(f.Alt))
	if len(f.SVG) > 0 {
		svg, err := inlineSVG(f.SVG, alt)
		if err == nil && len(f.Narrow) > 0 {
			var narrow string
			narrow, err = inlineSVG(f.Narrow, alt)
			svg = `<div class="wide">` + svg + `</div><div class="narrow">` + narrow + `</div>`
		}
		if err != nil {
			return "", fmt.Errorf("figure %.60q: %w", f.Name, err)
		}
		return template.HTML(svg), nil
	}
	if !bytes.HasPrefix(f.PNG, pngMagic) {
		return "", fmt.Errorf("figure %.60q: expected an SVG or a PNG, got neither", f.Name)
	}
	return template.HTML(`<img alt="` + alt + `" src="data:image/png;base64,` + base64.StdEncoding.EncodeToString(f.PNG) + `"/>`), nil
}
