package oware

import (
	"fmt"
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
	}
	return twin(p, byHand[family]...)
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
	s := parse(t, "store/2+phase+storephase+houses+pairs+triples/2+quads+sixes")
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
	s := parse(t, full+"")
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
