package commands

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/console"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/run"
)

// runArgs is the settings of run. A file replaces the preset; other settings override both.
type runArgs struct {
	farmFlags
	Preset      string          `name:"preset" default:"quick" choices:"quick evening thesis full" help:"quick, evening, thesis, full"`
	Config      string          `name:"config" help:"configuration file instead of a preset"`
	Nodes       int64           `name:"nodes" range:"1.." group:"Search" help:"limit labels by this many nodes, books and games for positions in proportion, and matches if they are by time (reproducible)"`
	Depth       int             `name:"depth" range:"1.." group:"Search" help:"limit the searches of labels, books and games for positions by depth in plies; matches stay as configured"`
	MoveTime    engine.Duration `name:"movetime" group:"Search" help:"limit labels by time, such as 50ms, books and games for positions in proportion; matches stay as configured"`
	Rules       string          `name:"rules" help:"abapa, awari, simple or simple-to-end, instead of the configuration's"`
	Dir         string          `name:"dir" help:"run folder (default runs/PRESET, with a number if that exists)"`
	Resume      bool            `name:"resume" help:"resume the run in --dir, or the last unfinished one in runs"`
	Note        string          `name:"note" help:"why the run is made, for the list of runs (train inspect runs); affects nothing else"`
	PrintConfig bool            `name:"print_config" help:"print the configuration with every setting and its range, and do nothing"`
}

func runCommand() *cobra.Command {
	var a runArgs
	return newCommand(&cobra.Command{
		Use:   "run",
		Short: "run the whole pipeline: positions, labels, weights, matches, book, report",
		Long: `Samples positions, labels them by search, computes features, fits weights,
plays them against captures-only, grows an opening book, plays from it if configured, and
writes everything with a report to one run folder. Presets: quick (about a minute),
evening (more of the same, and play from the book; about five minutes), thesis (after
Sala Soler 2014) and full.`,
		Example: "  train run\n" +
			"  train run --preset thesis --farm embedded\n" +
			"  train run --resume --dir runs/quick\n" +
			"  train run --preset thesis --print-config > my.toml\n" +
			"  train run --config my.toml --dir runs/mine\n" +
			"  train run --preset full --rules awari",
		Args: noRunOperands,
	}, a.run, &a)
}

// noRunOperands refuses operands, and suggests the flag for a preset or a configuration.
func noRunOperands(cmd *cobra.Command, args []string) error {
	err := operands(cmd, args)
	if err == nil {
		return nil
	}
	suggested := ""
	if like := wording.FindSimilar(args[0], cmd.Flags().Lookup("preset").Annotations[spec.Choices]); len(like) > 0 {
		suggested = "--preset " + like[0]
	} else if strings.HasSuffix(args[0], ".toml") {
		suggested = "--config " + quotePath(args[0])
	}
	if suggested == "" {
		return err
	}
	return usagef("run: expected no operands: did you mean `%s %s`?", cmd.CommandPath(), suggested)
}

func (a *runArgs) run(j *job) error {
	if a.Config != "" && j.given("preset") {
		return usagef("--config and --preset exclude each other: give one")
	}
	if a.Nodes > 0 && a.Depth > 0 || a.MoveTime.Duration > 0 && (a.Nodes > 0 || a.Depth > 0) {
		return usagef("--nodes, --depth and --movetime replace the limits of the configuration: expected one of them")
	}
	if a.PrintConfig {
		if err := j.notWith("--print-config", "resume", "note", "dir", "farm", "farm-config", "json"); err != nil {
			return err
		}
		return a.printConfig(j)
	}
	r, err := a.open(j)
	if err != nil {
		return err
	}
	defer r.Close()
	if a.Note != "" {
		if err := r.SetNote(a.Note); err != nil {
			return err
		}
	}
	r.Farm, err = j.dial(a.farmFlags)
	if err != nil {
		return err
	}
	j.note("run folder: %s\n", r.Dir)
	if err := r.Execute(j.Context(), stages(r.Titles())); err != nil {
		return resumable{err, wording.Program() + " run --resume --dir " + quotePath(r.Dir), r.Dir}
	}
	summary, err := r.Summary()
	if err != nil {
		return err
	}
	return j.show("", summary)
}

// open creates the run, or opens the one to resume.
func (a *runArgs) open(j *job) (*run.Run, error) {
	if a.Resume {
		return a.resume(j)
	}
	text, name, err := a.text()
	if err != nil {
		return nil, err
	}
	return a.create(text, name)
}

// printConfig prints the configuration with its description, instead of a run.
func (a *runArgs) printConfig(j *job) error {
	text, name, err := a.text()
	if err != nil {
		return err
	}
	c, err := run.ParseConfig(text, name)
	if err != nil {
		return err
	}
	fmt.Fprint(j.OutOrStdout(), firstComment.FindString(text), c.Text())
	return nil
}

// firstComment matches the description at the start of a configuration.
var firstComment = regexp.MustCompile(`^(#.*\n)*\n?`)

// text returns the configuration, and its name for errors.
func (a *runArgs) text() (text, name string, err error) {
	name = cmp.Or(a.Config, "preset "+a.Preset)
	if a.Config == "" {
		text, err = run.Preset(a.Preset)
	} else {
		text, err = strict.ReadFile(a.Config)
	}
	if err != nil {
		return "", "", err
	}
	text, err = run.Adapt(text, name,
		run.Changes{Rules: a.Rules, Limit: engine.Config{Nodes: a.Nodes, Depth: a.Depth, MoveTime: a.MoveTime}})
	if err != nil {
		return "", "", asUsage(err)
	}
	return text, name, nil
}

// resume opens the run in --dir, or the last unfinished one.
func (a *runArgs) resume(j *job) (*run.Run, error) {
	for _, name := range []string{"config", "preset", "rules", "nodes", "depth", "movetime"} {
		if j.given(name) {
			return nil, usagef("--resume uses the configuration in the run folder: leave out --config, --preset, --rules, --nodes, --depth and --movetime")
		}
	}
	dir := a.Dir
	if dir == "" {
		var err error
		dir, err = run.LastUnfinished("runs")
		if err != nil {
			return nil, err
		}
	}
	return run.Resume(dir)
}

// create starts a run in --dir, or in a new folder of runs.
func (a *runArgs) create(text, name string) (*run.Run, error) {
	dir := a.Dir
	if err := checkNewFolder(dir); err != nil {
		return nil, usagef("--dir is %q: %w", dir, err)
	}
	if dir == "" {
		base := a.Preset
		if a.Config != "" {
			base = strings.TrimSuffix(filepath.Base(a.Config), filepath.Ext(a.Config))
		}
		dir = filepath.Join("runs", base)
		for n := 2; ; n++ {
			if _, err := vfs.Lstat(dir); err != nil { // it is reported when the folder is created
				break
			}
			dir = filepath.Join("runs", fmt.Sprintf("%s-%d", base, n))
		}
	}
	return run.New(dir, text, name)
}

type stages []string

func (s stages) label(title string) string {
	return fmt.Sprintf("stage %d of %d, %s", slices.Index(s, title)+1, len(s), title)
}

// Stage implements [run.Observer].
func (s stages) Stage(title, unit string) (parallel.Progress, func(error)) {
	m := console.NewMeter(s.label(title), unit)
	return m.Update, func(err error) { m.Finish(err == nil) }
}

// Skip implements [run.Observer].
func (s stages) Skip(title string) {
	fmt.Fprintf(os.Stderr, "%s: finished before\n", s.label(title))
}
