package report

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"

	"kroo/internal/atomicfile"
	"kroo/internal/outline"
)

// dpi is the resolution of the PNG, 1.5 times that of a common screen. The SVG is for
// print.
const dpi = 144

// SaveFigure draws a figure, and writes NAME.svg and NAME.png into dir, each atomically.
func SaveFigure(dir string, d outline.Drawing) (f outline.Figure, err error) {
	f, err = d.Draw()
	if err != nil {
		return f, err
	}
	png, err := f.PNG()
	if err != nil {
		return f, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	path := filepath.Join(dir, f.Name)
	if err := atomicfile.WriteBytes(path+".svg", f.SVG); err != nil {
		return f, err
	}
	return f, atomicfile.WriteBytes(path+".png", png)
}

// A size is the width and height of a drawing.
type size struct{ w, h vg.Length }

// paint draws f as SVG in both sizes, and as PNG on demand. The drawing sees from its canvas which
// size it has.
func paint(f outline.Figure, full, narrow size, drawing func(draw.Canvas)) (_ outline.Figure, err error) {
	f.PNG = func() ([]byte, error) {
		png := vgimg.NewWith(vgimg.UseWH(full.w, full.h), vgimg.UseDPI(dpi))
		paintOnto(png, drawing)
		var b bytes.Buffer
		_, err := vgimg.PngCanvas{Canvas: png}.WriteTo(&b)
		return b.Bytes(), err
	}
	f.SVG, err = svg(f, full, drawing)
	if err != nil {
		return outline.Figure{}, err
	}
	f.Narrow, err = svg(f, narrow, drawing)
	return f, err
}

// paintOnto draws on white paper, inside the margin.
func paintOnto(c vg.CanvasSizer, drawing func(draw.Canvas)) {
	dc := draw.New(c)
	dc.SetColor(paper)
	dc.Fill(dc.Rectangle.Path())
	drawing(draw.Crop(dc, margin, -margin, margin, -margin))
}

// A measuredSVG records the width of each text that it draws.
type measuredSVG struct {
	*vgsvg.Canvas
	widths []vg.Length
}

// FillString implements vg.Canvas.
func (c *measuredSVG) FillString(face font.Face, at vg.Point, s string) {
	c.widths = append(c.widths, face.Width(s))
	c.Canvas.FillString(face, at, s)
}

// svg returns the drawing as an SVG document with the description. It names fonts of the same widths
// for viewers without Liberation, and the width of each text, so that no text covers its neighbour
// in another font.
func svg(f outline.Figure, s size, drawing func(draw.Canvas)) ([]byte, error) {
	c := &measuredSVG{Canvas: vgsvg.New(s.w, s.h)}
	paintOnto(c, drawing)
	var b, out strings.Builder
	if _, err := c.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	all := strings.ReplaceAll(b.String(), "font-family:Liberation Sans;font-variant:normal;",
		"font-family:'Liberation Sans',Arial,Helvetica,sans-serif;")
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

// noData returns a figure with a note instead of data.
func noData(f outline.Figure, w, h vg.Length, title, what string) (outline.Figure, error) {
	f.Caption = title + ": no data (" + what + ")."
	f.Alt = f.Caption
	return paint(f, size{w, h}, size{phone, h}, func(dc draw.Canvas) {
		dc = heading(dc, title, "")
		dc.FillText(style(11, muted, draw.XCenter, draw.YCenter), dc.Center(), "no data: "+what)
	})
}
