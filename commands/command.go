package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// job is a command at work.
type job struct {
	*cobra.Command
	args    []string
	meter   *meter   // of the work that it has shown last
	journal string   // where finished work is kept until the output is written; "" for nowhere
	closers []func() // what to do at the end
}

// newCommand completes a command: the fields of the settings, structs as package spec has them, become its
// flags, --json prints what it has found or made, and run does its work. A command without Args
// takes no operands.
func newCommand(cmd *cobra.Command, run func(*job) error, settings ...any) *cobra.Command {
	return withoutJSON(cmd, run, append(settings, new(struct {
		JSON bool `name:"json" group:"Output" help:"print as JSON"`
	}))...)
}

// withoutJSON is newCommand for a command that prints something else than results.
func withoutJSON(cmd *cobra.Command, run func(*job) error, settings ...any) *cobra.Command {
	for _, s := range settings {
		spec.Default(s)
		spec.Flags(cmd.Flags(), s)
	}
	writes := false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		writes = writes || isOutput(f)
		if strings.Contains(f.Usage, "{") {
			f.Usage = words().Replace(f.Usage)
			f.Hidden = f.Usage == ""
		}
	})
	if writes {
		spec.Flags(cmd.Flags(), new(struct {
			Force bool `name:"force" group:"Output" help:"overwrite the output even if another command made it"`
		}))
	}
	if cmd.Args == nil {
		cmd.Args = exactArgs(0, "no operands")
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return (&job{Command: cmd, args: args}).do(run) }
	return cmd
}

// do runs a command to its end. An error of work that a journal keeps says how to continue.
func (j *job) do(run func(*job) error) error {
	err := run(j)
	j.endMeter()
	for _, end := range slices.Backward(j.closers) {
		end()
	}
	if _, told := errors.AsType[resumable](err); err != nil && j.journal != "" && !told {
		return resumable{err, thisCommand(), j.journal}
	}
	return err
}

// given reports whether the command line has a flag.
func (j *job) given(name string) bool { return j.Flags().Changed(name) }

// progress shows how far a part of the work is, from its first report to the next part's, or to the
// next text.
func (j *job) progress(label, unit string) parallel.Progress {
	m := newMeter(label, unit)
	return func(done, total int64, note string) {
		if j.meter != m {
			j.endMeter()
			j.meter = m
		}
		m.update(done, total, note)
	}
}

func (j *job) endMeter() {
	if j.meter != nil {
		j.meter.finish()
	}
}

// tellSpeed prints on standard error how fast the last work was.
func (j *job) tellSpeed() {
	if j.meter != nil {
		j.note("%s\n", j.meter.did())
	}
}

// note prints on standard error.
func (j *job) note(format string, args ...any) {
	j.endMeter()
	fmt.Fprintf(j.ErrOrStderr(), format, args...)
}

// text is where a command prints what people read: nowhere with --json.
func (j *job) text() io.Writer {
	j.endMeter()
	if j.inJSON() {
		return io.Discard
	}
	return j.OutOrStdout()
}

func (j *job) inJSON() bool {
	asJSON, err := j.Flags().GetBool("json")
	return err == nil && asJSON
}

// value prints what a command has found or made, with --json.
func (j *job) value(v any) error {
	if !j.inJSON() {
		return nil
	}
	j.endMeter()
	enc := json.NewEncoder(j.OutOrStdout())
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // <1 stays <1
	return enc.Encode(v)
}

// say prints a text, or with --json the value that it is about.
func (j *job) say(v any, format string, args ...any) error {
	if _, err := fmt.Fprintf(j.text(), format, args...); err != nil {
		return err
	}
	return j.value(v)
}

// show prints a document: its text under a name, "" for none, or with --json its value.
func (j *job) show(name string, d *doc.Doc) error { return j.say(d.Value, "%s", d.Text(name)) }

// thisCommand is the command line as it was given, but for some flags, for work that
// continues when it is said again.
func thisCommand(without ...string) string {
	words := []string{wording.Program()}
	for _, w := range os.Args[1:] {
		if !slices.Contains(without, w) {
			words = append(words, wording.Quote(w))
		}
	}
	return strings.Join(words, " ")
}

// tryNext prints what to run next, as it can be run here: commands without the name of
// the program.
func (j *job) tryNext(commands ...string) {
	for i, c := range commands {
		fmt.Fprintf(j.text(), "%s %s %s\n", [2]string{"next:", "  or:"}[min(i, 1)], wording.Program(), c)
	}
}

// unused is the name of a file or folder that is not there yet: base with the ending, or
// with a number between them.
func unused(base, ending string) string {
	name := base + ending
	for n := 2; ; n++ {
		_, err := vfs.Lstat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			_, err = vfs.Lstat(name) // the system may have erred
		}
		if err != nil { // whoever makes it finds what else is wrong
			return name
		}
		name = fmt.Sprintf("%s-%d%s", base, n, ending)
	}
}

// quoted is a path as a shell and this program take it.
func quoted(path string) string { return wording.Path(path) }
