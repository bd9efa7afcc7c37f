package sparse

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"hash/crc32"
	"math"
	"slices"
)

// Trials are those that a choice of ridges has made. They can be written (8 bytes a
// weight and fold) and read, and the choice continues after them in Options.Trials.
type Trials struct {
	key   uint64
	made  []Trial
	start [][]float64 // weights that each fold of the next trial starts from
}

const trialsMagic = "krootri1"

// trialsBody is Trials with the exported fields that gob needs.
type trialsBody struct {
	Key   uint64
	Made  []Trial
	Start [][]float64
}

// MarshalBinary writes the eight bytes "krootri1", a gob, and the CRC-32C of both.
func (t *Trials) MarshalBinary() ([]byte, error) {
	out := bytes.NewBufferString(trialsMagic)
	if err := gob.NewEncoder(out).Encode(trialsBody{t.key, t.made, t.start}); err != nil {
		return nil, err
	}
	return binary.LittleEndian.AppendUint32(out.Bytes(), crc32.Checksum(out.Bytes(), castagnoli)), nil
}

// UnmarshalBinary reads what MarshalBinary wrote, and refuses anything else.
func (t *Trials) UnmarshalBinary(data []byte) error {
	body := len(data) - 4
	if body < len(trialsMagic) || string(data[:len(trialsMagic)]) != trialsMagic {
		return errors.New("no saved trials: expected a file that begins with " + trialsMagic)
	}
	if crc32.Checksum(data[:body], castagnoli) != binary.LittleEndian.Uint32(data[body:]) {
		return errors.New("saved trials do not have their checksum: the file is damaged")
	}
	var b trialsBody
	if err := gob.NewDecoder(bytes.NewReader(data[len(trialsMagic):body])).Decode(&b); err != nil {
		return fmt.Errorf("saved trials: %w", err)
	}
	*t = Trials{b.Key, b.Made, b.Start}
	return nil
}

// trialsKey is a hash of all that the bits of trials depend on.
func (v *validator) trialsKey(candidates []float64) uint64 {
	h := mix(v.s.m.key(v.s.o), uint64(v.s.o.Rounds))
	for _, c := range candidates {
		h = mix(h, math.Float64bits(c))
	}
	for _, k := range v.s.fold {
		h = mix(h, uint64(k))
	}
	return h
}

// resume takes over the trials of the options, which must be of the same choice.
func (v *validator) resume(t *Trials) error {
	if t == nil {
		return nil
	}
	fits := t.key == v.key && len(t.made) > 0 && len(t.start) == len(v.start)
	for k := range v.start {
		fits = fits && len(t.start[k]) == len(v.start[k])
	}
	if !fits {
		return errors.New("cannot resume: the saved trials are of other rows, folds or options: expected the same, or a new choice of ridges")
	}
	v.known, v.start = t.made, t.start
	return nil
}

// recall is try for a trial that was made before.
func (v *validator) recall(r ridges) (Trial, error) {
	t := v.known[0]
	v.known = v.known[1:]
	if t.Ridge != r[0] || !slices.Equal(t.Groups, r[1:]) {
		return t, fmt.Errorf("cannot resume: a saved trial is of ridges %g and %v: expected %v", t.Ridge, t.Groups, r)
	}
	return t, nil
}

// state is what a later choice continues from.
func (v *validator) state() *Trials {
	t := &Trials{key: v.key, made: slices.Clone(v.choice.Trials)}
	for _, w := range v.start {
		t.start = append(t.start, slices.Clone(w))
	}
	return t
}
