package oware

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// named are the columns of a position by name, without the family's.
func named(s *Set, p oware.Position) (names []string) {
	ones, vals := s.AppendRow(nil, nil, p)
	for _, i := range ones {
		_, name, _ := strings.Cut(s.ColumnName(int(i)), " ")
		names = append(names, name)
	}
	for _, v := range vals {
		_, name, _ := strings.Cut(s.ColumnName(int(v.Index)), " ")
		names = append(names, fmt.Sprintf("%s = %g", name, v.Value))
	}
	return names
}

// bucketName is the reference for the table of buckets.
func bucketName(n int) string {
	switch {
	case n >= 12:
		return "12+"
	case n >= 9:
		return "9-11"
	case n >= 6:
		return "6-8"
	case n >= 4:
		return "4-5"
	}
	return fmt.Sprint(n)
}

// twin returns the columns of a position in a family of patterns of the given houses, computed in
// the simplest way.
func twin(p oware.Position, lists ...string) (names []string) {
	for _, list := range lists {
		var words []string
		for _, c := range list {
			words = append(words, fmt.Sprintf("%c%s", c, bucketName(p.House(strings.IndexRune(houseNames, c)))))
		}
		names = append(names, strings.Join(words, " "))
	}
	return names
}

// byHand are the houses of each family's patterns, written out.
var byHand = map[string][]string{
	"adjacent": strings.Fields("AB BC CD DE EF Fa ab bc cd de ef fA"),
	"pairs": strings.Fields(`AB AC AD AE AF Aa Ab Ac Ad Ae Af BC BD BE BF Ba Bb Bc Bd Be Bf CD CE CF Ca Cb Cc Cd Ce Cf
		DE DF Da Db Dc Dd De Df EF Ea Eb Ec Ed Ee Ef Fa Fb Fc Fd Fe Ff ab ac ad ae af bc bd be bf cd ce cf de df ef`),
	"blocks":  strings.Fields("ABC DEF abc def"),
	"triples": strings.Fields("ABC BCD CDE DEF EFa Fab abc bcd cde def efA fAB"),
	"fours":   strings.Fields("ABCD BCDE CDEF DEFa EFab Fabc abcd bcde cdef defA efAB fABC"),
	"quads": strings.Fields(`ABDE ABEF BCDE BCEF ACDF ABab ABbc BCab BCbc ACac ABde ABef BCde BCef ACdf
		DEab DEbc EFab EFbc DFac DEde DEef EFde EFef DFdf abde abef bcde bcef acdf`),
	"rows":  strings.Fields("ABCDEF abcdef"),
	"sixes": strings.Fields("ABCDEF ABCabc ABCdef DEFabc DEFdef abcdef"),
	"runs":  strings.Fields("ABCDEF BCDEFa CDEFab DEFabc EFabcd Fabcde abcdef bcdefA cdefAB defABC efABCD fABCDE"),
}

// columnsByHand is the slow reference for AppendRow, for every family.
func columnsByHand(family string, p oware.Position) (names []string) {
	switch family {
	case "store":
		return []string{fmt.Sprintf("difference = %d", p.Store()-p.OpponentStore())}
	case "phase":
		return []string{fmt.Sprintf("in play %d", 48-p.Store()-p.OpponentStore())}
	case "storephase":
		return []string{fmt.Sprintf("stores %d-%d", p.Store(), p.OpponentStore())}
	case "houses":
		for h, c := range houseNames {
			if n := p.House(h); n < 23 {
				names = append(names, fmt.Sprintf("%c%d", c, n))
			} else {
				names = append(names, fmt.Sprintf("%c23+", c))
			}
		}
		return names
	case "mobility":
		return []string{
			fmt.Sprintf("own moves %d", len(p.AppendMoves(nil))),
			fmt.Sprintf("other moves %d", len(p.Swap().AppendMoves(nil))),
		}
	case "threats":
		return []string{
			fmt.Sprintf("threats to ones %d", attacked(p, 1)), fmt.Sprintf("threats to twos %d", attacked(p, 2)),
			fmt.Sprintf("own ones threatened %d", attacked(p.Swap(), 1)), fmt.Sprintf("own twos threatened %d", attacked(p.Swap(), 2)),
		}
	case "gains":
		return gainsByHand(p)
	case "trades":
		return append(tradesByHand("own", p), tradesByHand("other", p.Swap())...)
	case "tempo":
		return []string{fmt.Sprintf("own waiting moves %d", waits(p)), fmt.Sprintf("other waiting moves %d", waits(p.Swap()))}
	}
	return twin(p, byHand[family]...)
}

// captured returns a house's capture by making the move and comparing stores; 0 if it is empty.
func captured(p oware.Position, h int) int {
	if p.House(h) == 0 {
		return 0
	}
	return p.Play(oware.Move(h)).OpponentStore() - p.Store()
}

func mostCaptured(p oware.Position) (best, at int) {
	for h := 5; h >= 0; h-- {
		if g := captured(p, h); g >= best {
			best, at = g, h
		}
	}
	return best, at
}

func gainsByHand(p oware.Position) (names []string) {
	for h := range 6 {
		names = append(names, fmt.Sprintf("%c captures %d", 'A'+h, captured(p, h)))
	}
	for h := range 6 {
		names = append(names, fmt.Sprintf("%c captures %d", 'a'+h, captured(p.Swap(), h)))
	}
	own, _ := mostCaptured(p)
	other, _ := mostCaptured(p.Swap())
	return append(names, fmt.Sprintf("best captures %d against %d", own, other))
}

func tradesByHand(side string, p oware.Position) []string {
	best, at := mostCaptured(p)
	reply, trade := 0, -15
	if best > 0 {
		reply, _ = mostCaptured(p.Play(oware.Move(at)))
	}
	for h := range 6 {
		if p.House(h) > 0 {
			back, _ := mostCaptured(p.Play(oware.Move(h)))
			trade = max(trade, captured(p, h)-back)
		}
	}
	return []string{fmt.Sprintf("%s best capture %d, reply %d", side, best, reply), fmt.Sprintf("%s best trade %+d", side, trade)}
}

// attacked counts the other side's houses with n seeds in which the last seed
// of a short sowing falls.
func attacked(p oware.Position, n int) (count int) {
	for target := 6; target < 12; target++ {
		if p.House(target) == n && slices.ContainsFunc([]int{0, 1, 2, 3, 4, 5}, func(h int) bool { return h+p.House(h) == target }) {
			count++
		}
	}
	return count
}

// waits counts the own houses whose last seed stays on the own side.
func waits(p oware.Position) (count int) {
	for h := range 6 {
		if n := p.House(h); n > 0 && h+n <= 5 {
			count++
		}
	}
	return count
}

func TestRowsEqualTheSlowReference(t *testing.T) {
	ps := randomPositions(t, 300)
	for _, f := range allFamilies() {
		s := parse(t, f.Name)
		for _, p := range ps {
			if got, want := named(s, p), columnsByHand(f.Name, p); !slices.Equal(got, want) {
				t.Fatalf("%s %v: columns\n%q\nwant\n%q", f.Name, p, got, want)
			}
		}
	}
}

func TestStagesFollowTheSeedsInPlay(t *testing.T) {
	for stages := 2; stages <= maxStages; stages++ {
		s := parse(t, fmt.Sprintf("houses/%d", stages))
		seen := map[int]bool{}
		for _, p := range randomPositions(t, 500) {
			ones, _ := s.AppendRow(nil, nil, p)
			for _, i := range ones {
				stage := int(i) / (houses * 24)
				seen[stage] = true
				var from, to int
				name := s.ColumnName(int(i))
				if _, err := fmt.Sscanf(name[strings.Index(name, "in play"):], "in play %d-%d", &from, &to); err != nil {
					t.Fatal(err)
				}
				if n := p.SeedsInPlay(); n < from || n > to || stage != n*stages/49 {
					t.Fatalf("%v: column %q", p, name)
				}
			}
		}
		testkit.Equal(t, len(seen), stages, "len")
	}
}

// rowLengths are the numbers of columns of a row that are one, and that have other values.
func rowLengths(s *Set) (ones, vals int) {
	o, v := s.AppendRow(nil, nil, oware.Start(oware.Abapa))
	return len(o), len(v)
}

func TestRowsAreAscendingAndEquallyLong(t *testing.T) {
	s := parse(t, "store/2+phase+storephase+houses+pairs+triples/2+quads+sixes+runs+mobility+threats+tempo+gains+trades")
	wantOnes, wantVals := rowLengths(s)
	var ones []uint32
	var vals []features.Entry
	for _, p := range randomPositions(t, 300) {
		ones, vals = s.AppendRow(ones[:0], vals[:0], p)
		if len(ones) != wantOnes || len(vals) != wantVals || !slices.IsSorted(ones) || int(ones[len(ones)-1]) >= s.Len() {
			t.Fatalf("%v: %d and %d columns: want %d and %d, ascending", p, len(ones), len(vals), wantOnes, wantVals)
		}
	}
}

func TestAppendRowAllocatesNothing(t *testing.T) {
	s := parse(t, full+"+runs+mobility+threats+tempo+gains+trades")
	p := oware.Start(oware.Abapa)
	n, v := rowLengths(s)
	ones, vals := make([]uint32, 0, n), make([]features.Entry, 0, v)
	testkit.Equal(t, testing.AllocsPerRun(100, func() { ones, vals = s.AppendRow(ones[:0], vals[:0], p) }), 0, "testing.AllocsPerRun")
}

func BenchmarkAppendRow(b *testing.B) {
	s, ps := parse(b, "store+storephase+houses+pairs+triples+quads+sixes"), walk()
	n, v := rowLengths(s)
	ones, vals := make([]uint32, 0, n), make([]features.Entry, 0, v)
	b.ReportMetric(float64(n+v), "columns")
	for i := 0; b.Loop(); i++ {
		ones, vals = s.AppendRow(ones[:0], vals[:0], ps[i&(len(ps)-1)])
	}
}

// A grand slam of 18 seeds counts as 15 where it captures: every column stays in its own family,
// one for each house.
func TestGainsHaveOneColumnPerHouseUnderAllRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple, oware.SimpleToEnd} {
		slam := testkit.Must(oware.New(rules, [houses]int{0, 0, 0, 0, 1, 6, 2, 2, 2, 2, 2, 2}, [2]int{20, 9}, oware.South))(t)
		ps := []oware.Position{slam, slam.Swap()}
		for range 3000 {
			p := testkit.Must(oware.Unrank(rules, rng.Int64N(oware.Ranks), oware.Side(rng.IntN(2))))(t)
			ps = append(ps, p)
		}
		for _, p := range ps {
			columns := capturable(nil, p)
			for h, c := range columns[:houses] {
				if int(c)/gains != h {
					t.Fatalf("%v: %v: column %d of house %d", rules, p, c, h)
				}
			}
			if best := columns[houses]; best < gainPairs || best >= gainColumns {
				t.Fatalf("%v: %v: column %d of %d", rules, p, best, gainColumns)
			}
			for side, c := range trades(nil, p) {
				if int(c)/tradeSide != side/2 {
					t.Fatalf("%v: %v: column %d of trades", rules, p, c)
				}
			}
		}
	}
}
