package wire

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

func TestValuesComeBackAsTheyWere(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 63, -64, 64, 1 << 40, -1 << 40, 1 << 62, -1 << 62} {
		b := binary.AppendVarint(nil, v)
		b = binary.AppendUvarint(b, uint64(max(v, 0)))
		b = append(AppendBytes(b, "text"), 5)
		r := NewReader(b)
		signed, number, text, flags := r.Signed(1<<62), r.Number(1<<62), string(r.Bytes(4)), r.Flags(7)
		if err := r.End(); err != nil || signed != v || number != uint64(max(v, 0)) || text != "text" || flags != 5 {
			t.Errorf("%d comes back as %d, %d, %q, %d, error %v", v, signed, number, text, flags, err)
		}
	}
}

func TestWhatDoesNotFitIsRefused(t *testing.T) {
	for _, c := range []struct {
		b    string
		read func(*Reader)
		want string
	}{
		{"", func(r *Reader) { r.Number(9) }, "too early"},
		{"\x80", func(r *Reader) { r.Number(9) }, "too early"},
		{"\x0a", func(r *Reader) { r.Number(9) }, "10: expected at most 9"},
		{"\x80\x00", func(r *Reader) { r.Number(9) }, "longer than it has to be"},
		{strings.Repeat("\xff", 11), func(r *Reader) { r.Number(math.MaxUint64) }, "too early"},
		{"\x14", func(r *Reader) { r.Signed(9) }, "10: expected -9 to 9"},
		{"\x13", func(r *Reader) { r.Signed(9) }, "-10: expected -9 to 9"},
		{"", func(r *Reader) { r.Flags(1) }, "too early"},
		{"\x03", func(r *Reader) { r.Flags(1) }, "flags 0x3"},
		{"\x02a", func(r *Reader) { r.Bytes(9) }, "too early"},
		{"\x0aaaaaaaaaaa", func(r *Reader) { r.Bytes(9) }, "expected at most 9"},
		{"ab", func(r *Reader) { r.Flags(0xff) }, "1 bytes too many"},
	} {
		r := NewReader([]byte(c.b))
		c.read(r)
		testkit.Refused(t, r.End(), c.want)
	}
}
