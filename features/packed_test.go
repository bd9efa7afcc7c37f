package features

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/klauspost/compress/zstd"

	"kroo/internal/testkit"
)

func TestFilesReadBackAsTheyWere(t *testing.T) {
	h := Header{Game: "othello", Set: "rows", Rules: "8x8", Provenance: Provenance{Tool: "test", Stats: map[string]float64{"r": 0.5}}}
	sections := [][]byte{[]byte("first"), bytes.Repeat([]byte{7}, 5000), {}, bytes.Repeat([]byte("noise and silence"), window/4)}
	data := testkit.Must(SealPacked(KindModel, h, sections))(t)
	readsBack(t, data, sections)
}

func readsBack(t *testing.T, data []byte, sections [][]byte) {
	f, err := openPacked(data)
	if err != nil || f.Kind != KindModel || f.Header.Set != "rows" || f.Header.Provenance.Stats["r"] != 0.5 || f.Sections() != 4 {
		t.Fatalf("%+v, error %v", f, err)
	}
	for i, want := range sections {
		got := make([]byte, len(want))
		if err := f.UnpackAll(got, i); err != nil || !bytes.Equal(got, want) {
			t.Errorf("section %d: error %v", i, err)
		}
		if err := f.UnpackAll(make([]byte, len(want)+1), i); err == nil {
			t.Errorf("section %d passes for a longer one", i)
		}
		if len(want) > 0 && f.UnpackAll(got[1:], i) == nil {
			t.Errorf("section %d passes for a shorter one", i)
		}
	}
	for i := range data {
		if _, err := openPacked(data[:i]); err == nil {
			t.Fatalf("%d of %d bytes pass", i, len(data))
		}
		damaged := slices.Clone(data)
		damaged[i] ^= 0x40
		if _, err := openPacked(damaged); err == nil {
			t.Fatalf("damage in byte %d passes", i)
		}
	}
}

// Another writer's frame may be longer than its section.
func TestFramesThatAreTooLongAreRefused(t *testing.T) {
	w := testkit.Must(zstd.NewWriter(nil, zstd.WithWindowSize(8*window), zstd.WithSingleSegment(true)))(t)
	const n = 4 * window
	f := Packed{packed: [][]byte{w.EncodeAll(make([]byte, n), nil)}}
	if err := f.UnpackAll(make([]byte, n/2), 0); !errors.Is(err, zstd.ErrDecoderSizeExceeded) {
		t.Errorf("into a short buffer: error %v", err)
	}
}

// A calibration can be set in a file, and changes nothing else.
func TestCalibratedFilesReadBackAsTheyWere(t *testing.T) {
	c := &Calibration{Rate: [2]float64{1, 0.9}, Draw: [2]float64{1.5, 0.2}, Margin: [2]float64{0.75, 3.7}, Games: 400, Scores: "test"}
	h := Header{Game: "othello", Set: "rows", Rules: "8x8", Provenance: Provenance{Stats: map[string]float64{"r": 0.5}}}
	sections := [][]byte{[]byte("first"), {}, {7}, []byte("last")}
	data := testkit.Must(SealPacked(KindModel, h, sections))(t)
	got := testkit.Must(calibratedPacked(data, c))(t)
	readsBack(t, got, sections)
	f := testkit.Must(openPacked(got))(t)
	if f.Header.Calibration == nil || *f.Header.Calibration != *c {
		t.Errorf("calibration %+v", f.Header.Calibration)
	}
	if plain, err := calibratedPacked(got, nil); err != nil || !bytes.Equal(plain, data) {
		t.Errorf("without the calibration the file is another, error %v", err)
	}
}

func TestImpossibleCalibrationsAreRefused(t *testing.T) {
	h := Header{Set: "rows", Rules: "8x8"}
	for says, c := range map[string]Calibration{
		"rate is NaN":    {Rate: [2]float64{math.NaN(), 1}},
		"draw is -1":     {Draw: [2]float64{0, -1}},
		"margin is 2000": {Margin: [2]float64{2000, 0}},
		"rate is -1000":  {Rate: [2]float64{0, -1000}},
	} {
		testkit.Refused(t, c.Check(), says)
		h.Calibration = &c
		data, err := SealPacked(KindModel, h, [][]byte{{1}})
		if err == nil {
			_, err = openPacked(data)
		}
		if err == nil {
			t.Errorf("%s: the file is read", says)
		}
	}
}
