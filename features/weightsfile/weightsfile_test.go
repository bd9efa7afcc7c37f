package weightsfile

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestFilesReadBackAsTheyWere(t *testing.T) {
	h := Header{Game: "othello", Set: "rows", Rules: "8x8", Provenance: Provenance{Tool: "test", Stats: map[string]float64{"r": 0.5}}}
	sections := [][]byte{[]byte("first"), bytes.Repeat([]byte{7}, 5000), {}}
	data, err := Seal(KindModel, h, sections)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(data, 3)
	if err != nil || f.Kind != KindModel || f.Header.Set != "rows" || f.Header.Provenance.Stats["r"] != 0.5 || f.Sections() != 3 {
		t.Fatalf("%+v, error %v", f, err)
	}
	for i, want := range sections {
		if got, err := f.Unpack(i, len(want)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("section %d: %d bytes, error %v, want %d", i, len(got), err, len(want))
		}
		if _, err := f.Unpack(i, len(want)+1); err == nil {
			t.Errorf("section %d passes for a longer one", i)
		}
		got := make([]byte, len(want))
		if err := f.UnpackTo(got, i); err != nil || !bytes.Equal(got, want) {
			t.Errorf("section %d into a buffer: error %v", i, err)
		}
		if err := f.UnpackTo(make([]byte, len(want)+1), i); err == nil {
			t.Errorf("section %d into a buffer passes for a longer one", i)
		}
		if len(want) > 0 && f.UnpackTo(got[1:], i) == nil {
			t.Errorf("section %d into a buffer passes for a shorter one", i)
		}
	}
	if _, err := Open(data, 2); err == nil || !strings.Contains(err.Error(), "expected 1 to 2") {
		t.Errorf("a section too many: %v", err)
	}
	for i := range data {
		if _, err := Open(data[:i], 3); err == nil {
			t.Fatalf("%d of %d bytes pass", i, len(data))
		}
		damaged := slices.Clone(data)
		damaged[i] ^= 0x40
		if _, err := Open(damaged, 3); err == nil {
			t.Fatalf("damage in byte %d passes", i)
		}
	}
}

func TestFloatsReadBackAsTheyWere(t *testing.T) {
	want := []float32{0, 1, -1.5, 3e-20, 1e5}
	if got := ParseFloats(Floats(want)); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
