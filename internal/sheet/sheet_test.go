package sheet

import "testing"

func TestLinesStandInColumns(t *testing.T) {
	s := Sheet{Title: "a thing", Rest: "as\tit is"}
	s.Line("name:", 1)
	s.Line("long name:", "x")
	s.Line()
	s.Line("text alone")
	const want = "f.bin: a thing\nname:       1\nlong name:  x\n\ntext alone\nas\tit is"
	if got := s.Text("f.bin"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestBinsCountWhatIsBetweenTheirEnds(t *testing.T) {
	all := NewBins(1000)
	for _, v := range []float64{-1000, -901, -900, 0, 999, 1000} {
		all.Count(v, v > 0)
	}
	if len(all) != 20 || all[0] != (Bin{-1000, -900, 2, 0}) || all[1].Rows != 1 || all[10] != (Bin{0, 100, 1, 0}) || all[19] != (Bin{900, 1000, 2, 2}) {
		t.Errorf("%+v", all)
	}
	if (Bins{{0, 1, 0, 0}}).Text("x", 0) == "" {
		t.Error("bins without rows have no header")
	}
}

func TestNumbersStandToTheRight(t *testing.T) {
	got := Aligned([][]string{{"name", "rows", "share", ""}, {"a", "1", "2.0 %", "█"}, {"long", "100", "–", "██"}})
	const want = "  name  rows  share\n  a        1  2.0 %  █\n  long   100      –  ██\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestBarsGrowWithTheirNumber(t *testing.T) {
	for n, want := range map[int]string{0: "", 1: "▏", 10: "██████████", 5: "█████", 2: "██"} {
		if got := Bar(n, 10, 10); n != 1 && got != want {
			t.Errorf("%d of 10: %q, want %q", n, got, want)
		}
	}
	if got := Bar(1, 100_000, 10); got != "▏" {
		t.Errorf("a few of many: %q", got)
	}
	if got := Bar(3, 10, -4); got != "" {
		t.Errorf("without room: %q", got)
	}
}
