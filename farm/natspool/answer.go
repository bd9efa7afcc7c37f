package natspool

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"

	"kroo/internal/oneline"
)

// mostRefused is how many answers of a worker are refused before it is sent away.
const mostRefused = 5

// takenBy notes who is at a batch.
func (s *session) takenBy(m *nats.Msg) {
	t, err := decodeTaken(m.Data)
	if err != nil {
		s.malformed(err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if f := s.flying[t.batch]; f != nil {
		f.taken, f.by = time.Now(), t.worker
	}
}

// malformed counts a message that says nothing.
func (s *session) malformed(err error) {
	s.mu.Lock()
	s.counts.Refused++
	s.mu.Unlock()
	s.net.config.notice("farm: refused a message: %v", err)
}

// answered takes answers from the way.
func (s *session) answered(m answers) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flying[m.batch]
	if f == nil {
		s.counts.Doubled += int64(len(m.list))
		return
	}
	switch {
	case m.work != s.dig:
		s.strike(m.worker, "it has searched with other files or settings than it was asked to")
		s.again(f, s.avoidable(m.worker))
		return
	case m.first+len(m.list) > len(f.list):
		s.strike(m.worker, fmt.Sprintf("it has answered %d tasks of %d", m.first+len(m.list), len(f.list)))
		s.again(f, s.avoidable(m.worker))
		return
	case s.net.isAway(m.worker):
		s.again(f, nil)
		return
	}
	for i, a := range m.list {
		i += m.first
		if f.answered[i] {
			s.counts.Doubled++
			continue
		}
		f.answered[i] = true
		f.left--
		if f.list[i].wanted {
			s.sort(f.list[i], m.worker, a)
		}
	}
	s.measure(m.busy / time.Duration(len(m.list)))
	if f.left == 0 {
		delete(s.flying, f.id)
	}
	s.kick()
}

// sort says what becomes of an answer to a task that is wanted.
func (s *session) sort(t *task, worker string, a answer) {
	switch {
	case a.failed:
		s.counts.Failed++
		t.reason = oneline.Short(string(a.text))
		if t.failed++; t.failed >= mostFailed {
			t.call.err = fmt.Errorf("farm: task %d failed %d times: %s", t.index, t.failed, t.reason)
			t.call.wake()
			return
		}
		s.net.config.notice("farm: worker %s: %s: the task goes to another", s.net.nameOf(worker), t.reason)
		s.requeue(t, worker)
	case t.compare || s.work.Compare && s.net.isSuspect(worker):
		s.compare(t, held{worker, bytes.Clone(a.text)})
	default:
		s.deliver(t, worker, bytes.Clone(a.text))
	}
}

// compare holds an answer until two workers have given the same one. A single worker is
// believed, two that differ are not.
func (s *session) compare(t *task, a held) {
	again := slices.ContainsFunc(t.held, func(b held) bool { return b.worker == a.worker })
	_, workers := s.net.threads()
	switch {
	case len(t.held) == 0 && workers < 2, again && len(t.held) == 1: // there is no other
		s.deliver(t, a.worker, a.text)
		return
	case again:
		s.differ(t)
		return
	}
	same := slices.ContainsFunc(t.held, func(b held) bool { return bytes.Equal(b.text, a.text) })
	t.held = append(t.held, a)
	if !same && len(t.held) == mostHeld {
		s.differ(t)
		return
	}
	if !same {
		if len(t.held) > 1 {
			s.net.config.notice("farm: workers %s and %s differ: another is asked", s.net.nameOf(t.held[0].worker), s.net.nameOf(a.worker))
		}
		t.avoid = nil
		for _, b := range t.held {
			t.avoid = append(t.avoid, b.worker)
		}
		s.queue = append([]*task{t}, s.queue...)
		return
	}
	for _, other := range t.held {
		if !bytes.Equal(other.text, a.text) {
			s.counts.Differed++
			s.net.suspect(other.worker)
			s.strike(other.worker, "it is not that of two others")
		}
	}
	s.counts.Compared++
	s.deliver(t, a.worker, a.text)
}

// mostHeld is how many workers may each have another answer.
const mostHeld = 4

// differ ends a call whose workers do not agree.
func (s *session) differ(t *task) {
	var names []string
	for _, h := range t.held {
		names = append(names, s.net.nameOf(h.worker))
	}
	t.call.err = fmt.Errorf("farm: the workers %s each have another answer to the same task, and no two agree: are all of the same version, on sound machines?", strings.Join(names, ", "))
	t.call.wake()
}

// deliver hands an answer to the caller.
func (s *session) deliver(t *task, worker string, text []byte) {
	t.wanted, t.held = false, nil
	t.call.ready = append(t.call.ready, ready{t, worker, text})
	t.call.wake()
}

// requeue gives a task to another worker.
func (s *session) requeue(t *task, worker string) {
	s.counts.Reissued++
	t.wanted, t.avoid = true, s.avoidable(worker)
	s.queue = append([]*task{t}, s.queue...)
	s.kick()
}

// avoidable is the worker, if there is any other.
func (s *session) avoidable(worker string) []string {
	if _, workers := s.net.threads(); workers < 2 {
		return nil
	}
	return []string{worker}
}

// refuse gives a task to another worker whose answer cannot be.
func (s *session) refuse(r ready, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strike(r.worker, why.Error())
	s.requeue(r.task, r.worker)
}

// strike counts a refused answer against a worker. It needs the lock.
func (s *session) strike(worker, why string) {
	s.counts.Refused++
	s.net.config.notice("farm: worker %s: answer refused: %s: the task goes to another", s.net.nameOf(worker), oneline.Short(why))
	s.net.strike(worker)
}

// taken counts a task that is done.
func (s *session) taken(ready) {
	s.mu.Lock()
	s.counts.Done++
	s.mu.Unlock()
}

// measure keeps a running mean of the time that a task takes, as workers tell it.
func (s *session) measure(d time.Duration) {
	d = min(max(d, time.Microsecond), s.work.Deadline)
	if s.perTask == 0 {
		s.perTask = d
		return
	}
	s.perTask += (d - s.perTask) / 8
}
