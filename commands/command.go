package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/games"
	"kroo/internal/console"
	"kroo/internal/outline"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/wording"
)

// job is one run of a command.
type job struct {
	*cobra.Command
	args    []string
	meter   *console.Meter // of the part of the work shown last; may be nil
	journal string         // file that keeps finished work until the output is written; may be ""
	closers []func()       // called at the end, the last one first
}

// newCommand completes a command: it adds a flag for each field of the settings (see package spec),
// and --json, which prints the result as JSON. Without Args, its usage line determines the
// operands.
func newCommand(cmd *cobra.Command, run func(*job) error, settings ...any) *cobra.Command {
	return withoutJSON(cmd, run, append(settings, new(struct {
		JSON bool `name:"json" group:"Output" help:"print as JSON"`
	}))...)
}

// withoutJSON is newCommand for a command that does not print results.
func withoutJSON(cmd *cobra.Command, run func(*job) error, settings ...any) *cobra.Command {
	for _, s := range settings {
		spec.Default(s)
		spec.Flags(cmd.Flags(), s)
	}
	writes := false
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		writes = writes || isOutput(f)
		if strings.Contains(f.Usage, "{") {
			f.Usage = placeholders().Replace(f.Usage)
		}
		completeFlag(cmd, f)
	})
	if writes {
		spec.Flags(cmd.Flags(), new(struct {
			Force bool `name:"force" group:"Output" help:"overwrite the output even if another command made it"`
		}))
	}
	if cmd.Args == nil {
		cmd.Args = operands
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error { return (&job{Command: cmd, args: args}).do(run) }
	return cmd
}

// do runs the command. If a journal keeps finished work, its error includes how to resume.
func (j *job) do(run func(*job) error) (err error) {
	defer func() {
		j.endMeter(err == nil)
		for _, end := range slices.Backward(j.closers) {
			end()
		}
		if _, already := errors.AsType[resumable](err); err != nil && j.journal != "" && !already {
			err = resumable{err, commandLine(), j.journal}
		}
	}()
	return run(j)
}

// given reports whether the command line sets a flag.
func (j *job) given(name string) bool { return j.Flags().Changed(name) }

// operand returns the first operand; "" without operands.
func (j *job) operand() string {
	if len(j.args) == 0 {
		return ""
	}
	return j.args[0]
}

// progress returns the progress of a part of the work. Its meter replaces that of the part before
// at the first call.
func (j *job) progress(label, unit string) parallel.Progress {
	m := console.NewMeter(label, unit)
	return func(done, total int64, note string) {
		if j.meter != m {
			j.endMeter(true)
			j.meter = m
		}
		m.Update(done, total, note)
	}
}

// endMeter ends the progress of the part of the work shown last, if any. Work that was interrupted is
// never complete.
func (j *job) endMeter(complete bool) {
	if j.meter != nil {
		j.meter.Finish(complete && j.Context().Err() == nil)
	}
}

// note prints on standard error.
func (j *job) note(format string, args ...any) {
	j.endMeter(true)
	fmt.Fprintf(j.ErrOrStderr(), format, args...)
}

// next prints a command to run next, for the game and the rules of a file.
func (j *job) next(info games.Info, rules, format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if strings.HasPrefix(line, "match") { // other commands read both in the file
		if info.Name != allGames[0].info().Name {
			line += " --game " + info.Name
		}
		if rules != info.Rules[0] {
			line += " --rules " + rules
		}
		if slices.Contains(info.Endless, rules) {
			line += " --max-plies 200"
		}
	}
	line = fmt.Sprintf("next: %s %s", wording.Program(), line)
	fmt.Fprintln(j.text(), console.FoldCommand(line, os.Stdout))
}

// text returns where to print text for people: nowhere with --json.
func (j *job) text() io.Writer {
	j.endMeter(true)
	if j.inJSON() {
		return io.Discard
	}
	return j.OutOrStdout()
}

func (j *job) inJSON() bool { return j.is("json") }

// is reports whether a switch is on. A command may not have it.
func (j *job) is(name string) bool {
	on, err := j.Flags().GetBool(name)
	return err == nil && on
}

// print prints text, or with --json the value instead.
func (j *job) print(v any, format string, args ...any) error {
	out := j.text()
	if !j.inJSON() {
		fmt.Fprintf(out, format, args...)
		return nil
	}
	enc := json.NewEncoder(console.Exact(j.OutOrStdout()))
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false) // <1 stays <1
	return enc.Encode(v)
}

// show prints a document, or with --json its value. The name, if any, precedes the title.
func (j *job) show(name string, d *outline.Doc) error { return j.print(d.Value, "%s", d.Text(name)) }

// commandLine returns the command line that resumes this work: the same one, without some flags.
func commandLine(without ...string) string {
	words := []string{wording.Program()}
	for _, w := range os.Args[1:] {
		if !slices.Contains(without, w) {
			words = append(words, wording.ShellQuote(w))
		}
	}
	return strings.Join(words, " ")
}

func quotePath(path string) string { return wording.Path(path) }
