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

// mostRefused is how many answers of a worker are refused, or how often it fails where
// others do not, before it is sent away.
const mostRefused = 5

// takenBy notes who is at a batch, or that the others do not take it.
func (s *session) takenBy(m *nats.Msg) {
	t, err := decodeTaken(m.Data)
	if err != nil {
		s.malformed(err)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flying[t.batch]
	switch {
	case t.passed:
		if f != nil {
			s.takeBack(f, "") // whom to avoid is seen anew
		}
		_ = m.Respond(nil) // who passes it asks again
	case f != nil:
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
	if s.closed {
		return
	}
	f := s.flying[m.batch]
	if f == nil {
		s.counts.Doubled += int64(len(m.list))
		return
	}
	switch {
	case m.work != s.dig:
		s.strike(m.worker, "it has searched with other files or settings than it was asked to")
		s.again(f, m.worker)
		return
	case m.first+len(m.list) > len(f.list):
		s.strike(m.worker, fmt.Sprintf("it has answered %d tasks of %d", m.first+len(m.list), len(f.list)))
		s.again(f, m.worker)
		return
	case s.net.about(m.worker).away:
		s.again(f, m.worker)
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
			s.sort(f, f.list[i], m.worker, a)
		}
	}
	s.measure(m.busy / time.Duration(len(m.list)))
	if f.left == 0 {
		delete(s.flying, f.id)
	}
	s.kick()
}

// sort says what becomes of an answer to a task that is wanted.
func (s *session) sort(f *flown, t *task, worker string, a answer) {
	switch {
	case a.failed:
		s.failed(f, t, worker, a)
	case t.compare || s.work.Compare && s.net.about(worker).suspect:
		s.compare(t, held{worker, bytes.Clone(a.text)})
	default:
		s.deliver(t, worker, bytes.Clone(a.text))
	}
}

// failed gives a task to another worker that this one could not do. The session ends if too
// many have failed at it, or all that are there.
func (s *session) failed(f *flown, t *task, worker string, a answer) {
	s.counts.Failed++
	t.failures++
	why := oneline.Short(string(a.text))
	by := t.failed()
	if !slices.Contains(by, worker) {
		if f.failing == nil || f.failing.worker != worker {
			f.failing = &failing{worker: worker}
			s.net.config.notice("farm: worker %s: %s: the task goes to another", s.net.nameOf(worker), why) // once a batch
		}
		t.failedBy = append(t.failedBy, f.failing)
		by = append(by, worker)
	}
	if len(by) >= mostFailed || t.failures >= mostFailed && !s.net.others(s.work.Engine, by) {
		s.end(t, fmt.Errorf("task %d failed %d times, on %s: %s", t.number, t.failures, s.names(by), why))
		return
	}
	s.requeue(t, worker)
}

// names are those of workers for a person.
func (s *session) names(ids []string) string {
	var list []string
	for _, id := range ids {
		list = append(list, s.net.nameOf(id))
	}
	return strings.Join(list, ", ")
}

// compare holds an answer until two workers have given the same one. A single worker is
// believed, two that differ are not. What a worker has answered that was sent away since
// counts for nothing.
func (s *session) compare(t *task, a held) {
	t.held = slices.DeleteFunc(t.held, func(b held) bool { return s.net.about(b.worker).away })
	again := slices.ContainsFunc(t.held, func(b held) bool { return b.worker == a.worker })
	t.tries(a.worker)
	switch others := s.net.others(s.work.Engine, t.tried); {
	case again && others:
		s.push(t)
		return
	case !others && len(t.held) == 0, again && len(t.held) == 1: // there is no other
		s.deliver(t, a.worker, a.text)
		return
	case again && time.Since(t.heldAt) < goneAfter/2: // another may be there that was not heard of yet
		s.push(t)
		return
	case again:
		s.differ(t)
		return
	}
	same := slices.ContainsFunc(t.held, func(b held) bool { return bytes.Equal(b.text, a.text) })
	t.held, t.heldAt = append(t.held, a), time.Now()
	if !same && len(t.held) == mostHeld {
		s.differ(t)
		return
	}
	if !same {
		if len(t.held) > 1 {
			s.net.config.notice("farm: workers %s and %s differ: another is asked", s.net.nameOf(t.held[0].worker), s.net.nameOf(a.worker))
		}
		s.push(t)
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

// differ ends a session whose workers do not agree.
func (s *session) differ(t *task) {
	var by []string
	for _, h := range t.held {
		by = append(by, h.worker)
	}
	s.end(t, fmt.Errorf("the workers %s each have another answer to the same task, and no two agree: are all of the same version, on sound machines?", s.names(by)))
}

// deliver hands an answer to the caller.
func (s *session) deliver(t *task, worker string, text []byte) {
	t.wanted, t.held = false, nil
	s.ready <- ready{t, held{worker, text}, nil} // there is room: each task is there once
}

// end hands the reason to the caller why a task has no answer.
func (s *session) end(t *task, why error) {
	t.wanted, t.held = false, nil
	s.ready <- ready{task: t, err: why}
}

// requeue gives a task to another worker.
func (s *session) requeue(t *task, worker string) {
	s.counts.Reissued++
	t.wanted = true
	t.tries(worker)
	s.push(t)
}

// push puts a task to the front of the queue.
func (s *session) push(t *task) {
	s.queue = append([]*task{t}, s.queue...)
	s.kick()
}

// refuse gives a task to another worker whose answer cannot be.
func (s *session) refuse(r ready, why error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.strike(r.worker, why.Error())
	s.requeue(r.task, r.worker)
}

// strike counts a refused answer against a worker. It needs the lock. Of a worker that
// was sent away enough is said.
func (s *session) strike(worker, why string) {
	s.counts.Refused++
	if !s.net.about(worker).away {
		s.net.config.notice("farm: worker %s: answer refused: %s: the task goes to another", s.net.nameOf(worker), oneline.Short(why))
	}
	s.net.strike(worker)
}

// taken counts a task that is done. It is a fault of workers to have failed at it.
func (s *session) taken(r ready) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Done++
	for _, f := range r.failedBy {
		if f.worker != r.worker && !f.struck { // once a batch: they may have failed together
			f.struck = true
			s.net.config.notice("farm: worker %s failed at a task that worker %s has done", s.net.nameOf(f.worker), s.net.nameOf(r.worker))
			s.net.strike(f.worker)
		}
	}
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
