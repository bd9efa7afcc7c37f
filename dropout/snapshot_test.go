package dropout

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/wal"
)

// loaded makes a graph with a log and a snapshot and loads that.
func loaded(t *testing.T, cfg Config) *builder {
	t.Helper()
	if _, _, err := Build(context.Background(), cfg, newFakePool(1), nil); err != nil {
		t.Fatal(err)
	}
	full, err := cfg.normal()
	if err != nil {
		t.Fatal(err)
	}
	b, _, err := loadSnapshot(full)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What a snapshot brings back agrees with the slow computation, with leaves in
// flight and tables.
func TestSnapshotBringsTheGraphBack(t *testing.T) {
	flight := 0
	for _, cfg := range variants(150) {
		c := logged(t, 150)
		cfg.Log, cfg.snapshots, cfg.Engine = c.Log, 60, c.Engine
		b := loaded(t, cfg)
		check(t, b.graph, cfg)
		flight += len(b.flight)
		g, _, err := Build(context.Background(), cfg, newFakePool(2), nil)
		cfg.Log = ""
		if err != nil || dump(g) != dump(build(t, cfg)) {
			t.Errorf("another graph after going on (%v)", err)
		}
	}
	if flight < 30 {
		t.Errorf("%d leaves in flight: the test tests nothing", flight)
	}
}

// A snapshot is used at all: without it the log would be enough, and no test
// of results would notice.
func TestSnapshotShortensGoingOn(t *testing.T) {
	cfg := logged(t, 200)
	b := loaded(t, cfg)
	if b.graph.expanded+len(b.flight) < 150 {
		t.Errorf("the snapshot has %d expansions of 200", b.graph.expanded)
	}
	calls := 0
	if _, _, err := Build(context.Background(), cfg, newFakePool(1), func(Progress) { calls++ }); err != nil || calls > 50 {
		t.Errorf("%d expansions again (%v)", calls, err)
	}
}

// Damage anywhere, and a snapshot of another log or another expansion, costs
// time and nothing else.
func TestSnapshotThatDoesNotFitIsLeftAside(t *testing.T) {
	cfg := logged(t, 60)
	want := dump(build(t, config(60)))
	loaded(t, cfg)
	good := read(t, snapshotPath(cfg.Log))
	other := logged(t, 90)
	other.Omega = 5
	loaded(t, other)
	for name, data := range map[string][]byte{
		"empty": nil, "text": []byte("hello"), "short": good[:len(good)/2], "long": append(good[:len(good):len(good)], 0),
		"other expansion": read(t, snapshotPath(other.Log)),
	} {
		write(t, snapshotPath(cfg.Log), data)
		if g, _, err := Build(context.Background(), cfg, newFakePool(1), nil); err != nil || dump(g) != want {
			t.Errorf("%s: another graph (%v)", name, err)
		}
	}
	full, err := cfg.normal()
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(good); i += 29 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x41
		write(t, snapshotPath(cfg.Log), bad)
		if _, _, err := loadSnapshot(full); err == nil {
			t.Fatalf("byte %d changed and not noticed", i)
		}
	}
	// Of another log with the same settings: its searches are in the graph.
	write(t, snapshotPath(cfg.Log), good)
	if err := os.Remove(cfg.Log); err != nil {
		t.Fatal(err)
	}
	pool := newFakePool(1)
	if g, _, err := Build(context.Background(), cfg, pool, nil); err != nil || dump(g) != want || pool.searches != g.searched {
		t.Errorf("another log: another graph, or %d searches (%v)", pool.searches, err)
	}
}

// A log that was damaged anywhere and salvaged may hold fewer searches than the snapshot
// beside it, which then is left aside. What is lost is searched again, in any order.
func TestSalvagedLogBesideAnOlderSnapshot(t *testing.T) {
	cfg := logged(t, 60)
	want := dump(build(t, config(60)))
	loaded(t, cfg)
	log, snapshot := read(t, cfg.Log), read(t, snapshotPath(cfg.Log))
	lost := 0
	for at := len(log) / 10; at < len(log)-100; at += len(log) / 10 {
		damaged := bytes.Clone(log)
		damaged[at] ^= 0x10
		write(t, cfg.Log, damaged)
		write(t, snapshotPath(cfg.Log), snapshot)
		if _, _, err := Build(context.Background(), cfg, newFakePool(1), nil); !errors.Is(err, wal.ErrDamaged) {
			t.Fatalf("damage at byte %d: %v, want it noticed", at, err)
		}
		if c, err := wal.Salvage(cfg.Log); err != nil || !c.Damaged {
			t.Fatalf("damage at byte %d: %+v, %v", at, c, err)
		}
		pool := slowPool(uint64(at))
		if g, _, err := Build(context.Background(), cfg, pool, nil); err != nil || dump(g) != want {
			t.Errorf("damage at byte %d: another graph (%v)", at, err)
		}
		lost += pool.searches
		again := newFakePool(1)
		if g, _, err := Build(context.Background(), cfg, again, nil); err != nil || dump(g) != want || again.searches != 0 {
			t.Errorf("damage at byte %d: another graph from the files, or %d searches (%v)", at, again.searches, err)
		}
	}
	if lost < 300 {
		t.Errorf("%d searches were lost: the test tests nothing", lost)
	}
}

// Any file is refused or is a graph that agrees with the slow computation. The
// checksum is made right, so that it does not hide the rest.
func FuzzSnapshot(f *testing.F) {
	cfg := config(12)
	cfg.Engine, cfg.snapshots, cfg.Log = "fake", 20, filepath.Join(f.TempDir(), "x.log")
	if _, _, err := Build(context.Background(), cfg, newFakePool(1), nil); err != nil {
		f.Fatal(err)
	}
	cfg, _ = cfg.normal()
	data, err := os.ReadFile(snapshotPath(cfg.Log))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data[:len(data)-4])
	f.Add([]byte(snapshotMagic + "\x00\x00\x00\x02{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		sum := crc32.New(castagnoli)
		sum.Write(data)
		r := &snapshotReader{sum: crc32.New(castagnoli), in: bufio.NewReader(bytes.NewReader(sum.Sum(data)))}
		head := r.head(int64(len(data) + 4))
		b := newBuilder(cfg)
		if r.err == nil {
			r.graph(b, head)
		}
		if r.err != nil {
			if strings.Contains(r.err.Error(), "\n") {
				t.Errorf("error of two lines: %q", r.err)
			}
			return
		}
		if b.graph.nodes.at(0).pos == cfg.Root {
			check(t, b.graph, cfg)
		}
	})
}
