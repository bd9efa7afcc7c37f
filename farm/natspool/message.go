package natspool

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"kroo/internal/oneline"
	"kroo/internal/strictjson"
)

// Bounds of messages. A server takes a mebibyte a message by default, and base64 takes four bytes
// for three.
const (
	maxMessage = 1 << 20
	fullBatch  = 1 << 19 // bytes of tasks, or of answers, that fill a message
	maxTasks   = 512     // in a batch
	maxTask    = 1 << 16 // bytes
	maxAnswer  = 1 << 19 // bytes
	longest    = 31 * 24 * time.Hour
)

// batch is some tasks for one worker.
type batch struct {
	ID       uint64        `json:"id"`       // within its session
	Deadline time.Duration `json:"deadline"` // that the worker has for it
	Tasks    [][]byte      `json:"tasks"`
}

// answers are what a worker has found for some tasks of a batch.
type answers struct {
	Batch  uint64        `json:"batch"`
	Worker string        `json:"worker"` // its name for people
	Busy   time.Duration `json:"busy"`   // that they took
	List   []answer      `json:"list"`
}

// answer is that to a task, or why there is none.
type answer struct {
	Index int    `json:"index"` // of the task in its batch
	Text  []byte `json:"text,omitempty"`
	Why   string `json:"why,omitempty"` // it failed
}

func encode(v any) []byte {
	text, _ := json.Marshal(v) // numbers and texts: it encodes
	return text
}

func decodeBatch(text []byte) (m batch, err error) {
	err = strictjson.Decode(text, maxMessage, &m)
	if err == nil && (m.Deadline < 0 || m.Deadline > longest || len(m.Tasks) == 0 || len(m.Tasks) > maxTasks) {
		err = fmt.Errorf("%d tasks in %s: expected 1 to %d in at most %s", len(m.Tasks), m.Deadline, maxTasks, longest)
	}
	if err != nil {
		return m, fmt.Errorf("a batch: %w", err)
	}
	return m, nil
}

func decodeAnswers(text []byte) (m answers, err error) {
	err = strictjson.Decode(text, maxMessage, &m)
	for i, a := range m.List {
		if err == nil && (a.Index < 0 || a.Index >= maxTasks) {
			err = fmt.Errorf("answer %d is to task %d: expected 0 to %d", i, a.Index, maxTasks-1)
		}
		m.List[i].Why = oneline.Short(a.Why)
	}
	if err == nil && len(m.List) == 0 {
		err = errors.New("no answers")
	}
	if err != nil {
		return m, fmt.Errorf("answers: %w", err)
	}
	m.Worker = oneline.Short(m.Worker)
	return m, nil
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
