package endgame

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/mapfile"
	"kroo/internal/vfs"
)

// Magic is the start of every table file; the version follows it.
const Magic = "kroo-endgame "

// A file has a header of text lines, an empty line, and the bytes of Table.data. The
// line "settled" contains Table.resolved.
//
//	kroo-endgame 2
//	rules abapa
//	bounds sharp
//	seeds 12
//	settled 7
//	made REVISION AND WHAT ELSE
//	level 0 crc32c 3ba8e6ef
//	…
//	header crc32c 5d0e21a4
//
// The last line is the checksum of the lines before it. Version 1 does not have it.
const (
	signature1    = Magic + "1"
	signature     = Magic + "2"
	longestHeader = 8192
)

// headerSum is the start of the line with the header's checksum.
const headerSum = "header crc32c "

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// levelData returns the part of the data for a level.
func (t *Table) levelData(n int) []byte {
	w := t.bounds.width()
	return t.data[base(n)*w : base(n+1)*w]
}

// levelSums returns the checksum of each level's data.
func (t *Table) levelSums() (sums []uint32) {
	for n := range t.seeds + 1 {
		sums = append(sums, crc32.Checksum(t.levelData(n), castagnoli))
	}
	return sums
}

// header returns the text before the data.
func (t *Table) header() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s\nrules %s\nbounds %s\nseeds %d\nsettled %d\nmade %s\n", signature, t.rules, t.bounds, t.seeds,
		t.resolved, t.made)
	for n, sum := range t.levelSums() {
		fmt.Fprintf(&b, "level %d crc32c %08x\n", n, sum)
	}
	fmt.Fprintf(&b, "%s%08x\n\n", headerSum, crc32.Checksum(b.Bytes(), castagnoli))
	return b.Bytes()
}

// Write writes the table to a file atomically.
func (t *Table) Write(path string) error {
	return atomicfile.WriteFile(path, t.Encode)
}

// Encode writes the table in the format of a table file.
func (t *Table) Encode(w io.Writer) error {
	if _, err := w.Write(t.header()); err != nil {
		return err
	}
	_, err := w.Write(t.data)
	return err
}

// Open opens a table file and checks its header, size, checksums and values. A large file is
// mapped into memory. The error names the file and what is wrong.
func Open(path string) (*Table, error) {
	file, err := mapfile.Open(path, "an endgame table")
	if err != nil {
		return nil, err
	}
	var t *Table
	if fault := file.Guard(func() { t, err = parse(path, file.Data) }); fault != nil {
		err = fault
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	t.file, t.mapped = file, file.IsMapped()
	return t, nil
}

// parse decodes a file. The table refers to the slice.
func parse(name string, file []byte) (*Table, error) {
	head, _, found := bytes.Cut(file[:min(len(file), longestHeader)], []byte("\n\n"))
	if !found {
		return nil, fmt.Errorf("%s: not an endgame table: expected a header that starts with %q", name, signature)
	}
	data := file[len(head)+2:]
	lines, err := headerLines(string(head))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	t, sums, err := parseHeader(lines)
	if err != nil {
		return nil, fmt.Errorf("%s: header: %w", name, err)
	}
	if want := t.bounds.size(t.seeds); len(data) != want {
		return nil, fmt.Errorf("%s: %d bytes after the header: expected %d for %d seeds", name, len(data), want, t.seeds)
	}
	t.data, t.sums = data, sums
	for n, got := range t.levelSums() {
		if want := sums[n]; got != want {
			return nil, fmt.Errorf("%s: the positions with %d seeds are corrupt: their CRC-32C is %08x, expected %08x",
				name, n, got, want)
		}
	}
	if err := t.checkValues(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, nil
}

// checkValues returns an error if a value exceeds the seeds of its level: users of the table rely
// on this range.
func (t *Table) checkValues() error {
	for n := range t.seeds + 1 {
		level := t.levelData(n)
		if i := impossible(t.bounds, n, level); i >= 0 {
			return fmt.Errorf("level of %d seeds: position %d has an impossible value: rebuild the table", n, i)
		}
	}
	return nil
}

// impossible returns the first position of a level whose value exceeds the seeds in play, or
// -1.
func impossible(b Bounds, n int, level []byte) int {
	if b == Exact {
		for i, lead := range level {
			if v := int(int8(lead)); v < -n || v > n {
				return i
			}
		}
		return -1
	}
	for i := 0; i < len(level); i += 2 {
		if int(level[i])+int(level[i+1]) > n {
			return i / 2
		}
	}
	return -1
}

// headerLines checks the signature and the checksum and returns the lines between them.
func headerLines(head string) ([]string, error) {
	lines := strings.Split(head, "\n")
	switch lines[0] {
	case signature1:
		return lines[1:], nil
	case signature:
	default:
		return nil, fmt.Errorf("not an endgame table: expected a header that starts with %q", signature)
	}
	last := len(lines) - 1
	text := head[:len(head)-len(lines[last])]
	if want := fmt.Sprintf("%s%08x", headerSum, crc32.Checksum([]byte(text), castagnoli)); lines[last] != want {
		return nil, fmt.Errorf("the header is corrupt: its last line is %.40q: expected %q", lines[last], want)
	}
	return lines[1:last], nil
}

// parseHeader reads the lines after the signature, whose order is fixed.
func parseHeader(lines []string) (*Table, []uint32, error) {
	t, fields := &Table{}, map[string]string{}
	for i, want := range []string{"rules", "bounds", "seeds", "settled", "made"} {
		if i >= len(lines) {
			return nil, nil, fmt.Errorf("no line %s", want)
		}
		name, value, _ := strings.Cut(lines[i], " ")
		if name != want {
			return nil, nil, fmt.Errorf("line %d is %.40q: expected %s", i+2, lines[i], want)
		}
		fields[want] = value
	}
	var err error
	t.rules, err = oware.ParseRules(fields["rules"])
	if err != nil {
		return nil, nil, err
	}
	t.made = fields["made"]
	bounds := fields["bounds"]
	seeds := fields["seeds"]
	settled := fields["settled"]
	t.bounds, err = ParseBounds(bounds, t.rules)
	if err != nil || bounds == "" {
		return nil, nil, fmt.Errorf("%s has no bounds %.40q", t.rules, bounds)
	}
	t.seeds, err = strconv.Atoi(seeds)
	if err != nil || t.seeds < 0 || t.seeds > MaxSeeds {
		return nil, nil, fmt.Errorf("seeds %.40q: expected 0 to %d", seeds, MaxSeeds)
	}
	t.resolved, err = strconv.Atoi(settled)
	if err != nil || t.resolved < 0 || t.resolved > t.seeds || t.resolved > 0 && t.bounds == Exact {
		return nil, nil, fmt.Errorf("settled %.40q: expected 0 to %d", settled, t.seeds)
	}
	sums, err := parseSums(lines[5:], t.seeds)
	return t, sums, err
}

func parseSums(lines []string, seeds int) ([]uint32, error) {
	if len(lines) != seeds+1 {
		return nil, fmt.Errorf("%d checksums: expected one per level, %d", len(lines), seeds+1)
	}
	sums := make([]uint32, len(lines))
	for n, line := range lines {
		text, found := strings.CutPrefix(line, fmt.Sprintf("level %d crc32c ", n))
		sum, err := strconv.ParseUint(text, 16, 32)
		if !found || err != nil {
			return nil, fmt.Errorf("%.60q: expected \"level %d crc32c \" and eight hexadecimal digits", line, n)
		}
		sums[n] = uint32(sum)
	}
	return sums, nil
}

// FileName returns the name of the table for the rules in a folder of tables.
func FileName(r oware.Rules) string { return r.String() + ".endgame" }

// Find opens a table for the rules. path is a file, a folder of tables, or "" for
// the default table.
func Find(path string, rules oware.Rules) (*Table, error) {
	if path == "" {
		return Default(rules)
	}
	if _, err := ParseBounds("", rules); err != nil {
		return nil, err
	}
	path = File(path, rules)
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	if t.rules != rules {
		return nil, errors.Join(fmt.Errorf("%s: a table for %s: expected %s", path, t.rules, rules), t.Close())
	}
	return t, nil
}

// File returns the file that Find opens: the path, or the table for the rules in it if it
// is a folder.
func File(path string, rules oware.Rules) string {
	if info, err := vfs.Stat(path); err != nil || !info.IsDir() {
		return path
	}
	folder, err := vfs.Resolve(path)
	if err != nil {
		return path
	}
	return filepath.Join(folder, FileName(rules))
}

// defaultSeeds is the highest level of the default tables.
const defaultSeeds = 12

// abapa is the default table for abapa, with sharp bounds. Compression makes the program 4 MB
// smaller; unpacking takes a few milliseconds at first use. To rebuild it:
//
//	train endgame build --rules abapa --seeds 12 --resolve 12 -o endgame
//	zstd --ultra -22 --no-check endgame/abapa.endgame
//
//go:embed abapa.endgame.zst
var abapa []byte

// defaults makes each table once, at first use. Simple-to-end shares the table of simple,
// because values do not depend on the stores.
var defaults = [...]func() (*Table, error){
	oware.Abapa:       sync.OnceValues(func() (*Table, error) { return parse("the default table", mapfile.Unpack(abapa)) }),
	oware.Awari:       sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Awari) }),
	oware.Simple:      simple,
	oware.SimpleToEnd: simple,
}

var simple = sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Simple) })

// Default returns the table that comes with the program. The first call unpacks and checks
// the table of abapa in about ten milliseconds, or builds one for other rules in about a
// second. Closing a default table does not affect later calls.
func Default(r oware.Rules) (*Table, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if _, err := ParseBounds("", r); err != nil {
		return nil, err
	}
	t, err := defaults[r]()
	if err != nil {
		return nil, err
	}
	shared := *t // so that closing one does not close all
	shared.rules = r
	return &shared, nil
}

func buildDefault(r oware.Rules) (*Table, error) {
	return Build(context.Background(), Config{Rules: r, Bounds: Exact, Seeds: defaultSeeds, Made: "at first use"}, nil)
}
