package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// notations are texts of a position a line that programs of a game exchange. They are read
// as tables of other programs, and not written.
var notations = map[string]format{
	".epd": ofNotation("EPD", "chess", epdLine),
	".obf": ofNotation("OBF", "othello", obfLine),
}

// maxNotationLine is more than a board and what people say of it take, and mostOpcodes more
// than any program knows.
const (
	maxNotationLine = 1 << 16
	mostOpcodes     = 1000
)

// ofNotation is the format of lines that parse takes apart into columns by name, one of
// which is the board; nil is a line that says nothing.
func ofNotation(name, game string, parse func(line string) map[string]string) format {
	each := func(r io.ReadSeeker, row func(number int, cells map[string]string) error) error {
		if _, err := r.Seek(0, io.SeekStart); err != nil {
			return err
		}
		lines := bufio.NewScanner(r)
		lines.Buffer(nil, maxNotationLine)
		number := 0
		for lines.Scan() {
			number++
			line := strings.TrimSpace(strings.TrimPrefix(string(bytes.ToValidUTF8(lines.Bytes(), []byte("?"))), "\ufeff"))
			if line == "" {
				continue
			}
			if cells := parse(line); cells != nil {
				if err := row(number, cells); err != nil {
					return err
				}
			}
		}
		if err := lines.Err(); err != nil {
			return fmt.Errorf("line %d: %w", number+1, err)
		}
		return nil
	}
	return format{
		name: name,
		describe: func(r source, _ memory.Allocator) (description, error) {
			names := map[string]bool{}
			err := each(r, func(_ int, cells map[string]string) error {
				for name := range cells {
					names[name] = true
				}
				if len(names) > mostOpcodes {
					return fmt.Errorf("more than %d kinds of operations", mostOpcodes)
				}
				return nil
			})
			return description{pairs: []pair{{"kroo.game", game}}, names: slices.Sorted(maps.Keys(names))}, err
		},
		cells: func(r source, _ memory.Allocator, names []string, row func(string, []string) error) error {
			values := make([]string, len(names))
			return each(r, func(number int, cells map[string]string) error {
				for i, name := range names {
					values[i] = cells[name]
				}
				return row(fmt.Sprintf(":%d", number), values)
			})
		},
		decode: func(source, memory.Allocator, []pair, []column, func([]column) error) error {
			return fmt.Errorf("%s is no table of our own: write one of what it holds with -o", name)
		},
		bare: true,
	}
}

// epdNames are what operations of EPD are called in our tables: the evaluation in hundredths
// of a pawn for the side to move, and depth and nodes of the analysis.
var epdNames = map[string]string{"ce": "score", "acd": "depth", "acn": "nodes"}

// epdLine reads a line of chess's Extended Position Description: the first four fields of a
// FEN, or all six, and operations, each of which ends in a semicolon.
func epdLine(line string) map[string]string {
	if strings.HasPrefix(line, "#") {
		return nil
	}
	fields := strings.Fields(line)
	n := min(4, len(fields))
	if len(fields) >= 6 && isWhole(fields[4]) && isWhole(fields[5]) {
		n = 6
	}
	cells := map[string]string{"board": strings.Join(fields[:n], " ")}
	rest := line
	for range n {
		rest = strings.TrimLeft(rest, " \t")
		rest = rest[len(rest)-len(strings.TrimLeftFunc(rest, func(r rune) bool { return r != ' ' && r != '\t' })):]
	}
	for rest != "" {
		var operation string
		operation, rest = cutOperation(rest)
		name, value, _ := strings.Cut(strings.TrimSpace(operation), " ")
		if name != "" {
			if ours, ok := epdNames[name]; ok {
				name = ours
			}
			cells[name] = strings.Trim(strings.TrimSpace(value), `"`)
		}
	}
	return cells
}

// cutOperation cuts a text at the first semicolon outside of quotes.
func cutOperation(text string) (operation, rest string) {
	quoted := false
	for i, c := range []byte(text) {
		switch {
		case c == '"':
			quoted = !quoted
		case c == ';' && !quoted:
			return text[:i], text[i+1:]
		}
	}
	return text, ""
}

func isWhole(text string) bool {
	_, err := strconv.ParseUint(text, 10, 32)
	return err == nil
}

// obfLine reads a line of Othello's board format: the squares, each X, O or a hyphen, the
// side to move, and moves with the discs that they win by, each after a semicolon. What
// follows a % says nothing.
func obfLine(line string) map[string]string {
	line, _, _ = strings.Cut(line, "%")
	parts := strings.Split(line, ";")
	fields := strings.Fields(parts[0])
	if len(fields) == 0 {
		return nil
	}
	squares := strings.NewReplacer("-", ".", "*", "X", "x", "X", "o", "O").Replace(fields[0])
	side := strings.NewReplacer("*", "X", "x", "X", "o", "O").Replace(strings.Join(fields[1:], " "))
	cells := map[string]string{"board": squares + "-" + side}
	best := 0.0
	for _, part := range parts[1:] {
		move, score, ok := strings.Cut(part, ":")
		discs, err := strconv.ParseFloat(strings.TrimSpace(score), 64)
		if !ok || err != nil {
			continue
		}
		if _, some := cells["score"]; !some || discs > best {
			best = discs
			cells["score"], cells["best"] = strconv.FormatFloat(100*discs, 'f', -1, 64), obfMove(move)
		}
	}
	return cells
}

// obfMove is a move as our tables have it.
func obfMove(text string) string {
	move := strings.ToLower(strings.TrimSpace(text))
	if move == "ps" || move == "pa" || move == "--" {
		return "pass"
	}
	return move
}
