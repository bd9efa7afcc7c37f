package natspool

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"kroo/farm"
)

// census is how long a coordinator listens for other workers that have a program, once there
// is one: all tell of themselves meanwhile.
const census = 3 * beatEvery / 2

// Program is as [farm.Network] says. It tells which workers lack the program.
func (n *Network) Program(ctx context.Context, name string) (farm.Program, error) {
	if err := (farm.Program{Name: name}).Check(); err != nil {
		return farm.Program{}, err
	}
	tick := time.NewTicker(beatEvery / 4)
	defer tick.Stop()
	told := "-"         // of whom a person knows that they lack it
	var first time.Time // that there was one
	for begun := time.Now(); ; {
		found, lack := n.having(name)
		if len(found) > 0 && first.IsZero() {
			first = time.Now()
		}
		if len(found) > 0 && time.Since(first) > census {
			n.mu.Lock()
			n.wanted = found[0].Program
			n.mu.Unlock()
			for _, w := range found[1:] {
				if w.Program != found[0].Program {
					n.other(w.name(), w.Program, found[0].Program)
				}
			}
			return found[0].Program, nil
		}
		if who := strings.Join(lack, ", "); who != told && len(found) == 0 && time.Since(begun) > 2*beatEvery {
			told = who
			if who == "" {
				who = "there are no workers"
			} else {
				who = "without it are there " + who
			}
			n.config.notice("farm: no worker has the engine %s: %s; waiting for one, of train worker --farm %s --allow-engine %s=cmd=PROGRAM", name, who, n.address(), name)
		}
		select {
		case <-ctx.Done():
			return farm.Program{}, ctx.Err()
		case <-n.severed:
			return farm.Program{}, n.why
		case <-tick.C:
		}
	}
}

// having are the workers that have a program by a name, those first whose program most have, and
// then who came first; and who lacks it.
func (n *Network) having(name string) (found []worker, lack []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	type process struct {
		host string
		pid  int
	}
	has, count := map[process]bool{}, map[farm.Program]int{}
	for _, w := range n.workers {
		if w.there() && w.Program.Name == name {
			has[process{w.Host, w.PID}] = true
			count[w.Program]++
			found = append(found, *w)
		}
	}
	for _, w := range n.workers {
		if w.there() && w.Program == (farm.Program{}) && !has[process{w.Host, w.PID}] {
			lack = append(lack, w.name())
		}
	}
	slices.SortFunc(found, func(a, b worker) int {
		return cmp.Or(count[b.Program]-count[a.Program], a.came.Compare(b.came), cmp.Compare(a.ID, b.ID))
	})
	slices.Sort(lack)
	return found, lack
}

// other tells of a worker that has another program by a name.
func (n *Network) other(worker string, has, wanted farm.Program) {
	n.config.notice("farm: the engine %s of worker %s is another program than the one that is asked for: it gets no work: %s", has.Name, worker, differs(has, wanted))
}

// differs tells in what. Checksums are the end of an identity.
func differs(has, wanted farm.Program) string {
	if has.Calls != wanted.Calls {
		return fmt.Sprintf("%s, not %s", has.Calls, wanted.Calls)
	}
	hasWords, hasSum := cutLast(has.Identity)
	words, sum := cutLast(wanted.Identity)
	if hasWords != words {
		return fmt.Sprintf("%.100s, not %.100s", hasWords, words)
	}
	return fmt.Sprintf("its file is%s, not%s", hasSum, sum)
}

func cutLast(s string) (before, after string) {
	i := max(strings.LastIndex(s, ", "), 0)
	return s[:i], strings.TrimPrefix(s[i:], ",")
}
