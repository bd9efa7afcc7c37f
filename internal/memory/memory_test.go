package memory

import (
	"math"
	"testing"
)

func TestCheckRefusesWhatDoesNotFit(t *testing.T) {
	defer func(old []func() (int64, bool)) { sources = old }(sources)
	sources = []func() (int64, bool){
		func() (int64, bool) { return 300 << 20, true },
		func() (int64, bool) { return 100 << 20, true },
		func() (int64, bool) { return 0, false },
	}
	if free, known := available(); free != 100<<20 || !known {
		t.Errorf("free: %d, %t: want the least of what is known", free, known)
	}
	if err := Check("a table", 100<<20); err != nil {
		t.Error(err)
	}
	err := Check("a table", 100<<20+1)
	if want := "a table: that takes 101 MiB of memory, and 100 MiB is free"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if err := CheckReusing("a table", 150<<20, 50<<20); err != nil {
		t.Error(err)
	}
	sources = nil
	if err := Check("a table", math.MaxInt64); err != nil {
		t.Errorf("%v, want nothing refused where nothing is known", err)
	}
}
