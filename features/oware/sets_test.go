package oware

import (
	"fmt"
	"slices"
	"testing"

	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func values(s *features.Set[oware.Position], p oware.Position) (own, opp []int) {
	own, opp = make([]int, s.Len()), make([]int, s.Len())
	s.Values(p, own, opp)
	return own, opp
}

func TestThesisNamesAreThePublishedTwelve(t *testing.T) {
	want := []string{"captures", "<1", "<2", "<3", "<4", "<5", ">7", ">8", ">10", ">11", ">12", ">13"} // Sala Soler 2014
	s := testkit.Must(Sets.ByName("thesis"))(t)
	testkit.EqualSlices(t, s.Names(), want, "names")
}

func TestValuesOfAHandCountedBoard(t *testing.T) {
	// South has 15 seeds in play and 6 captured, North has 27.
	p := position(t, [12]int{0, 1, 2, 3, 4, 5, 8, 9, 10, 0, 0, 0}, [2]int{6, 0})
	s, _ := Sets.ByName("thesis")
	own, opp := values(s, p)
	//                captures <1 <2 <3 <4 <5 >7 >8 >10 >11 >12 >13
	wantOwn := []int{6, 1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0}
	wantOpp := []int{0, 3, 3, 3, 3, 3, 3, 2, 0, 0, 0, 0}
	if !slices.Equal(own, wantOwn) || !slices.Equal(opp, wantOpp) {
		t.Errorf("own %v opp %v: want %v %v", own, opp, wantOwn, wantOpp)
	}
	q := position(t, [12]int{11, 12, 13, 0, 0, 0, 6: 12}, [2]int{})
	own, opp = values(s, q)
	wantOwn = []int{0, 3, 3, 3, 3, 3, 3, 3, 3, 2, 1, 0}
	wantOpp = []int{0, 5, 5, 5, 5, 5, 1, 1, 1, 1, 0, 0}
	if !slices.Equal(own, wantOwn) || !slices.Equal(opp, wantOpp) {
		t.Errorf("own %v opp %v: want %v %v", own, opp, wantOwn, wantOpp)
	}
}

// A changed hash makes existing weights files unusable, so it must not change by accident.
func TestSetHashesAreStable(t *testing.T) {
	want := map[string]string{"thesis": "288c9874f0e6d193", "thesis4": "2c863e2375f3eef6", "captures": "e96d67d0ba64cf51"}
	for name, hash := range want {
		s := testkit.Must(Sets.ByName(name))(t)
		testkit.Equal(t, s.Hash(), hash, "hash of %s", name)
	}
}

func TestValuesAllocatesNothing(t *testing.T) {
	s, _ := Sets.ByName("thesis")
	own, opp := make([]int, s.Len()), make([]int, s.Len())
	p := oware.Start(oware.Abapa)
	testkit.Equal(t, testing.AllocsPerRun(100, func() { s.Values(p, own, opp) }), 0, "testing.AllocsPerRun")
}

// Every number of houses below or above a bound, up to sixteen seeds, is a column of wide or its
// negative.
func TestWideHasEveryCountOnce(t *testing.T) {
	s := testkit.Must(Sets.ByName("wide"))(t)
	have := map[string]bool{}
	for _, name := range s.Names() {
		have[name] = true
	}
	for k := 1; k <= 16; k++ {
		fewer, more := have[fmt.Sprintf("<%d", k)], have[fmt.Sprintf(">%d", k-1)]
		if fewer == more {
			t.Errorf("fewer than %d: %v, more than %d: %v: want one of them", k, fewer, k-1, more)
		}
	}
	if !have["captures"] || s.Len() != 17 {
		t.Errorf("features %q", s.Names())
	}
}

// Every feature has a meaning; unknown names have none.
func TestEveryFeatureHasAMeaning(t *testing.T) {
	for _, set := range Sets.All {
		for _, name := range set.Names() {
			if Sets.Meaning(name) == "" {
				t.Errorf("%s has no meaning", name)
			}
		}
	}
	for name, want := range map[string]string{"captures": "seeds in the store", "<1": "empty houses", "<3": "houses with fewer than 3 seeds", ">12": "houses with more than 12 seeds", "": "", "<": "", "<3x": "", "wide": ""} {
		testkit.Equal(t, Sets.Meaning(name), want, "%q means", name)
	}
}
