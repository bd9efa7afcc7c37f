package inspect

import (
	"bytes"
	"fmt"
	"image/png"
	"io"
	"strings"

	"kroo/datasets"
	"kroo/dropout"
	"kroo/games/oware"
	"kroo/internal/plural"
	"kroo/internal/vfs"
	"kroo/run"
)

// What a run folder holds beside datasets, weights, games and a book.

// LeavesSheet describes the leaves of the drop-out diagrams: what happens when the
// player of the book makes its best moves and the opponent any.
type LeavesSheet struct {
	Sides []SideLeaves `json:"sides"`
}

// SideLeaves are the leaves of one player's book. Values are in points for that player,
// depths in plies.
type SideLeaves struct {
	Side    string `json:"side"`
	Leaves  int    `json:"leaves"`
	Decided int    `json:"decided"` // whose value is proven
	Values  Spread `json:"values"`
	Depths  Spread `json:"depths"`
	Bins    []Bin  `json:"histogram"` // of the values; Exact counts the decided ones
}

func inspectLeaves(path string) (Sheet, error) {
	leaves, err := dropout.ReadLeaves(path)
	if err != nil {
		return Sheet{}, err
	}
	s := LeavesSheet{}
	text := path + ": leaves of the drop-out diagrams\n\ncolumns: side, whose book it is, S or N; value_points, for that player;\n" +
		"depth_plies, from the root; decided, whether the value is proven\n"
	for i, name := range oware.Descriptor().Sides {
		if list := leaves[oware.Side(i)]; len(list) > 0 {
			l := sideLeaves(name, list)
			s.Sides = append(s.Sides, l)
			text += "\n" + l.text()
		}
	}
	return Sheet{Value: s, Text: text}, nil
}

func sideLeaves(name string, list []dropout.Leaf) SideLeaves {
	s := SideLeaves{Side: name, Leaves: len(list), Bins: emptyBins()}
	var values, depths []float64
	for _, l := range list {
		values, depths = append(values, float64(l.Value)), append(depths, float64(l.Depth))
		b := binOf(s.Bins, float64(l.Value))
		b.Rows++
		if l.Decided {
			s.Decided++
			b.Exact++
		}
	}
	s.Values, s.Depths = spreadOf(sorted(values)), spreadOf(sorted(depths))
	return s
}

func (s SideLeaves) text() string {
	leaves := plural.Of(s.Leaves, "leaf")
	if s.Leaves != 1 {
		leaves = fmt.Sprintf("%d leaves", s.Leaves)
	}
	return fmt.Sprintf("%s: %s, %d decided; value %.0f to %.0f, median %.0f; depth %.0f to %.0f, median %.0f\n%s",
		s.Side, leaves, s.Decided, s.Values.Min, s.Values.Max, s.Values.Median, s.Depths.Min, s.Depths.Max, s.Depths.Median,
		histogramText("points", s.Bins, s.Leaves))
}

func inspectConfig(path string) (Sheet, error) {
	text, err := run.ReadConfigFile(path)
	if err != nil {
		return Sheet{}, err
	}
	c, err := run.ParseConfig(text, path)
	if err != nil {
		return Sheet{}, err
	}
	return Sheet{Value: c, Text: fmt.Sprintf("%s: configuration of a run under %s rules, seed %d\n\n%s", path, c.Rules, c.Seed, text)}, nil
}

// inspectDatasetManifest describes a dataset by its manifest, without the dataset.
func inspectDatasetManifest(path string) (Sheet, error) {
	m, err := datasets.ReadManifest(strings.TrimSuffix(path, datasets.ManifestPath("")))
	if err != nil {
		return Sheet{}, err
	}
	text := fmt.Sprintf("%s: manifest of %s: %s of %s of %s under %s rules, %d bytes\n", path, m.File, plural.Of(m.Rows, "row"), m.Meta.Kind, m.Meta.Game, m.Meta.Rules, m.Bytes)
	if m.Adopted {
		text += "It was made after the file: nothing vouches for what made that.\n"
	}
	return Sheet{Value: m, Text: text + "\n" + columns(func(w io.Writer) {
		for _, c := range m.Columns {
			fmt.Fprintf(w, "%s\t%s\t%s\n", c.Name, c.Type, c.About)
		}
	})}, nil
}

// PageSheet describes a page or a picture.
type PageSheet struct {
	Title  string `json:"title,omitempty"`
	Bytes  int    `json:"bytes"`
	Width  int    `json:"width,omitempty"`  // of a PNG, in pixels
	Height int    `json:"height,omitempty"` // of a PNG, in pixels
}

func inspectPage(path string) (Sheet, error) {
	data, err := vfs.ReadFile(path)
	if err != nil {
		return Sheet{}, err
	}
	_, rest, _ := bytes.Cut(data, []byte("<title>"))
	title, _, _ := bytes.Cut(rest[:min(len(rest), 1000)], []byte("</title>"))
	s := PageSheet{Title: string(title), Bytes: len(data)}
	return Sheet{Value: s, Text: fmt.Sprintf("%s: a page, %q, %d bytes: open it in a browser\n", path, s.Title, s.Bytes)}, nil
}

func inspectPicture(path string) (Sheet, error) {
	data, err := vfs.ReadFile(path)
	if err != nil {
		return Sheet{}, err
	}
	s := PageSheet{Bytes: len(data)}
	if !bytes.HasPrefix(data, []byte(pngMagic)) {
		return Sheet{Value: s, Text: fmt.Sprintf("%s: a drawing (SVG), %d bytes\n", path, s.Bytes)}, nil
	}
	c, err := png.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return Sheet{}, fmt.Errorf("%s: %w", path, err)
	}
	s.Width, s.Height = c.Width, c.Height
	return Sheet{Value: s, Text: fmt.Sprintf("%s: a picture of %d by %d pixels, %d bytes\n", path, s.Width, s.Height, s.Bytes)}, nil
}
