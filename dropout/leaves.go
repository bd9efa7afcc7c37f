package dropout

import (
	"bufio"
	"fmt"
	"io"
	"os"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// WriteLeaves writes the drop-out diagrams of both players as CSV.
func WriteLeaves(path string, g *Graph) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		fmt.Fprintln(w, "side,value,depth,decided")
		for _, side := range []oware.Side{oware.South, oware.North} {
			for _, l := range g.Diagram(side) {
				if _, err := fmt.Fprintf(w, "%s,%d,%d,%t\n", side, l.Value, l.Depth, l.Decided); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// ReadLeaves reads them back.
func ReadLeaves(path string) (leaves map[oware.Side][]Leaf, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	leaves = map[oware.Side][]Leaf{}
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		if n == 1 {
			continue
		}
		var name string
		var l Leaf
		if _, err := fmt.Sscanf(lines.Text(), "%1s,%d,%d,%t", &name, &l.Value, &l.Depth, &l.Decided); err != nil {
			return nil, fmt.Errorf("%s:%d: %w: expected side,value,depth,decided", path, n, err)
		}
		side := oware.South
		if name == oware.North.String() {
			side = oware.North
		}
		leaves[side] = append(leaves[side], l)
	}
	return leaves, lines.Err()
}
