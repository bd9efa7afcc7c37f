package report

import (
	"encoding/xml"
	"math"
	"regexp"
	"strings"
	"testing"

	"kroo/internal/outline"
	"kroo/internal/testkit"
)

func samplePage() *outline.Doc {
	var figures []outline.Drawing
	for _, f := range everyFigure() {
		figures = append(figures, f)
	}
	return &outline.Doc{
		Title: "A training run",
		Facts: []outline.Fact{{Name: "Correlation", Value: "0.859", Note: "validation rows"}, {Name: "Games", Value: "100"}},
		Sections: []outline.Section{
			{Heading: "Fit", Text: []string{"First.", "Second."}, Figures: figures[:3], Table: &outline.Table{
				Header: []string{"feature", "weight", "t"},
				Rows:   [][]string{{"captures", "36.58", "304.8"}, {"<1", "−27.03", ""}, {">12", "1\u00a0040.51 ± 2", "18"}},
			}},
			{Heading: "Book", Figures: figures[3:5]},
			{Heading: "Match", Figures: figures[5:]},
		},
		Origin: []outline.Fact{{Name: "positions", Value: "0aa1b2", Note: "seed 1"}},
	}
}

func render(t testing.TB, d *outline.Doc) string {
	t.Helper()
	return string(testkit.Must(HTML(d))(t))
}

// elements calls f for every element of a page.
func elements(t testing.TB, page string, f func(xml.StartElement)) {
	t.Helper()
	tokens(t, []byte(page), func(token xml.Token) {
		if e, ok := token.(xml.StartElement); ok {
			f(e)
		}
	})
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
			case strings.HasPrefix(name, "on"), name == "style", name == "srcset", name == "xmlns", name == "background":
				t.Errorf("attribute %s=%.60q", name, a.Value)
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
	testkit.Contains(t, page, "A training run", "Correlation", "0.859", "validation rows", "First.", "Second.", "36.58", "0aa1b2", "seed 1")
	svgs := 0
	elements(t, page, func(e xml.StartElement) {
		if e.Name.Local != "svg" {
			return
		}
		svgs++
		labels := map[string]string{}
		for _, a := range e.Attr {
			labels[a.Name.Local] = a.Value
		}
		if labels["role"] != "img" || len(labels["aria-label"]) < 20 || labels["viewBox"] == "" {
			t.Errorf("svg without a text for the blind: %v", labels)
		}
	})
	if svgs != 2*6 { // each in two widths
		t.Errorf("%d svg elements, expected 12", svgs)
	}
	for _, s := range p.Sections {
		for _, d := range s.Figures {
			f := must(d.Draw())
			if f.Caption != "" && !strings.Contains(page, "<figcaption>"+strings.ReplaceAll(f.Caption, "'", "&#39;")+"</figcaption>") {
				t.Errorf("caption of %s is missing", f.Name)
			}
		}
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

// In print, a heading, and the name of a term, stay with what follows, and no drawing fills a page.
func TestPaperKeepsHeadingsWithTheirText(t *testing.T) {
	_, paper, _ := strings.Cut(render(t, samplePage()), "@media print{")
	testkit.Contains(t, paper, "h2,dt,dd:has(+.note),h2+p:has(+figure),p:has(+.scroll),tbody tr:first-child{break-after:avoid}",
		"h2,summary,figure,tr,dd,.cards div,h2+p:has(+figure),p:has(+.scroll){break-inside:avoid}", "orphans:3;widows:3", "figure svg{width:auto;max-height:7cm}")
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
		table := outline.Table{Header: []string{"h"}, Rows: [][]string{{cell}}}
		testkit.Equal(t, table.Numeric(0), want, "%q counts as a number: %v,", cell, !want)
	}
}

func TestHostileTextIsEscaped(t *testing.T) {
	for _, bad := range []string{`<script>alert(1)</script>`, `"><img src=x onerror=alert(1)>`, `</style><script>`, `]]>`, "a\x00\x1b\u0085b\ufffe", "\xff\xc3(", `{{.Title}}`, `&#x3c;script&#x3e;`} {
		f := must(Intervals{Name: "i", Title: bad, Rows: []Interval{{bad, 1, 0, 2, bad}}}.Draw())
		f.Name = bad
		f.Alt = bad
		f.Caption = bad
		f.Values = &outline.Table{Header: []string{bad}}
		page := render(t, &outline.Doc{
			Title: bad, Facts: []outline.Fact{{Name: bad, Value: bad, Note: bad}}, Origin: []outline.Fact{{Name: bad, Value: bad, Note: bad}},
			Sections: []outline.Section{{Heading: bad, Text: []string{bad}, Figures: []outline.Drawing{f}, Boards: []outline.Board{{Board: bad, Diagram: bad, Line: bad}}, Plain: bad,
				Table: &outline.Table{Header: []string{bad}, Rows: [][]string{{bad}}}, Note: bad}, {Heading: bad}, {Heading: bad}},
		})
		checkAlone(t, page)
	}
}

func TestFaultyPagesAreRefusedWhole(t *testing.T) {
	for want, s := range map[string]outline.Section{
		`table "Table: S": table row 1 has 1 cells, expected 2`: {Heading: "S", Table: &outline.Table{Header: []string{"a", "b"}, Rows: [][]string{{"1", "2"}, {"3"}}}},
		`chart c: a: plotter: NaN`:                              {Figures: []outline.Drawing{Chart{Name: "c", Curves: []Curve{{Name: "a", Points: []Point{{X: math.NaN()}}}}}}},
	} {
		out, err := HTML(&outline.Doc{Sections: []outline.Section{s}})
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("got %v, expected one line with %q", err, want)
		}
		testkit.Equal(t, string(out), "", "what is returned with an error")
	}
}

func TestEmptyPage(t *testing.T) {
	page := render(t, &outline.Doc{})
	checkAlone(t, page)
	if strings.Contains(page, "<nav") || strings.Contains(page, "<footer") || strings.Contains(page, "<dl") {
		t.Error("an empty page has headings over nothing")
	}
}

// Negative numbers in texts, tables, cards and drawings have a minus sign; hyphens elsewhere stay.
func TestNegativeNumbersHaveAMinusSign(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"less than -262", "less than −262"},
		{"-0.5 [-1, -0.25]", "−0.5 [−1, −0.25]"},
		{"A -1.5e-05.", "A −1.5e-05."},
		{"E -3.14 F -0.26* (seeds)", "E −3.14 F −0.26* (seeds)"},
		{"-41\u00a0036 (-3 %)", "−41\u00a0036 (−3 %)"},
		{"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"},
		{"2026-11-28, 1-0, run-2, -1.json, -5x, --nodes -n", "2026-11-28, 1-0, run-2, -1.json, -5x, --nodes -n"},
	} {
		testkit.Equal(t, minusSigns(c.text), c.want, "minusSigns(%q)", c.text)
	}
	table := outline.TableOf([]string{"x"}, []int{-7001}, func(n int) []any { return []any{n} })
	rows := []Interval{{Name: "a", Value: -1, Low: -2, High: 0, Text: "-7002"}, {Name: "b", Value: 1, Low: 1, High: 1, Text: "+1"}}
	page := render(t, &outline.Doc{
		Title: "at -7003", Lead: []string{"by -7004"}, Facts: []outline.Fact{{Name: "f", Value: "-7005", Note: "-7006"}},
		Sections: []outline.Section{
			{Text: []string{"-7007"}, Facts: []outline.Fact{{Name: "g", Value: "-7008"}}, Table: table, Note: "-7009\none more"},
			{Figures: []outline.Drawing{Intervals{Name: "i", Title: "of -7010", Rows: rows}, Series{Name: "s", Title: "s", Rows: rows}}},
			{Commands: outline.Facts("try", "train match --sprt -10,0 -7")},
		},
	})
	if wrong := regexp.MustCompile(`[ >(\["]-70\d\d`).FindAllString(page, -1); wrong != nil {
		t.Errorf("hyphens in numbers: %q", wrong)
	}
	testkit.Contains(t, page, "−7009</p>", "<p>one more", "−7001", "−7002", "−7010", "train match --sprt -10,0 -7")
}
