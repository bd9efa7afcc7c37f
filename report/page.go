package report

import (
	"bytes"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"regexp"
	"strings"

	g "maragu.dev/gomponents"

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
	Heading  string
	Text     []string // paragraphs
	Commands []Row    // to type: what for, and the command
	Table    *Table
	Figures  []Figure // the page shows the PNG of those without SVG
	Folded   bool     // the table stands below the figures, folded away
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

//go:embed page.css
var pageStyle string

// WriteHTML writes a page into a file, atomically.
func WriteHTML(path string, p Page) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error { return writePage(w, p) })
}

// writePage writes a page as HTML that is also well-formed XML. It writes nothing if the
// page has a fault: a table row whose length differs from its header, or a figure that
// is neither a PNG nor plain SVG.
func writePage(w io.Writer, p Page) error {
	out, err := p.HTML()
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// HTML is the page as [WriteHTML] writes it.
func (p Page) HTML() ([]byte, error) {
	for _, s := range p.Sections {
		if err := s.Table.check(); err != nil {
			return nil, fmt.Errorf("section %.60q: %w", s.Heading, err)
		}
	}
	out, err := markup(p.html())
	return []byte(out), err
}

// HTML is the table as it stands in a page.
func (t *Table) HTML() ([]byte, error) {
	if err := t.check(); err != nil {
		return nil, err
	}
	out, err := markup(t.html())
	return []byte(out), err
}

// markup writes nodes as text, without control characters: they are no XML and say
// nothing in HTML.
func markup(n g.Node) (string, error) {
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

// numberCell allows signs, grouping, a unit sign, an error bar and an interval, as in
// "−1 024.5 ± 3 %" and "+500 [+412, +669]".
var numberCell = regexp.MustCompile(`^[+\-−±<≤≥>]? ?[0-9][0-9.,\s\x{a0}eE+\-−±–×/:%\[\]]*$`)

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
func styleSheet() string {
	return ":root{color-scheme:light dark;" + variables(false) + "}\n" +
		"@media screen and (prefers-color-scheme:dark){:root{" + variables(true) + "}}\n" + pageStyle
}

var pngMagic = []byte("\x89PNG\r\n\x1a\n")

// drawing is the figure's drawing as part of the page. If the figure has a narrow one
// too, both are there, and the style sheet shows the one that the screen has room for.
func drawing(f Figure) g.Node {
	return g.NodeFunc(func(w io.Writer) error {
		alt := html.EscapeString(clean(f.Alt))
		if len(f.SVG) == 0 {
			if !bytes.HasPrefix(f.PNG, pngMagic) {
				return fmt.Errorf("figure %.60q: expected an SVG or a PNG, got neither", f.Name)
			}
			_, err := fmt.Fprintf(w, `<img alt="%s" src="data:image/png;base64,%s"/>`, alt, base64.StdEncoding.EncodeToString(f.PNG))
			return err
		}
		svg, err := inlineSVG(f.SVG, alt)
		if err == nil && len(f.Narrow) > 0 {
			var narrow string
			narrow, err = inlineSVG(f.Narrow, alt)
			svg = `<div class="wide">` + svg + `</div><div class="narrow">` + narrow + `</div>`
		}
		if err != nil {
			return fmt.Errorf("figure %.60q: %w", f.Name, err)
		}
		_, err = io.WriteString(w, svg)
		return err
	})
}
