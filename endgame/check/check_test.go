package check

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

func quiet(int64, int64) {}

var whole = Limits{Memory: math.MaxInt64}

// built returns the file of a new table.
func built(t testing.TB, c endgame.Config) []byte {
	t.Helper()
	path := testkit.Must(endgame.BuildFile(t.Context(), c, filepath.Join(t.TempDir(), "tables"), nil))(t)
	file := testkit.Read(t, path)
	return file
}

// perNode returns a copy in which the value of each node can be changed alone.
func (v levelValues) perNode() levelValues {
	both := levelValues{make([]byte, 2*len(v.bytes)/v.width), 2}
	for node := range both.bytes {
		both.bytes[node] = byte(v.of(node))
	}
	return both
}

// withChecksums returns the file with checksums that match its data.
func withChecksums(file []byte, seeds, width int) []byte {
	head, data, _ := bytes.Cut(file, []byte("\n\n"))
	sum := func(b []byte) string {
		return fmt.Sprintf("%08x", crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
	}
	at := 0
	for n := range seeds + 1 {
		size := width * positions(n)
		head = regexp.MustCompile(fmt.Sprintf("level %d crc32c .*", n)).ReplaceAll(head, fmt.Appendf(nil, "level %d crc32c %s", n, sum(data[at:at+size])))
		at += size
	}
	text := head[:bytes.LastIndexByte(head, '\n')+1]
	return append(fmt.Appendf(nil, "%sheader crc32c %s\n\n", text, sum(text)), data...)
}

var tables = map[string]endgame.Config{
	"sharp":    {Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 7},
	"resolved": {Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 7, Resolve: 6},
	"crude":    {Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: 7},
	"awari":    {Rules: oware.Awari, Bounds: endgame.Exact, Seeds: 7},
	"simple":   {Rules: oware.Simple, Bounds: endgame.Exact, Seeds: 7},
}

func TestGoodTablesPass(t *testing.T) {
	for name, c := range tables {
		list, err := Table(t.Context(), built(t, c), whole, quiet)
		if err != nil || len(list) != 8 {
			t.Errorf("%s: %+v, %v", name, list, err)
		}
		for _, l := range list {
			if l.Positions != endgame.Positions(l.Seeds) || (l.Open > 0) != (name == "resolved" && slices.Contains([]int{2, 3, 4, 6}, l.Seeds)) {
				t.Errorf("%s: %+v", name, l)
			}
		}
	}
}

// The test adds and subtracts one at every bound of positions of up to five seeds, and at samples of
// six seeds (all with KROO_LONG=1) and seven.
func TestEveryChangedBoundIsFound(t *testing.T) {
	for _, name := range []string{"sharp", "crude", "awari", "simple"} {
		tab := testkit.Must(read(built(t, tables[name])))(t)
		for n := 1; n <= 7; n++ {
			l := tab.level(t.Context(), n)
			values := tab.values[n].perNode()
			sure := l.sure()
			step := 1
			switch n {
			case 6:
				step = testenv.Sample(17, 1)
			case 7:
				step = 97
			}
			for v := 0; v < len(sure); v += step {
				for _, by := range []int{-1, 1} {
					values.bytes[v] += byte(by)
					if wrong, _ := compare(values, sure, n, false); wrong != v/2 {
						t.Errorf("%s, %d seeds, node %d, %+d: not found", name, n, v, by)
					}
					values.bytes[v] -= byte(by)
				}
			}
		}
	}
}

// The same for files with matching checksums: a sample, since each takes a whole check.
func TestChangedFilesAreRejected(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 1))
	for name, c := range tables {
		c.Seeds, c.Resolve = 5, min(c.Resolve, 3)
		file, width := built(t, c), 2
		if c.Bounds == endgame.Exact {
			width = 1
		}
		start := bytes.Index(file, []byte("\n\n")) + 2
		if !bytes.Equal(withChecksums(file, 5, width), file) {
			t.Fatalf("%s: withChecksums changes an intact file", name)
		}
		for range 30 {
			changed := bytes.Clone(file)
			at := start + width*comb[4+11][12] + random.IntN(width*(comb[5+12][12]-comb[4+11][12])) // of four or five seeds
			changed[at] += byte(2*random.IntN(2) - 1)
			if _, err := Table(t.Context(), changed, whole, quiet); err == nil {
				t.Errorf("%s, byte %d: a wrong checksum is accepted", name, at)
			}
			if _, err := Table(t.Context(), withChecksums(changed, 5, width), whole, quiet); err == nil {
				t.Errorf("%s, byte %d: not found", name, at)
			}
		}
	}
}

// A sample of all positions finds each changed value.
func TestSamplesFindChangedValues(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	for _, name := range []string{"sharp", "crude", "awari", "simple"} {
		tab := testkit.Must(read(built(t, tables[name])))(t)
		const n = 6
		testkit.NoError(t, tab.checkSample(t.Context(), n, positions(n)/2))
		tab.values[n] = tab.values[n].perNode()
		for range 5 {
			v := random.IntN(2 * positions(n))
			by := byte(2*random.IntN(2) - 1)
			tab.values[n].bytes[v] += by
			if err := tab.checkSample(t.Context(), n, positions(n)); err == nil {
				t.Errorf("%s: the value of node %d is changed by %d: not found", name, v, int8(by))
			}
			tab.values[n].bytes[v] -= by
		}
	}
}

// Levels that need more memory than allowed are sampled, or refused without a sample.
func TestLargeLevelsAreSampled(t *testing.T) {
	file := built(t, tables["sharp"])
	limits := Limits{Memory: int64(positions(6)) * positionBytes, Sample: 100}
	list, err := Table(t.Context(), file, limits, quiet)
	testkit.NoError(t, err)
	for _, l := range list {
		want := l.Positions
		if l.Seeds == 7 {
			want = 100
		}
		if l.Checked != want || l.Sampled != (l.Seeds == 7) {
			t.Errorf("%+v: want %d checked", l, want)
		}
	}
	list, err = Table(t.Context(), file, Limits{Memory: limits.Memory, Sample: math.MaxInt}, quiet)
	if last := list[len(list)-1]; err != nil || !last.Sampled || last.Checked != last.Positions {
		t.Errorf("a sample of all: %+v, %v", last, err)
	}
	if _, err := Table(t.Context(), file, Limits{Memory: limits.Memory}, quiet); !errors.Is(err, ErrMemory) {
		t.Errorf("without a sample: %v", err)
	}
	resolved := tables["resolved"]
	resolved.Resolve = 7
	if _, err := Table(t.Context(), built(t, resolved), limits, quiet); !errors.Is(err, ErrMemory) {
		t.Errorf("a level with values that depend on history: %v", err)
	}
}

// Crude bounds in a table that claims sharp ones support each other around cycles.
func TestValuesThatSupportEachOtherAreFound(t *testing.T) {
	crude := built(t, endgame.Config{Rules: oware.Abapa, Bounds: endgame.Crude, Seeds: 4})
	sharp := bytes.Replace(crude, []byte("bounds crude"), []byte("bounds sharp"), 1)
	if _, err := Table(t.Context(), withChecksums(sharp, 4, 2), whole, quiet); err == nil {
		t.Error("crude bounds pass for sharp ones")
	}
}

func TestCorruptFilesAreRejected(t *testing.T) {
	file := built(t, endgame.Config{Rules: oware.Awari, Bounds: endgame.Exact, Seeds: 2})
	for i := range file {
		if _, err := Table(t.Context(), file[:i], whole, quiet); err == nil {
			t.Errorf("truncated to %d bytes: accepted", i)
		}
	}
	for _, change := range [][2]string{{"-endgame 2", "-endgame 3"}, {"rules awari", "rules abapa"}, {"seeds 2", "seeds 99"}, {"settled 0", "settled -1"}, {"bounds exact", "bounds fuzzy"}} {
		if _, err := Table(t.Context(), bytes.Replace(file, []byte(change[0]), []byte(change[1]), 1), whole, quiet); err == nil {
			t.Errorf("%q: accepted", change)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Table(ctx, file, whole, quiet); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
}

// The rules here and those of games/oware are independent; they agree on random boards.
func TestRulesAgreeWithTheGame(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for _, r := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for range 20_000 {
			n := 1 + random.IntN(24)
			p := endgame.PositionAt(r, n, random.IntN(endgame.Positions(n)))
			var b board
			for i := range b {
				b[i] = p.House(i)
			}
			if at(n, b.index()) != b {
				t.Fatalf("%v has index %d, which is the index of %v", b, b.index(), at(n, b.index()))
			}
			ours := b.moves(r.String())
			moves := p.AppendMoves(nil)
			if len(ours) != len(moves) {
				t.Fatalf("%s %s: %v and %v", r, p, ours, moves)
			}
			for i, m := range moves {
				q := p.Play(m)
				for h := range b {
					if ours[i].gain != p.Gain(m) || ours[i].after[h] != q.House(h) {
						t.Fatalf("%s %s, move %d: %+v", r, p, m, ours[i])
					}
				}
			}
		}
	}
}

// stretch is a level, or the part of it that a line of play can still reach.
type stretch struct {
	*level
	n int // seeds
}

// decide reports what two claims imply about whether the first player can take k seeds: 1 yes, -1 no,
// 0 undecided.
func (s stretch) decide(claim, denial int8, k int) int {
	switch {
	case int(claim) >= k:
		return 1
	case int(denial) > s.n-k:
		return -1
	}
	return 0
}

// takes reports whether the mover of position i, where a stretch starts, can take k seeds: 1 yes,
// -1 no, 0 if the budget of nodes runs out or a capture leads to a position that the level below
// leaves open. It plays every line until the players' claims decide it.
func (s stretch) takes(i int32, k int, sure []int8, budget *int) int {
	if known := s.decide(sure[2*i], sure[2*i+1], k); known != 0 || *budget < 0 {
		return known
	}
	result := -1
	if int(s.exit[2*i+1]) <= s.n-k { // an exit leaves the other player too little to deny k
		result = 0
	}
	type line struct {
		stretch
		sure []int8
	}
	var lines []line
	for _, j := range s.successors(int(i)) {
		next := s.after(i, j, k, sure)
		*budget -= 5 * len(next.end)
		lines = append(lines, line{next, next.sure()})
	}
	slices.SortStableFunc(lines, func(a, b line) int { return len(a.end) - len(b.end) })
	for _, next := range lines {
		switch next.takes(0, s.n-k+1, next.sure, budget) { // n-k+1 seeds for the other player deny the mover k
		case -1:
			return 1
		case 0:
			result = 0
		}
	}
	return result
}

// after returns the part that a line can still reach after the move from position i to position j,
// which becomes the first. A return to i ends the game, so it is an exit. So is a move to a position
// that sure decides: the strategy that proves it stays among such positions, and the line has visited
// none of them.
func (s stretch) after(i, j int32, k int, sure []int8) stretch {
	next := stretch{&level{ctx: s.ctx, lowest: s.lowest}, s.n}
	nodes := []int32{2*j + 1}
	number := map[int32]int32{nodes[0]: 0} // by position and role of the mover of i in it
	for at := 0; at < len(nodes); at++ {
		p, role := nodes[at]/2, nodes[at]%2
		mine := s.exit[2*p]
		theirs := s.exit[2*p+1]
		quiet := []int32(nil)
		for _, q := range s.successors(int(p)) {
			v, values := 2*q+1-role, sure
			if to, there := number[v]; there {
				quiet = append(quiet, to)
				continue
			}
			if v == 2*i {
				values = s.end
			} else if s.decide(sure[v], sure[v^1], k) == 0 {
				number[v] = int32(len(nodes))
				quiet, nodes = append(quiet, number[v]), append(nodes, v)
				continue
			}
			mine, theirs = max(mine, values[2*q+1]), min(theirs, values[2*q])
		}
		next.addSuccessors(quiet)
		next.exit = append(next.exit, mine, theirs)
		next.end = append(next.end, s.end[2*p], s.end[2*p+1])
	}
	return next
}

// answers counts the answers to whether the mover can take k seeds, for all k that sure leaves open.
type answers struct {
	asked, answered int
	wrong           int // the table contradicts the answer
	wider           int // the table leaves the question open
}

func (s stretch) ask(i int32, sure []int8, values levelValues, budget int) (a answers) {
	for k := int(sure[2*i]) + 1; k <= s.n-int(sure[2*i+1]); k++ {
		left := budget
		got, inTable := s.takes(i, k, sure, &left), s.decide(values.of(int(2*i)), values.of(int(2*i+1)), k)
		a.asked++
		if got != 0 {
			a.answered++
		}
		if got*inTable < 0 {
			a.wrong++
		}
		if got != 0 && inTable == 0 {
			a.wider++
		}
	}
	return a
}

// open lists the positions whose bounds differ.
func (s stretch) open(sure []int8) (list []int32) {
	for i := range int32(len(s.first)) {
		if int(sure[2*i])+int(sure[2*i+1]) < s.n {
			list = append(list, i)
		}
	}
	return list
}

// Resolved values depend on history, and Table checks only that they are within the bounds. A search
// by lines agrees with those of the default table, for a sample of each level (of the larger ones with
// KROO_LONG=1).
func TestResolvedValuesAgreeWithASearchByLines(t *testing.T) {
	own := testkit.Must(endgame.Default(oware.Abapa))(t)
	var file bytes.Buffer
	testkit.NoError(t, own.Encode(&file))
	tab := testkit.Must(read(file.Bytes()))(t)
	last := testenv.Sample(6, tab.seeds)
	samples := testenv.Sample(20, 100)
	budget := testenv.Sample(1_000_000, 10_000_000)
	for n := 2; n <= last; n++ {
		s := stretch{tab.level(t.Context(), n), n}
		sure, all := s.sure(), answers{}
		open := s.open(sure)
		for i := range min(samples, len(open)) {
			a := s.ask(open[i*len(open)/min(samples, len(open))], sure, tab.values[n], budget)
			all.asked, all.answered, all.wrong, all.wider = all.asked+a.asked, all.answered+a.answered, all.wrong+a.wrong, all.wider+a.wider
		}
		t.Logf("%d seeds: %d of %d positions open by bounds; of a sample %+v", n, len(open), positions(n), all)
		if all.wrong > 0 || all.wider > 0 || n < 8 && all.answered < all.asked/2 {
			t.Errorf("%d seeds: %d open, %+v", n, len(open), all)
		}
	}
}

// The search finds every resolved value that is moved within its bounds or wider than necessary, for a
// quarter of the positions (all with KROO_LONG=1).
func TestTheSearchFindsWrongResolvedValues(t *testing.T) {
	tab := testkit.Must(read(built(t, endgame.Config{Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 4, Resolve: 4})))(t)
	moved := 0
	for n := 2; n <= 4; n++ {
		s := stretch{tab.level(t.Context(), n), n}
		values := tab.values[n]
		sure := s.sure()
		wrong, count := compare(values, sure, n, true)
		open := s.open(sure)
		if wrong >= 0 || count == 0 || count != len(open) {
			t.Fatalf("%d seeds: position %d is wrong, %d and %d are open", n, wrong, count, len(open))
		}
		for at := 0; at < len(open); at += testenv.Sample(4, 1) {
			i := open[at]
			for _, change := range [][2]int{{1, -1}, {-1, 1}, {-1, 0}, {0, -1}, {1, 0}, {0, 1}} {
				values.bytes[2*i] += byte(change[0])
				values.bytes[2*i+1] += byte(change[1])
				if wrong, _ := compare(values, sure, n, true); wrong < 0 {
					a := s.ask(i, sure, values, 1_000_000)
					if same := change[0]+change[1] == 0; same && a.wrong == 0 || !same && a.wider == 0 {
						t.Errorf("%d seeds, position %d, change %d: %+v", n, i, change, a)
					}
				}
				if change[0]+change[1] == 0 {
					moved++
				}
				values.bytes[2*i] -= byte(change[0])
				values.bytes[2*i+1] -= byte(change[1])
			}
		}
	}
	if moved < testenv.Sample(120, 500) {
		t.Errorf("only %d values moved", moved)
	}
}
