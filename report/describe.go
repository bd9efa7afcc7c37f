package report

import (
	"bytes"
	"fmt"
	"image/png"

	"kroo/internal/doc"
	"kroo/internal/vfs"
)

var pngMagic = []byte("\x89PNG\r\n\x1a\n")

// description describes a page or a picture.
type description struct {
	Title  string `json:"title,omitempty"`
	Bytes  int    `json:"bytes"`
	Width  int    `json:"width,omitempty"`  // of a PNG, in pixels
	Height int    `json:"height,omitempty"` // of a PNG, in pixels
}

// DescribePage describes a page in a file.
func DescribePage(path string) (*doc.Doc, error) {
	data, err := vfs.ReadFile(path)
	if err != nil {
		return nil, err
	}
	_, rest, _ := bytes.Cut(data, []byte("<title>"))
	title, _, _ := bytes.Cut(rest[:min(len(rest), 1000)], []byte("</title>"))
	d := description{Title: string(title), Bytes: len(data)}
	return &doc.Doc{Value: d, Title: fmt.Sprintf("a page, %q, %d bytes: open it in a browser", d.Title, d.Bytes)}, nil
}

// DescribePicture describes a picture in a file.
func DescribePicture(path string) (*doc.Doc, error) {
	data, err := vfs.ReadFile(path)
	if err != nil {
		return nil, err
	}
	d := description{Bytes: len(data)}
	if !bytes.HasPrefix(data, pngMagic) {
		return &doc.Doc{Value: d, Title: fmt.Sprintf("a drawing (SVG), %d bytes", d.Bytes)}, nil
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	d.Width, d.Height = c.Width, c.Height
	return &doc.Doc{Value: d, Title: fmt.Sprintf("a picture of %d by %d pixels, %d bytes", d.Width, d.Height, d.Bytes)}, nil
}
