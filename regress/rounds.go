package regress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"

	"kroo/internal/journal"
	"kroo/internal/revision"
)

// finishedRounds keeps the weights after every round of the fits of a command in a journal: those
// of a choice of ridges, the one to all rows, and those of a learning curve. A round depends on
// nothing but the weights at its start, so a stopped fit resumes with the same bits, and loses less
// than a round. Nil keeps nothing.
type finishedRounds struct {
	journal *journal.Journal[round]
	last    map[uint32]round // of each fit in the journal
	fits    uint32           // begun
}

// round is the end of a round.
type round struct {
	fit, number, steps uint32 // steps are those of the fit so far
	weights            []float64
}

var roundCodec = journal.Codec[round]{
	Append: func(b []byte, r round) ([]byte, error) {
		for _, n := range []uint32{r.fit, r.number, r.steps} {
			b = binary.LittleEndian.AppendUint32(b, n)
		}
		return binary.Append(b, binary.LittleEndian, r.weights)
	},
	Decode: func(b []byte) (r round, err error) {
		if len(b) < 12 || len(b)%8 != 4 {
			return r, errors.New("expected three numbers and weights")
		}
		r.fit, r.number, r.steps = binary.LittleEndian.Uint32(b), binary.LittleEndian.Uint32(b[4:]), binary.LittleEndian.Uint32(b[8:])
		r.weights = make([]float64, len(b)/8-1)
		return r, binary.Read(bytes.NewReader(b[12:]), binary.LittleEndian, r.weights)
	},
}

// JournalPath returns the file that keeps the rounds of a fit until its weights are written to out.
func JournalPath(out string) string { return out + ".journal" }

// openRounds opens the journal of a fit.
func (f *patternFit[P]) openRounds() (err error) {
	settings := map[string]any{
		"datasets": f.tables.texts(hashOf), "where": f.Where, "weight": f.Weight, "set": f.set.Hash(), "fit": f.PatternConfig,
		"prior": f.prior, "trust": f.Trust, "curve": f.Curve, "tool": revision.Get(),
	}
	r := &finishedRounds{last: map[uint32]round{}}
	r.journal, err = journal.Open(JournalPath(f.Out), "kroo-fit 1", settings, roundCodec, func(x round) error {
		r.last[x.fit] = x
		return nil
	})
	f.options.finished = r
	return err
}

// resume continues a fit that begins after its last finished round, if any.
func (r *finishedRounds) resume(s *solver) error {
	if r == nil {
		return nil
	}
	last, found := r.last[r.fits]
	r.fits++
	if !found {
		return nil
	}
	if len(last.weights) != len(s.w) {
		return fmt.Errorf("the journal of the fit has %d weights: expected %d; delete it to start over", len(last.weights), len(s.w))
	}
	copy(s.w, last.weights)
	s.round, s.steps = int(last.number), int(last.steps)
	return nil
}

// append keeps a round that has ended.
func (r *finishedRounds) append(s *solver) error {
	if r == nil {
		return nil
	}
	return r.journal.Append(round{r.fits - 1, uint32(s.round), uint32(s.steps), s.w})
}
