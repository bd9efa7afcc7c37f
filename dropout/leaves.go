package dropout

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"kroo/book"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// LeavesHead is the header line: the player of the book, the value for that player, the depth of the
// leaf in plies from the root, and whether its value is proven.
const LeavesHead = "side,value_points,depth_plies,decided"

// oldLeavesHead is the header line of files up to November 2026.
const oldLeavesHead = "side,value,depth,decided"

// WriteLeaves writes the drop-out diagrams of both players as CSV.
func WriteLeaves(path string, g *Graph) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		return printLeaves(w, map[oware.Side][]book.Leaf{oware.South: g.diagram(oware.South), oware.North: g.diagram(oware.North)})
	})
}

func printLeaves(w io.Writer, leaves map[oware.Side][]book.Leaf) error {
	fmt.Fprintln(w, LeavesHead)
	for _, side := range []oware.Side{oware.South, oware.North} {
		for _, l := range leaves[side] {
			if _, err := fmt.Fprintf(w, "%s,%d,%d,%t\n", side, l.Value, l.Depth, l.Decided); err != nil {
				return err
			}
		}
	}
	return nil
}

// ReadLeaves reads the file of WriteLeaves. The error names the file and the line.
func ReadLeaves(path string) (leaves map[oware.Side][]book.Leaf, err error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if leaves, err = parseLeaves(f); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return leaves, nil
}

func parseLeaves(r io.Reader) (map[oware.Side][]book.Leaf, error) {
	in := csv.NewReader(r)
	in.ReuseRecord = true
	head, err := in.Read()
	if got := strings.Join(head, ","); err != nil || got != LeavesHead && got != oldLeavesHead {
		return nil, fmt.Errorf("line 1 is %.60q: expected %s", got, LeavesHead)
	}
	leaves := map[oware.Side][]book.Leaf{}
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return leaves, nil
		}
		if err != nil { // includes the line
			return nil, fmt.Errorf("%w: expected %s", err, LeavesHead)
		}
		side, l, ok := parseLeaf(row)
		if !ok {
			line, _ := in.FieldPos(0)
			return nil, fmt.Errorf("line %d is %.60q: expected %s", line, strings.Join(row, ","), LeavesHead)
		}
		leaves[side] = append(leaves[side], l)
	}
}

func parseLeaf(row []string) (side oware.Side, l book.Leaf, ok bool) {
	side = oware.South
	if row[0] == oware.North.String() {
		side = oware.North
	}
	value, err1 := strconv.Atoi(row[1])
	depth, err2 := strconv.Atoi(row[2])
	l = book.Leaf{Value: value, Depth: depth, Decided: row[3] == "true"}
	ok = row[0] == side.String() && err1 == nil && err2 == nil && max(value, -value) <= games.MaxPoints && depth >= 0 && row[3] == strconv.FormatBool(l.Decided)
	return side, l, ok
}
