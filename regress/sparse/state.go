package sparse

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// State is a stopped fit. It can be written (about 32 bytes a weight) and
// read, and continues in Options.Resume.
type State struct {
	key                uint64
	round, step, steps int
	rho                float64
	w, x, r, p         []float64
}

func saveState(s *solver, key uint64) *State {
	n := s.m.columns.width
	return &State{key, s.round, s.step, s.steps, s.rho, slices.Clone(s.w[:n]), slices.Clone(s.x[:n]), slices.Clone(s.r[:n]), slices.Clone(s.p[:n])}
}

// restore puts the solver where the state was saved.
func (t *State) restore(s *solver, key uint64) error {
	if t.key != key || len(t.w) != s.m.columns.width {
		return errors.New("cannot resume: the saved fit is of other rows or other options: expected the same, or a new fit")
	}
	s.round, s.step, s.steps, s.rho = t.round, t.step, t.steps, t.rho
	copy(s.w, t.w)
	copy(s.x, t.x)
	copy(s.r, t.r)
	copy(s.p, t.p)
	for j, v := range s.p {
		s.p32[j] = float32(v)
	}
	return nil
}

const stateMagic = "kroofit1"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// MarshalBinary writes the eight bytes "kroofit1" and then, little-endian, 64
// bits each, the key of rows and options, the rounds done, the steps done in
// this round and in all, ρ, the number of slots, and as many float64 of each
// of four vectors; at the end the CRC-32C of everything before it.
func (t *State) MarshalBinary() ([]byte, error) {
	le := binary.LittleEndian
	out := make([]byte, 0, stateHead+4*8*len(t.w)+4)
	out = append(out, stateMagic...)
	for _, v := range []uint64{t.key, uint64(t.round), uint64(t.step), uint64(t.steps), math.Float64bits(t.rho), uint64(len(t.w))} {
		out = le.AppendUint64(out, v)
	}
	for _, vector := range [][]float64{t.w, t.x, t.r, t.p} {
		for _, v := range vector {
			out = le.AppendUint64(out, math.Float64bits(v))
		}
	}
	return le.AppendUint32(out, crc32.Checksum(out, castagnoli)), nil
}

const stateHead = 7 * 8

// UnmarshalBinary reads what MarshalBinary wrote, and refuses anything else.
func (t *State) UnmarshalBinary(data []byte) error {
	if len(data) < stateHead+4 || string(data[:8]) != stateMagic {
		return errors.New("no saved fit: expected a file that begins with " + stateMagic)
	}
	le := binary.LittleEndian
	body := data[:len(data)-4]
	n := le.Uint64(data[stateHead-8:])
	if n > math.MaxInt32 || uint64(len(body)) != stateHead+32*n {
		return fmt.Errorf("a saved fit of %d weights in %d bytes: expected %d bytes; the file is cut off or damaged, start a new fit", n, len(data), stateHead+32*n+4)
	}
	if crc32.Checksum(body, castagnoli) != le.Uint32(data[len(body):]) {
		return errors.New("a saved fit does not have its checksum: it is damaged, start a new fit")
	}
	field := func(i int) uint64 { return le.Uint64(data[8*i:]) }
	if field(2) > math.MaxInt32 || field(3) > math.MaxInt32 || field(4) > math.MaxInt32 {
		return errors.New("a saved fit has impossible numbers of steps: start a new fit")
	}
	*t = State{key: field(1), round: int(field(2)), step: int(field(3)), steps: int(field(4)), rho: math.Float64frombits(field(5))}
	at := data[stateHead:]
	for _, v := range []*[]float64{&t.w, &t.x, &t.r, &t.p} {
		*v = make([]float64, n)
		for j := range *v {
			(*v)[j] = math.Float64frombits(le.Uint64(at[8*j:]))
		}
		at = at[8*n:]
	}
	return nil
}
