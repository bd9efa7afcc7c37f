package report

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func samplePage() Page {
	figures := slices.Clone(everyFigure())
	pngOnly := figures[5]
	pngOnly.SVG, pngOnly.Caption = nil, "As a PNG."
	return Page{
		Title:   "A training run",
		Summary: []Row{{"Correlation", "0.859", "validation rows"}, {"Games", "100", ""}},
		Sections: []Section{
			{Heading: "Fit", Text: []string{"First.", "Second."}, Figures: figures[:3], Table: &Table{
				Header:  []string{"feature", "weight", "t"},
				Rows:    [][]string{{"captures", "36.58", "304.8"}, {"<1", "−27.03", ""}, {">12", "1\u00a0040.51 ± 2", "18"}},
				Caption: "Weights",
			}},
			{Heading: "Book", Figures: figures[3:5]},
			{Heading: "Match", Figures: []Figure{figures[5], pngOnly}},
		},
		Provenance: []Row{{"positions", "0aa1b2", "seed 1"}},
	}
}

func render(t testing.TB, p Page) string {
	t.Helper()
	var b bytes.Buffer
	testkit.NoError(t, writePage(&b, p))
	return b.String()
}

// elements calls f for every element of a page, which must be well-formed XML.
func elements(t testing.TB, page string, f func(xml.StartElement)) {
	t.Helper()
	in := xml.NewDecoder(strings.NewReader(page))
	for {
		token, err := in.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("page is not well formed: %v", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			f(e)
		}
	}
}

// checkAlone fails on anything that would make a browser look elsewhere.
func checkAlone(t testing.TB, page string) {
	t.Helper()
	ids, links := map[string]bool{}, []string{}
	elements(t, page, func(e xml.StartElement) {
		switch e.Name.Local {
		case "script", "link", "iframe", "object", "embed", "use", "image", "base", "foreignObject", "animate", "form", "input":
			t.Errorf("element %s has no place on the page", e.Name.Local)
		}
		for _, a := range e.Attr {
			switch name := strings.ToLower(a.Name.Local); {
			case name == "id":
				if ids[a.Value] {
					t.Errorf("id %q comes twice", a.Value)
				}
				ids[a.Value] = true
			case name == "src" && !strings.HasPrefix(a.Value, "data:image/png;base64,"):
				t.Errorf("src=%.60q", a.Value)
			case name == "href" && !strings.HasPrefix(a.Value, "#"):
				t.Errorf("href=%.60q", a.Value)
			case name == "href":
				links = append(links, a.Value[1:])
			case strings.HasPrefix(name, "on"), name == "srcset", name == "xmlns", name == "background":
				t.Errorf("attribute %s=%.60q", name, a.Value)
			case name == "style" && strings.Contains(a.Value, "url"):
				t.Errorf("style=%.60q", a.Value)
			}
		}
	})
	for _, link := range links {
		if !ids[link] {
			t.Errorf("link to #%s leads nowhere", link)
		}
	}
	for _, bad := range []string{"http:", "https:", "@import", "url(", "<script", "javascript:", "file:"} {
		if strings.Contains(page, bad) {
			t.Errorf("page contains %q", bad)
		}
	}
}

func TestPageStandsAlone(t *testing.T) {
	page := render(t, samplePage())
	checkAlone(t, page)
	if !strings.HasPrefix(page, "<!DOCTYPE html>\n<html lang=\"en\">") {
		t.Errorf("page starts with %.60q", page)
	}
	if len(page) > 1_000_000 {
		t.Errorf("page of %d bytes", len(page))
	}
}

func TestPageShowsEverything(t *testing.T) {
	p := samplePage()
	page := render(t, p)
	testkit.Contains(t, page, "A training run", "Correlation", "0.859", "validation rows", "First.", "Second.", "Weights", "36.58", "0aa1b2", "seed 1", "As a PNG.")
	svgs, images := 0, 0
	elements(t, page, func(e xml.StartElement) {
		labels := map[string]string{}
		for _, a := range e.Attr {
			labels[a.Name.Local] = a.Value
		}
		switch e.Name.Local {
		case "svg":
			if labels["role"] != "img" || len(labels["aria-label"]) < 20 || labels["viewBox"] == "" {
				t.Errorf("svg without a text for the blind: %v", labels)
			}
			svgs++
		case "img":
			if len(labels["alt"]) < 20 {
				t.Errorf("img with alt %q", labels["alt"])
			}
			images++
		}
	})
	if svgs != 2*6 || images != 1 { // each in two widths
		t.Errorf("%d svg and %d img elements, expected 12 and 1", svgs, images)
	}
	for _, s := range p.Sections {
		for _, f := range s.Figures {
			if !strings.Contains(page, "<figcaption>"+strings.ReplaceAll(f.Caption, "'", "&#39;")+"</figcaption>") {
				t.Errorf("caption of %s is missing", f.Name)
			}
			for _, w := range words(t, f.SVG) {
				var escaped strings.Builder
				xml.EscapeText(&escaped, []byte(strings.TrimSpace(w)))
				if !strings.Contains(page, escaped.String()) {
					t.Fatalf("%q of %s is missing", w, f.Name)
				}
			}
		}
	}
	if b64 := base64.StdEncoding.EncodeToString(p.Sections[2].Figures[1].PNG); !strings.Contains(page, b64) {
		t.Error("the png is not on the page")
	}
}

func TestPageFollowsLightDarkAndPaper(t *testing.T) {
	page := render(t, samplePage())
	testkit.Contains(t, page, "color-scheme:light dark", "@media screen and (prefers-color-scheme:dark)", "@media print", "--paper:#FFFFFF", "--paper:#191D22")
	body := page[strings.Index(page, "<body>"):]
	testkit.Equal(t, hexColour.FindString(regexp.MustCompile(`base64,[^"]*`).ReplaceAllString(body, "")), "", "colour")
	for _, m := range regexp.MustCompile(`var\(--([a-z0-9]+)\)`).FindAllStringSubmatch(page, -1) {
		if !strings.Contains(page, "--"+m[1]+":#") {
			t.Fatalf("variable %s is not defined", m[1])
		}
	}
}

func TestNumbersAreSetToTheRight(t *testing.T) {
	page := render(t, samplePage())
	for _, want := range []string{`<th scope="col">feature</th><th scope="col" class="number">weight</th><th scope="col" class="number">t</th>`,
		`<td>captures</td><td class="number">36.58</td>`, `<td>&lt;1</td><td class="number">−27.03</td><td class="number"></td>`} {
		testkit.Contains(t, page, want)
	}
	for cell, want := range map[string]bool{
		"1": true, "-1.5": true, "−1.5": true, "+3": true, "1 234": true, "1\u00a0234,5": true, "12 %": true, "3 ± 1": true, "1e-9": true, "1/2/3": true, "≤ 5": true,
		"A": false, "": false, "–": false, "1 seed": false, "f1": false, "<b>": false, ".5x": false, "9f31c0": false,
	} {
		table := &Table{Header: []string{"h"}, Rows: [][]string{{cell}}}
		testkit.Equal(t, table.numeric(0), want, "%q counts as a number: %v,", cell, !want)
	}
}

func TestHostileTextIsEscaped(t *testing.T) {
	for _, bad := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><script>`, `]]>`, "a\x00\x1b\u0085b\ufffe", "\xff\xc3(", `{{.Title}}`, `&#x3c;script&#x3e;`} {
		f := must(ScoreBar(bad, bad, 1, 1, 1))
		f.Name, f.Alt, f.Caption = bad, bad, bad
		g := Figure{Name: bad, Alt: bad, Caption: bad, PNG: f.PNG}
		page := render(t, Page{
			Title: bad, Summary: []Row{{bad, bad, bad}}, Provenance: []Row{{bad, bad, bad}},
			Sections: []Section{{Heading: bad, Text: []string{bad}, Figures: []Figure{f, g},
				Table: &Table{Header: []string{bad}, Rows: [][]string{{bad}}, Caption: bad}}, {Heading: bad}, {Heading: bad}},
		})
		checkAlone(t, page)
	}
}

func TestFaultyPagesAreRefusedWhole(t *testing.T) {
	section := func(s Section) Page { return Page{Sections: []Section{s}} }
	svg := func(s string) Page { return section(Section{Figures: []Figure{{Name: "f", SVG: []byte(s)}}}) }
	for want, p := range map[string]Page{
		`section "S": table row 1 has 1 cells, expected 2`: section(Section{Heading: "S", Table: &Table{Header: []string{"a", "b"}, Rows: [][]string{{"1", "2"}, {"3"}}}}),
		`figure "empty": expected an SVG or a PNG`:         section(Section{Figures: []Figure{{Name: "empty"}}}),
		`figure "gif": expected an SVG or a PNG`:           section(Section{Figures: []Figure{{Name: "gif", PNG: []byte("GIF89a")}}}),
		`element "script"`:                                 svg(`<svg><script>alert(1)</script></svg>`),
		`element "style"`:                                  svg(`<svg><style>@import "x"</style></svg>`),
		`element "image"`:                                  svg(`<svg><image href="http://x/y.png"/></svg>`),
		`element "foreignObject"`:                          svg(`<svg><foreignObject><p/></foreignObject></svg>`),
		`element "a"`:                                      svg(`<svg><a href="javascript:alert(1)"/></svg>`),
		`element "html" at depth 0`:                        svg(`<html/>`),
		`element "svg" at depth 1`:                         svg(`<svg><svg/></svg>`),
		`attribute "onload"`:                               svg(`<svg onload="alert(1)"/>`),
		`attribute "href"`:                                 svg(`<svg xmlns:xlink="http://www.w3.org/1999/xlink"><g xlink:href="x"/></svg>`),
		`attribute "style"`:                                svg(`<svg><path style="fill:url(http://x)"/></svg>`),
		`attribute "style" of g`:                           svg(`<svg><g style="position:fixed"/></svg>`),
		`attribute "d"`:                                    svg(`<svg><path d="M0,0&quot; onload=&quot;x"/></svg>`),
		`attribute "transform"`:                            svg(`<svg><g transform="matrix(1)"/></svg>`),
		`document type`:                                    svg(`<!DOCTYPE svg [<!ENTITY x "y">]><svg/>`),
		`no svg element`:                                   svg(`<!-- nothing -->`),
		`unexpected EOF`:                                   svg(`<svg><g>`),
		`svg: XML syntax error`:                            svg(`<svg><g></svg>`),
		`figure "f": svg:`:                                 svg("\xff\xfe"),
	} {
		var b bytes.Buffer
		err := writePage(&b, p)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, expected one line with %q", err, want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes written before the error", want, b.Len())
		}
	}
}

func TestWriteHTMLKeepsTheOldPageOnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "report.html")
	p := samplePage()
	testkit.NoError(t, WriteHTML(path, p))
	want, err := os.ReadFile(path)
	if err != nil || string(want) != render(t, p) {
		t.Fatalf("%v: file of %d bytes differs from what Render writes", err, len(want))
	}
	p.Sections[0].Figures = []Figure{{Name: "broken"}}
	if err := WriteHTML(path, p); err == nil {
		t.Fatal("a broken figure was accepted")
	}
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Error("the old page was touched")
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("%d files left, expected the page alone", len(left))
	}
}

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestRenderReportsWriteErrors(t *testing.T) {
	if err := writePage(failingWriter{}, Page{Title: "x"}); err == nil || err.Error() != "disk full" {
		t.Errorf("got %v", err)
	}
}

func TestEmptyPage(t *testing.T) {
	page := render(t, Page{})
	checkAlone(t, page)
	if strings.Contains(page, "<nav") || strings.Contains(page, "<footer") || strings.Contains(page, "<dl") {
		t.Error("an empty page has headings over nothing")
	}
}

func TestPageBytesAreTheSameEachTime(t *testing.T) {
	first, second := render(t, samplePage()), render(t, samplePage())
	testkit.Equal(t, first, second, "two renderings differ")
}

// Whatever is accepted is well formed and made only of what a drawing needs.
func FuzzInlineSVG(f *testing.F) {
	f.Add(must(ScoreBar("a", "b", 1, 2, 3)).SVG)
	f.Add([]byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><g style="fill:#0072B2"><text x="1">&lt;b&gt;</text></g></svg>`))
	f.Add([]byte(`<svg><g xlink:href="x" onclick="y"/></svg>`))
	f.Add([]byte(`<?xml version="1.0"?><!-- c --><svg><path d="M0,0L1,1Z"/></svg>`))
	f.Fuzz(func(t *testing.T, svg []byte) {
		out, err := inlineSVG(svg, "alt")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		elements(t, out, func(e xml.StartElement) {
			if !drawingElements[e.Name.Local] {
				t.Errorf("element %q let through", e.Name.Local)
			}
			for _, a := range e.Attr {
				if drawingAttributes()[a.Name.Local] == nil && a.Name.Local != "role" && a.Name.Local != "aria-label" || strings.Contains(a.Value, "url") && strings.Contains(a.Value, "(") && a.Name.Local != "style" {
					t.Errorf("attribute %q let through", a.Name.Local)
				}
			}
		})
		if style := regexp.MustCompile(`style="[^"]*"`).FindAllString(out, -1); strings.Contains(strings.Join(style, ""), "url(") {
			t.Error("a style refers elsewhere")
		}
	})
}

func Example() {
	points := []Point{{-310, -250}, {40, 42}, {125, 83}, {480, 1000}} // prediction, label
	figure, err := PredictedVsLabel(points, "Validation rows", inPoints)
	if err != nil {
		fmt.Println(err)
		return
	}
	dir, err := os.MkdirTemp("", "report")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	err = WriteHTML(filepath.Join(dir, "report.html"), Page{
		Title:    "A small fit",
		Summary:  []Row{{"Positions", "4", "labelled by search"}},
		Sections: []Section{{Heading: "Fit", Figures: []Figure{figure}}},
	})
	fmt.Println(err)
	fmt.Println(figure.Alt)
	// Output:
	// <nil>
	// Validation rows. Map of label against prediction: R 0.942, mean absolute error 156.0 points.
}
