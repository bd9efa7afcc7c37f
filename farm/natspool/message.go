package natspool

import (
	"encoding/binary"
	"errors"
	"fmt"
	"time"

	"kroo/internal/oneline"
	"kroo/internal/wire"
)

// Bounds of messages. A server takes a mebibyte a message by default.
const (
	maxMessage = 1 << 20
	fullBatch  = 3 << 18 // bytes of tasks, or of answers, that fill a message
	maxTasks   = 512     // in a batch
	maxTask    = 1 << 16 // bytes
	maxAnswer  = 3 << 18 // bytes
	maxName    = 400     // bytes of a worker's name
	longest    = 31 * 24 * time.Hour
)

// batch is some tasks for one worker.
type batch struct {
	id       uint64        // within its session
	deadline time.Duration // that the worker has for it
	tasks    [][]byte
}

const batchKind = "kroo-batch-3"

func (m batch) append(b []byte) []byte {
	b = binary.AppendUvarint(append(b, batchKind...), m.id)
	b = binary.AppendUvarint(b, uint64(m.deadline))
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
	m.id, m.deadline = r.Number(1<<62), time.Duration(r.Number(uint64(longest)))
	n := r.Number(maxTasks)
	if r.Err() == nil && n == 0 {
		r.Fail(errors.New("no tasks"))
	}
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		m.tasks = append(m.tasks, r.Bytes(maxTask))
	}
	if err := r.End(); err != nil {
		return m, fmt.Errorf("a batch: %w", err)
	}
	return m, nil
}

// answers are what a worker has found for some tasks of a batch.
type answers struct {
	batch  uint64
	worker string        // its name for people
	busy   time.Duration // that they took
	list   []answer
}

// answer is that to a task, or why there is none.
type answer struct {
	index  int // of the task in its batch
	failed bool
	text   []byte
}

const (
	answersKind = "kroo-answers-2"
	flagFailed  = 1
)

func (m answers) append(b []byte) []byte {
	b = binary.AppendUvarint(append(b, answersKind...), m.batch)
	b = wire.AppendBytes(b, m.worker)
	b = binary.AppendUvarint(b, uint64(max(m.busy, 0)))
	b = binary.AppendUvarint(b, uint64(len(m.list)))
	for _, a := range m.list {
		flags := byte(0)
		if a.failed {
			flags |= flagFailed
		}
		b = wire.AppendBytes(append(binary.AppendUvarint(b, uint64(a.index)), flags), a.text)
	}
	return b
}

func decodeAnswers(b []byte) (m answers, err error) {
	r, err := begin(b, answersKind)
	if err != nil {
		return m, err
	}
	m.batch, m.worker = r.Number(1<<62), string(r.Bytes(maxName))
	m.busy = time.Duration(r.Number(uint64(longest)))
	if m.worker != oneline.Of(m.worker) {
		r.Fail(errors.New("a worker's name that is no line of text"))
	}
	n := r.Number(maxTasks)
	for i := uint64(0); i < n && r.Err() == nil; i++ {
		m.list = append(m.list, answer{int(r.Number(maxTasks - 1)), r.Flags(flagFailed) != 0, r.Bytes(maxAnswer)})
	}
	if err := r.End(); err != nil {
		return m, fmt.Errorf("answers: %w", err)
	}
	return m, nil
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

// isToken tells whether a text can be a part of a subject and the key of a bucket.
func isToken(text string) bool {
	for _, c := range text {
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-') {
			return false
		}
	}
	return text != "" && len(text) <= 100
}
