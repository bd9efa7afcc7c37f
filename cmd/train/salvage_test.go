package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A journal that is damaged in the middle is refused with a remedy, after which the
// work ends in the same bytes.
func TestWorkGoesOnFromASalvagedJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	line := strings.Fields("match --pairs 6 --nodes 50 --hash 1 -o m.ogn")
	good(t, dir, line...)
	path := filepath.Join(dir, "m.ogn")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	log, err := os.ReadFile(path + ".log")
	if err != nil {
		t.Fatal(err)
	}
	log[len(log)/2] ^= 4
	if err := os.WriteFile(path+".log", log, 0o644); err != nil {
		t.Fatal(err)
	}
	checkRefused(t, dir, strings.Join(line, " "), "`train inspect --salvage m.ogn.log` keeps what is before it")
	if out := good(t, dir, "inspect", "m.ogn.log"); !strings.Contains(out, "damaged at byte") || !strings.Contains(out, `"kroo-match`) {
		t.Errorf("printed %q", out)
	}
	if out := good(t, dir, "inspect", "--salvage", "m.ogn.log"); !strings.Contains(out, "kept ") || !strings.Contains(out, "m.ogn.log.damaged") {
		t.Errorf("printed %q", out)
	}
	good(t, dir, line...)
	if got, _ := os.ReadFile(path); !bytes.Equal(got, want) {
		t.Error("the games differ")
	}
	checkRefused(t, dir, "inspect --salvage m.ogn", "not a log")
	good(t, dir, "endgame", "build", "--rules", "awari", "--seeds", "3", "-o", "tables")
	if out := good(t, dir, "inspect", "tables/awari.endgame"); !strings.Contains(out, "endgame table of awari, exact values, up to 3 seeds") {
		t.Errorf("printed %q", out)
	}
}
