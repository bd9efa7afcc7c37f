package main

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestMedianAndInterval(t *testing.T) {
	for _, c := range []struct {
		sample []float64
		want   estimate
	}{
		{[]float64{5}, estimate{5, 5, 5, 0}},
		{[]float64{2, 1}, estimate{1.5, 1, 2, 0.5}},
		{[]float64{3, 1, 2}, estimate{2, 1, 3, 0.75}},
		{[]float64{6, 5, 4, 3, 2, 1}, estimate{3.5, 1, 6, 0.96875}},
		// Of ten, the second and the ninth: no or one head has 1 + 10 of 1024.
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, estimate{5.5, 2, 9, 1 - 22.0/1024}},
	} {
		if got := medianOf(c.sample); got != c.want {
			t.Errorf("%v: got %+v, want %+v", c.sample, got, c.want)
		}
	}
}

// Of many samples whose median is known, the interval misses as many as it says.
func TestIntervalHoldsTheMedian(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, n := range []int{6, 10, 21} {
		const samples = 20_000
		held, confidence := 0, 0.0
		for range samples {
			s := make([]float64, n)
			for i := range s {
				s[i] = r.ExpFloat64()
			}
			e := medianOf(s)
			if confidence = e.confidence; e.low <= math.Ln2 && math.Ln2 <= e.high {
				held++
			}
		}
		if share := float64(held) / samples; confidence < 0.95 || math.Abs(share-confidence) > 0.006 {
			t.Errorf("%d values: %.4f of the intervals hold the median, confidence %.4f", n, share, confidence)
		}
	}
}

func TestVerdict(t *testing.T) {
	for want, e := range map[string]estimate{
		"faster":              {0.9, 0.85, 0.99, 0.95},
		"slower":              {1.1, 1.01, 1.2, 0.95},
		"no difference shown": {0.9, 0.8, 1, 0.95},
	} {
		if got := e.verdict(); got != want {
			t.Errorf("%+v: %s, want %s", e, got, want)
		}
	}
}

func TestBenchmarkLines(t *testing.T) {
	for line, want := range map[string]struct {
		name    string
		seconds float64
	}{
		"BenchmarkPlay-2   \t 1000\t     12.5 ns/op\t 0 B/op":      {"BenchmarkPlay-2", 12.5e-9},
		"BenchmarkX/a=1-2 \t 3\t 7.0 nodes/s\t 2000000000 ns/op\n": {"BenchmarkX/a=1-2", 2},
		"BenchmarkX-2":            {},
		"BenchmarkX-2  5  7 MB/s": {},
		"ok  kroo/engine  1.2s x": {},
	} {
		name, seconds, ok := parseBenchmark(line)
		if name != want.name || math.Abs(seconds-want.seconds) > 1e-12 || ok != (want.name != "") {
			t.Errorf("%q: %q %g %v", line, name, seconds, ok)
		}
	}
}

func TestTable(t *testing.T) {
	var all timings
	for i := range 6 {
		all.add("same", 0, 1, "Bench: 1")
		all.add("same", 1, 1+0.01*float64(i), "Bench: 1")
		all.add("other", 1, 0.5, "2")
		all.add("other", 0, 1, "1")
	}
	all.add("alone", 1, 1, "")
	var out strings.Builder
	within, err := config{limit: 1.02}.print(&out, all)
	if err != nil || within {
		t.Errorf("within the limit: %v, error %v", within, err)
	}
	lines := strings.Split(out.String(), "\n")
	for i, want := range []string{
		"old new new/old interval",
		"same 1s 1.025s 1.025 1.000 to 1.050 (97 %) no difference shown",
		"other 1s 500ms 0.500 0.500 to 0.500 (97 %) faster",
		"the answers differ: it is not the same work",
		"alone on one side only",
	} {
		if got := strings.Join(strings.Fields(lines[i]), " "); got != want {
			t.Errorf("line %d is %q, want %q", i, got, want)
		}
	}
	if within, _ := (config{limit: 1.03}).print(&out, all); !within {
		t.Error("1.025 is above 1.03")
	}
}

func TestCommandLine(t *testing.T) {
	c, err := parse([]string{"-train", "bench --depth 5", "-train", "perft", "a", "b"})
	if err != nil || len(c.train) != 2 || c.sides != [2]string{"a", "b"} {
		t.Errorf("%+v, error %v", c, err)
	}
	if c, err := parse([]string{"a", "b"}); err != nil || len(c.train) != len(defaultTrain) {
		t.Errorf("%+v, error %v", c, err)
	}
	for want, args := range map[string][]string{
		"1 arguments":     {"a"},
		"-runs 0":         {"-runs", "0", "a", "b"},
		"nothing to time": {"-train", "", "a", "b"},
		"-limit -1":       {"-limit", "-1", "a", "b"},
	} {
		if _, err := parse(args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", args, err, want)
		}
	}
}

func TestSidesThatAreNeitherFolderNorCommit(t *testing.T) {
	if _, _, err := checkout(t.Context(), "no-such-commit", t.TempDir()); err == nil || !strings.Contains(err.Error(), "neither") {
		t.Errorf("error %v", err)
	}
	if dir, done, err := checkout(t.Context(), "testdata-is-none/..", t.TempDir()); err == nil {
		done()
		t.Errorf("a folder that is not there became %s", dir)
	}
	here, done, err := checkout(t.Context(), ".", t.TempDir())
	if err != nil || here == "." {
		t.Errorf("%q, error %v: want the folder in full", here, err)
	}
	done()
}
