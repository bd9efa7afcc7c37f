package natspool

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"kroo/farm"
)

// census is how long a coordinator listens for other workers that have a program, once there
// is one: all tell of themselves meanwhile.
const census = 3 * beatEvery / 2

// Programs is as [farm.Network] says. It tells which workers lack a program.
func (n *Network) Programs(ctx context.Context, names ...string) ([]farm.Program, error) {
	for _, name := range names {
		if err := (farm.Program{Name: name}).Check(); err != nil {
			return nil, err
		}
	}
	tick := time.NewTicker(beatEvery / 4)
	defer tick.Stop()
	told := "-"         // of whom a person knows that they lack it
	var first time.Time // that there was one
	for begun := time.Now(); ; {
		found, lack := n.having(names)
		if found != nil && first.IsZero() {
			first = time.Now()
		}
		if found != nil && time.Since(first) > census {
			n.want(found)
			return found, nil
		}
		if who := strings.Join(lack, ", "); who != told && found == nil && time.Since(begun) > 2*beatEvery {
			told = who
			n.config.notice("farm: %s", n.without(names, who))
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-n.severed:
			return nil, n.why
		case <-tick.C:
		}
	}
}

// without tells that no worker has the programs, and who is there.
func (n *Network) without(names []string, who string) string {
	if who == "" {
		who = "there are no workers"
	} else {
		who = "without it are there " + who
	}
	what, allow := "the engine ", ""
	if len(names) > 1 {
		what, who = "the engines ", strings.Replace(who, "without it", "without one of them", 1)
	}
	for _, name := range names {
		allow += " --allow-engine " + name + "=cmd=PROGRAM"
	}
	return fmt.Sprintf("no worker has %s%s: %s; waiting for one, of train worker --farm %s%s", what, strings.Join(names, " and "), who, n.address(), allow)
}

// having are the programs by these names that most processes have which have one by each, and of
// as many those of who came first, nil if nobody has all; and who lacks one.
func (n *Network) having(names []string) (found []farm.Program, lack []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	type process struct {
		has  map[string]farm.Program
		came time.Time
	}
	type place struct {
		host string
		pid  int
	}
	processes, programs := map[string]*process{}, map[place]map[string]bool{}
	for _, w := range n.workers {
		if !w.there() || !slices.Contains(names, w.Program.Name) {
			continue
		}
		id, at := cmp.Or(w.Process, w.ID), place{w.Host, w.PID}
		if processes[id] == nil {
			processes[id] = &process{has: map[string]farm.Program{}, came: w.came}
		}
		processes[id].has[w.Program.Name] = w.Program
		if programs[at] == nil {
			programs[at] = map[string]bool{}
		}
		programs[at][w.Program.Name] = true
	}
	most, since := 0, time.Time{}
	for _, p := range processes {
		if len(p.has) < len(names) {
			continue
		}
		count, came := 0, p.came
		for _, q := range processes {
			if maps.Equal(p.has, q.has) {
				count++
				if q.came.Before(came) {
					came = q.came
				}
			}
		}
		if count > most || count == most && came.Before(since) {
			found, most, since = nil, count, came
			for _, name := range names {
				found = append(found, p.has[name])
			}
		}
	}
	for _, w := range n.workers {
		if w.there() && w.Program == (farm.Program{}) && w.Together == "" && len(programs[place{w.Host, w.PID}]) < len(names) {
			lack = append(lack, w.name())
		}
	}
	slices.Sort(lack)
	return found, lack
}

// want notes which programs are asked for, and tells of the workers that have others by their
// names.
func (n *Network) want(list []farm.Program) {
	n.mu.Lock()
	var others []worker
	for _, p := range list {
		n.wanted[p.Name] = p
		for _, w := range n.workers {
			if w.there() && w.Program.Name == p.Name && w.Program != p {
				others = append(others, *w)
			}
		}
	}
	n.mu.Unlock()
	slices.SortFunc(others, func(a, b worker) int { return cmp.Or(a.came.Compare(b.came), cmp.Compare(a.ID, b.ID)) })
	for _, w := range others {
		for _, p := range list {
			if p.Name == w.Program.Name {
				n.other(w.name(), w.Program, p)
			}
		}
	}
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
