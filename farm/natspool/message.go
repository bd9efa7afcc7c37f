package natspool

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"kroo/internal/wire"
)

// Bounds of messages. A server takes a mebibyte a message unless told otherwise.
const (
	maxMessage = 1 << 20
	fullBatch  = 3 << 18 // bytes of tasks, or of answers, that fill a message
	maxTasks   = 512     // in a batch
	maxTask    = 1 << 16 // bytes
	maxAnswer  = 3 << 18 // bytes
	maxAvoid   = 8       // workers that a batch is not for
	maxID      = 40      // bytes of a worker's name for itself
	longest    = 31 * 24 * time.Hour
)

// digest tells apart what sessions ask for: kind, engine, settings and files.
type digest [8]byte

// batch is some tasks for one worker.
type batch struct {
	id       uint64 // within its session
	work     digest
	deadline time.Duration // that the worker has for it
	avoid    []string      // workers that should leave it to others
	tasks    [][]byte
}

const batchKind = "kroo-batch-2"

func (m batch) append(b []byte) []byte {
	b = append(b, batchKind...)
	b = binary.AppendUvarint(b, m.id)
	b = wire.AppendBytes(b, m.work[:])
	b = binary.AppendUvarint(b, uint64(m.deadline))
	b = binary.AppendUvarint(b, uint64(len(m.avoid)))
	for _, id := range m.avoid {
		b = wire.AppendBytes(b, id)
	}
	b = binary.AppendUvarint(b, uint64(len(m.tasks)))
	for _, t := range m.tasks {
		b = wire.AppendBytes(b, t)
	}
	return b
}

func decodeBatch(b []byte) (m batch, err error) {
	r, err := begin(b, batchKind)
	if err != nil {
		return m, err
	}
	m.id = r.Number(1 << 62)
	m.work = readDigest(r)
	m.deadline = time.Duration(r.Number(uint64(longest)))
	for range r.Number(maxAvoid) {
		m.avoid = append(m.avoid, readID(r))
	}
	n := r.Number(maxTasks)
	if r.Err() == nil && n == 0 {
		r.Fail(errors.New("no tasks"))
	}
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		m.tasks = append(m.tasks, r.Bytes(maxTask))
	}
	return m, wrap("a batch", r.End())
}

// answers are what a worker has found for some tasks of a batch, which follow each
// other.
type answers struct {
	batch  uint64
	work   digest // of what the worker was asked
	worker string
	busy   time.Duration // that they took
	first  int           // number of the first task in its batch
	list   []answer
}

// answer is that to a task, or why there is none.
type answer struct {
	failed bool
	text   []byte
}

// flagFailed is the flag of answers.
const flagFailed = 1

const answersKind = "kroo-answers-1"

func (m answers) append(b []byte) []byte {
	b = append(b, answersKind...)
	b = binary.AppendUvarint(b, m.batch)
	b = wire.AppendBytes(b, m.work[:])
	b = wire.AppendBytes(b, m.worker)
	b = binary.AppendUvarint(b, uint64(max(m.busy, 0)))
	b = binary.AppendUvarint(b, uint64(m.first))
	b = binary.AppendUvarint(b, uint64(len(m.list)))
	for _, a := range m.list {
		flags := byte(0)
		if a.failed {
			flags |= flagFailed
		}
		b = wire.AppendBytes(append(b, flags), a.text)
	}
	return b
}

func decodeAnswers(b []byte) (m answers, err error) {
	r, err := begin(b, answersKind)
	if err != nil {
		return m, err
	}
	m.batch = r.Number(1 << 62)
	m.work = readDigest(r)
	m.worker = readID(r)
	m.busy = time.Duration(r.Number(uint64(longest)))
	m.first = int(r.Number(maxTasks - 1))
	n := r.Number(maxTasks)
	if r.Err() == nil && (n == 0 || m.worker == "" || m.first+int(n) > maxTasks) {
		r.Fail(errors.New("expected a worker and some answers"))
	}
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		m.list = append(m.list, answer{r.Flags(flagFailed) != 0, r.Bytes(maxAnswer)})
	}
	return m, wrap("answers", r.End())
}

// taken tells that a worker has begun with a batch; or that it was to leave it to others,
// but nobody takes it.
type taken struct {
	batch  uint64
	worker string
	passed bool
}

const (
	takenKind  = "kroo-taken-1"
	passedKind = "kroo-passed-1"
)

func (m taken) append(b []byte) []byte {
	kind := takenKind
	if m.passed {
		kind = passedKind
	}
	return wire.AppendBytes(binary.AppendUvarint(append(b, kind...), m.batch), m.worker)
}

func decodeTaken(b []byte) (m taken, err error) {
	kind := takenKind
	if m.passed = bytes.HasPrefix(b, []byte(passedKind)); m.passed {
		kind = passedKind
	}
	r, err := begin(b, kind)
	if err != nil {
		return m, err
	}
	m.batch, m.worker = r.Number(1<<62), readID(r)
	return m, wrap("a notice", r.End())
}

// begin reads the head of a message.
func begin(b []byte, kind string) (*wire.Reader, error) {
	if len(b) > maxMessage {
		return nil, fmt.Errorf("a message of %d bytes: expected at most %d", len(b), maxMessage)
	}
	r := wire.NewReader(b)
	r.Expect(kind)
	return r, nil
}

func readDigest(r *wire.Reader) (d digest) {
	if text := r.Bytes(len(d)); len(text) == len(d) {
		copy(d[:], text)
	} else {
		r.Fail(errors.New("a digest that is too short"))
	}
	return d
}

// readID reads a worker's name for itself, of letters, digits and hyphens: it is part
// of subjects.
func readID(r *wire.Reader) string {
	text := r.Bytes(maxID)
	if !isToken(string(text)) && len(text) > 0 {
		r.Fail(errors.New("a worker's name with other than letters, digits and hyphens"))
		return ""
	}
	return string(text)
}

// isToken tells whether a text can be a part of a subject.
func isToken(text string) bool {
	for _, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return text != "" && len(text) <= 100
}

func wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", what, err)
}
