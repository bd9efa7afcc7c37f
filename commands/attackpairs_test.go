package commands

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// writer is a process of two that write the same output.
type writer struct {
	line string
	want map[string][]byte // what it leaves when it is alone
	ending
}

// pairs runs the command next to another that writes the same output of other content, at
// once or, in the long proof, with any time between the two. Each ends refused or whole.
func (a *attack) pairs(want map[string][]byte, took time.Duration) {
	line := a.rival()
	if line == "" {
		return
	}
	rival := &attack{a.T, a.setup, attacked{name: a.name, line: line}}
	other, _ := rival.whole()
	rounds, random := 1, drawn(a.T, a.name+" pairs")
	if long() {
		rounds = 12
	}
	a.Logf("%d pairs", rounds)
	for round := range rounds {
		wait := time.Duration(0)
		if round > 0 {
			wait = time.Duration(random.Int64N(int64(took)*2)) - took
		}
		a.pair(wait, &writer{line: a.line, want: want}, &writer{line: line, want: other})
	}
}

// counted is a number of a command line that its output depends on.
var counted = regexp.MustCompile(` --(n|nodes|expansions|pairs|seeds|plies|margin|folds) (\d+)`)

// written is the output of a command line.
var written = regexp.MustCompile(` (-o |--html |--draw |--plots |--dir )?(out\S*)| (-o )?(tables)$`)

// rival is a command that makes something else of the same name: this one with another
// number or configuration, or else the next of the attacked ones. "" if this one has no
// output.
func (c attacked) rival() string {
	out := written.FindString(c.line)
	if out == "" {
		return ""
	}
	alone, _, _ := strings.Cut(c.line, " --farm")
	if strings.Contains(alone, "run.toml") {
		return strings.Replace(alone, "run.toml", "other.toml", 1)
	}
	if at := counted.FindStringSubmatchIndex(alone); at != nil {
		n, _ := strconv.Atoi(alone[at[4]:at[5]]) // it is digits
		return alone[:at[4]] + strconv.Itoa(n+1) + alone[at[5]:]
	}
	name := out[strings.LastIndex(out, " ")+1:]
	self := slices.IndexFunc(attackedCommands, func(o attacked) bool { return o.name == c.name })
	for i := range attackedCommands {
		o := attackedCommands[(self+1+i)%len(attackedCommands)]
		if o.beside == "" && strings.HasSuffix(written.FindString(o.line), " "+name) {
			return o.line // this command itself where no other writes the name
		}
	}
	return ""
}

// pair runs two writers, the second some time after the first, or before it.
func (a *attack) pair(wait time.Duration, one, two *writer) {
	a.Helper()
	dir := a.fresh()
	before := folder(a.T, dir)
	var both sync.WaitGroup
	both.Go(func() {
		time.Sleep(-wait)
		one.ending = a.run(a.Context(), dir, one.line)
	})
	both.Go(func() {
		time.Sleep(wait)
		cmd := command(dir, strings.Fields(two.line)...)
		var complaint bytes.Buffer
		cmd.Stderr = &complaint
		cmd.Run() // the exit code tells
		two.ending = ending{code: cmd.ProcessState.ExitCode(), complaint: complaint.String()}
	})
	both.Wait()
	var whole []map[string][]byte
	for _, w := range []*writer{one, two} {
		switch what := "the pair " + one.line + " | " + two.line + ", " + wait.String() + " apart"; {
		case panicked(w.complaint) || w.code < 0 || w.code > 2:
			a.fail(what, w.ending, "it panics, or is killed")
		case w.code == 0:
			whole = append(whole, w.want)
		case !strings.Contains(w.complaint, "another process") && !strings.Contains(w.complaint, "--force") && !strings.Contains(w.complaint, "is not empty") &&
			!strings.Contains(w.complaint, "belongs to other settings"):
			a.fail(what, w.ending, "it does not say that the output is another's")
		}
	}
	if complaint := left(folder(a.T, dir), before, whole); complaint != "" {
		a.Errorf("%s: exit %d: %.300q\n%s: exit %d: %.300q\n%s apart: %s", one.line, one.code, one.complaint, two.line, two.code, two.complaint, wait, complaint)
	}
	os.RemoveAll(dir)
}

// left says what is wrong with the files that two writers leave: those of one of the
// writers that claim success are there, and nothing else is but what was there before and
// what is the other's.
func left(got, before map[string][]byte, whole []map[string][]byte) string {
	if whole == nil {
		return "neither has made its output"
	}
	same := func(name string, in map[string][]byte) bool {
		data, ok := in[name]
		there, found := got[name]
		return ok == found && bytes.Equal(data, there)
	}
	aside := func(name string) bool {
		return name == resultsFile || strings.Contains(name, ".log") || strings.HasSuffix(name, ".lock")
	}
	if !slices.ContainsFunc(whole, func(want map[string][]byte) bool {
		for name := range want {
			if !aside(name) && !same(name, want) {
				return false
			}
		}
		return true
	}) {
		return "the files of neither are whole"
	}
	for name := range got {
		if !aside(name) && !same(name, before) && !slices.ContainsFunc(whole, func(want map[string][]byte) bool { return same(name, want) }) {
			return name + " is left over or nobody's"
		}
	}
	return ""
}
