package oware

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestParseOrdersFamilies(t *testing.T) {
	s := parse(t, "pairs/3+store+houses")
	if got, want := s.String(), "store+houses+pairs/3"; got != want {
		t.Errorf("canonical spec %q: want %q", got, want)
	}
	if again := parse(t, s.String()); again.Hash() != s.Hash() || len(s.Hash()) != 16 {
		t.Errorf("hashes %q and %q of one set", s.Hash(), again.Hash())
	}
}

func TestParseRefuses(t *testing.T) {
	for spec, want := range map[string]string{
		"":                           `"" is not a family: expected store, phase`,
		"store+":                     `"" is not a family`,
		"stores":                     `"stores" is not a family`,
		"store+store":                "family store: expected once",
		"pairs+pairs/2":              "family pairs: expected once",
		"pairs/1":                    `has "1" stages: expected 2 to 4`,
		"pairs/5":                    `has "5" stages`,
		"pairs/":                     `has "" stages`,
		"pairs/02":                   `has "02" stages`,
		"pairs/2/2":                  `has "2/2" stages`,
		"phase/2":                    "expected no stages",
		"pairs/2+houses/3":           "expected as many stages as other families have, 2",
		strings.Repeat("x", 1<<20):   "…",
		"Store":                      `"Store" is not a family`,
		"store +houses":              `"store " is not a family`,
		"houses/2+pairs/3+triples/2": "expected as many stages",
	} {
		_, err := Parse(spec)
		if err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 600 {
			t.Errorf("%.40q: error %v: want one with %q", spec, err, want)
		}
	}
}

// The sizes are those of the studies that the families come from.
func TestSizesOfFamilies(t *testing.T) {
	want := map[string]int{
		"store": 1, "phase": 49, "storephase": 1225, "houses": 12 * 24,
		"adjacent": 12 * 64, "pairs": 66 * 64, "blocks": 4 * 512, "triples": 12 * 512, "fours": 12 * 4096, "quads": 30 * 4096,
		"rows": 2 << 18, "sixes": 6 << 18,
	}
	for _, f := range allFamilies() {
		testkit.Equal(t, f.To-f.From, want[f.Name], "%s", f.Name)
		if s := parse(t, f.Name); s.Len() != want[f.Name] {
			t.Errorf("set %s: %d columns: want %d", f.Name, s.Len(), want[f.Name])
		}
		delete(want, f.Name)
	}
	testkit.Equal(t, len(want), 0, "no families %v", want)
}

func TestFamiliesTileTheColumns(t *testing.T) {
	s, at := parse(t, staged), 0
	for _, f := range s.Families() {
		if f.From != at || f.To <= f.From || f.About == "" {
			t.Errorf("%+v: want it to begin at %d", f, at)
		}
		at = f.To
	}
	testkit.Equal(t, at, s.Len(), "families end at")
}

func TestColumnNamesAreUniqueAndNameTheirHouses(t *testing.T) {
	s := parse(t, "store/2+storephase+phase+houses+adjacent/2+pairs+blocks+triples")
	seen := map[string]bool{}
	house := regexp.MustCompile(`\b[A-Fa-f][0-9]`)
	for i := range s.Len() {
		name := s.ColumnName(i)
		if seen[name] {
			t.Fatalf("column %d: another is called %q", i, name)
		}
		seen[name] = true
		named := house.FindAllString(name, -1)
		if len(named) != len(touched(s, i)) {
			t.Fatalf("column %d, %q: houses %v", i, name, touched(s, i))
		}
		for k, h := range touched(s, i) {
			if named[k][0] != houseNames[h] {
				t.Fatalf("column %d, %q: houses %v", i, name, touched(s, i))
			}
		}
	}
	for _, name := range []string{
		"store/2 difference in play 0-24", "store/2 difference in play 25-48", "phase in play 48", "storephase stores 3-0",
		"houses A22", "houses f23+", "adjacent/2 A0 B12+ in play 0-24", "pairs A0 c4-5", "triples e9-11 f3 A1",
	} {
		if !seen[name] {
			t.Errorf("no column %q", name)
		}
	}
}

func TestHashDistinguishesSets(t *testing.T) {
	seen := map[string]string{}
	for _, spec := range []string{"pairs", "pairs/2", "pairs/3", "houses", "store", "store+houses", full, staged} {
		h := parse(t, spec).Hash()
		testkit.Equal(t, seen[h], "", "%s and", spec)
		seen[h] = spec
	}
}

// touched are the houses that a column looks at.
func touched(s *PatternSet, column int) []uint8 {
	part, local, _ := s.find(column)
	return part.of.touches(local)
}

// An accepted spec names families, each once, and equals the sum of its parts.
func FuzzSpec(f *testing.F) {
	for _, spec := range []string{"houses", "houses+pairs/3", "triples/4+houses", "pairs/", "+", "houses/0", "houses/10"} {
		f.Add(spec)
	}
	f.Fuzz(func(t *testing.T, spec string) {
		asked, err := parseSpec(spec)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 1000 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		words := strings.Split(spec, "+")
		testkit.Equal(t, len(words), len(asked), "%q: %v", spec, asked)
		for family, stages := range asked {
			if !slices.Contains(words, family) && !slices.Contains(words, fmt.Sprintf("%s/%d", family, stages)) || stages < 1 || stages > maxStages {
				t.Errorf("%q: %s in %d stages", spec, family, stages)
			}
		}
	})
}

// named are the columns of a position by name, without the family's.
func named(s *PatternSet, p oware.Position) (names []string) {
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
func rowLengths(s *PatternSet) (ones, vals int) {
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
