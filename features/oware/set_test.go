package oware

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

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
func touched(s *Set, column int) []uint8 {
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
