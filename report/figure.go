package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"kroo/internal/atomicfile"
)

// A Figure is one drawing in two formats, and a narrow one for small screens. The figure
// functions fill in every field. Callers may change Name before saving, to tell two
// figures of a kind apart.
type Figure struct {
	Name    string // name of the files, without extension: letters, digits, '-' and '_'
	Caption string // what the figure shows and how to read it; plain text
	Alt     string // description for readers who cannot see it; plain text
	SVG     []byte // a whole SVG document
	Narrow  []byte // the same for a screen as narrow as a phone's
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
		return fmt.Errorf("figure name %.60q: expected letters, digits, '-' and '_' only", f.Name)
	}
	if len(f.SVG) == 0 || len(f.PNG) == 0 {
		return fmt.Errorf("figure %s: expected an SVG and a PNG, got %d and %d bytes", f.Name, len(f.SVG), len(f.PNG))
	}
	path := filepath.Join(dir, f.Name)
	if err := atomicfile.WriteBytes(path+".svg", f.SVG); err != nil {
		return err
	}
	return atomicfile.WriteBytes(path+".png", f.PNG)
}

// A size is the width and height of a drawing.
type size struct{ w, h vg.Length }

// paint draws the same on all canvases and fills in f. The drawing sees from its
// canvas which of the two sizes it has.
func (f Figure) paint(full, narrow size, drawing func(draw.Canvas)) (_ Figure, err error) {
	png := vgimg.NewWith(vgimg.UseWH(full.w, full.h), vgimg.UseDPI(dpi))
	paintOnto(png, drawing)
	var b bytes.Buffer
	if _, err := (vgimg.PngCanvas{Canvas: png}).WriteTo(&b); err != nil {
		return Figure{}, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	f.PNG = b.Bytes()
	if f.SVG, err = f.svg(full, drawing); err != nil {
		return Figure{}, err
	}
	f.Narrow, err = f.svg(narrow, drawing)
	return f, err
}

// paintOnto draws on white paper, inside the margin.
func paintOnto(c vg.CanvasSizer, drawing func(draw.Canvas)) {
	dc := draw.New(c)
	dc.SetColor(paper)
	dc.Fill(dc.Rectangle.Path())
	drawing(draw.Crop(dc, margin, -margin, margin, -margin))
}

// A measuredSVG notes the width of each text it draws.
type measuredSVG struct {
	*vgsvg.Canvas
	widths []vg.Length
}

// FillString implements vg.Canvas.
func (c *measuredSVG) FillString(face font.Face, at vg.Point, s string) {
	c.widths = append(c.widths, face.Width(s))
	c.Canvas.FillString(face, at, s)
}

// svg is the drawing as a document, with the description. It names fonts of the same
// widths for viewers without Liberation, and tells each text's width, so that no text
// covers its neighbour in any other font.
func (f Figure) svg(s size, drawing func(draw.Canvas)) ([]byte, error) {
	c := &measuredSVG{Canvas: vgsvg.New(s.w, s.h)}
	paintOnto(c, drawing)
	var b, out strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	all := strings.ReplaceAll(b.String(), "font-family:Liberation Sans;font-variant:normal;", "font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")
	head, body, _ := strings.Cut(all, "xlink\">\n")
	out.WriteString(head + "xlink\" role=\"img\">\n<desc>")
	xml.EscapeText(&out, []byte(f.Alt)) // a strings.Builder takes every write
	out.WriteString("</desc>\n")
	for i, part := range strings.Split(body, "<text ") {
		if i > 0 {
			fmt.Fprintf(&out, `<text textLength="%.1f" lengthAdjust="spacingAndGlyphs" `, c.widths[i-1].Points())
		}
		out.WriteString(part)
	}
	return []byte(out.String()), nil
}

// noData is the text of a figure without data.
func (f Figure) noData(w, h vg.Length, title, what string) (Figure, error) {
	f.Caption = title + ": no data (" + what + ")."
	f.Alt = f.Caption
	return f.paint(size{w, h}, size{phone, h}, func(dc draw.Canvas) {
		dc = heading(dc, title, "")
		dc.FillText(style(11, muted, draw.XCenter, draw.YCenter), dc.Center(), "no data: "+what)
	})
}
