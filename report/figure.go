package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"kroo/internal/atomicfile"
)

// A Figure is one drawing in two formats. The figure functions fill in every field.
// Callers may change Name before saving, to tell two figures of a kind apart.
type Figure struct {
	Name    string // name of the files, without extension: letters, digits, '-' and '_'
	Caption string // what the figure shows and how to read it; plain text
	Alt     string // description for readers who cannot see it; plain text
	SVG     []byte // a whole SVG document
	PNG     []byte // the same at 144 dots an inch
}

// dpi is the resolution of the PNG, 1.5 times that of a common screen. The SVG is for
// print.
const dpi = 144

// fileName matches plain names: no folders, hidden files or characters special to
// shells.
var fileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$`)

// SaveFigure writes NAME.svg and NAME.png into dir, each atomically. It refuses an empty
// format, and a name that is no plain file name.
func SaveFigure(dir string, f Figure) error {
	if !fileName.MatchString(f.Name) {
		return fmt.Errorf("report: figure name %.60q: expected letters, digits, '-' and '_' only", f.Name)
	}
	if len(f.SVG) == 0 || len(f.PNG) == 0 {
		return fmt.Errorf("report: figure %s: expected an SVG and a PNG, got %d and %d bytes", f.Name, len(f.SVG), len(f.PNG))
	}
	path := filepath.Join(dir, f.Name)
	if err := atomicfile.WriteBytes(path+".svg", f.SVG); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	if err := atomicfile.WriteBytes(path+".png", f.PNG); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	return nil
}

// paint draws the same on both canvases and fills in f.
func (f Figure) paint(w, h vg.Length, drawing func(draw.Canvas)) (Figure, error) {
	svg, png := vgsvg.New(w, h), vgimg.NewWith(vgimg.UseWH(w, h), vgimg.UseDPI(dpi))
	for _, c := range []vg.CanvasSizer{svg, png} {
		dc := draw.New(c)
		dc.SetColor(paper)
		dc.Fill(dc.Rectangle.Path())
		drawing(draw.Crop(dc, margin, -margin, margin, -margin))
	}
	var b bytes.Buffer
	if _, err := svg.WriteTo(&b); err != nil {
		return Figure{}, fmt.Errorf("report: figure %s: %w", f.Name, err)
	}
	f.SVG = f.finish(b.String())
	b = bytes.Buffer{}
	if _, err := (vgimg.PngCanvas{Canvas: png}).WriteTo(&b); err != nil {
		return Figure{}, fmt.Errorf("report: figure %s: %w", f.Name, err)
	}
	f.PNG = b.Bytes()
	return f, nil
}

// finish names fonts of the same widths for viewers without Liberation, and adds the
// description to the document.
func (f Figure) finish(svg string) []byte {
	svg = strings.ReplaceAll(svg, "font-family:Liberation Sans;font-variant:normal;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")
	var alt strings.Builder
	xml.EscapeText(&alt, []byte(f.Alt)) // a strings.Builder takes every write
	head, body, _ := strings.Cut(svg, "xlink\">\n")
	return []byte(head + "xlink\" role=\"img\">\n<desc>" + alt.String() + "</desc>\n" + body)
}

// noData is the text of a figure without data.
func (f Figure) noData(w, h vg.Length, title, what string) (Figure, error) {
	f.Caption = title + ": no data (" + what + ")."
	f.Alt = f.Caption
	return f.paint(w, h, func(dc draw.Canvas) {
		dc = heading(dc, title, "")
		dc.FillText(style(11, muted, draw.XCenter, draw.YCenter), dc.Center(), "no data: "+what)
	})
}
