package commands

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/internal/strict"
	"kroo/internal/wording"
	"kroo/run"
)

func runCommand() *cobra.Command {
	var preset, config, dir, program, rules string
	var resume, printConfig bool
	var limit runLimit
	var flags farmFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "run the whole pipeline: positions, labels, weights, matches, book, report",
		Long: `Samples positions, labels them by search, computes features, fits weights,
plays them against captures-only, grows an opening book, plays from it if configured, and
writes everything with a report to one run folder. Presets: quick (about a minute),
evening (more of the same, and play from the book; about five minutes), thesis (after
Sala Soler 2014) and full.

With --engine another program that speaks UCI plays the self-play games, labels, and
searches for the book (see train label --help); matches are between the evaluations
that the run fits. The configuration in the run folder records it. The program
runs on this machine only, without --farm.`,
		Example: "  train run\n  train run --preset thesis --farm embedded\n  train run --resume --dir runs/quick\n  train run --preset thesis --print-config > my.toml\n  train run --config my.toml --dir runs/mine\n  train run --preset full --rules awari\n  train run --preset evening --engine 'cmd=./engine uci,option.Hash=16'",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("preset", preset, run.PresetNames...); err != nil {
				return err
			}
			if config != "" && cmd.Flags().Changed("preset") {
				return usagef("--config and --preset both say what to run: give one")
			}
			if err := limit.check(cmd); err != nil {
				return err
			}
			source := configSource{preset, config, program, rules, limit}
			if printConfig {
				return showConfig(cmd, source)
			}
			r, err := openRun(cmd, source, dir, resume, flags.url != "")
			if err != nil {
				return err
			}
			defer r.Close()
			r.Warn = tell
			var leave func()
			if r.Farm, leave, err = flags.dial(cmd.Context()); err != nil {
				return err
			}
			defer leave()
			fmt.Fprintf(cmd.ErrOrStderr(), "run folder: %s\n", r.Dir)
			if err := r.Go(cmd.Context(), newStages(r)); err != nil {
				return resumable{err, wording.Program() + " run --resume --dir " + quoted(r.Dir), r.Dir}
			}
			text, err := r.Summary()
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), text)
			return nil
		},
	}
	flags.add(cmd)
	f := cmd.Flags()
	f.StringVar(&preset, "preset", "quick", strings.Join(run.PresetNames, ", "))
	f.StringVar(&config, "config", "", "configuration file instead of a preset")
	f.Int64Var(&limit.nodes, "nodes", 0, "limit labels by this many nodes instead of the configuration's time, other searches in proportion (reproducible)")
	f.IntVar(&limit.depth, "depth", 0, "limit the searches of labels, books and games for positions by depth in plies; matches stay as configured")
	f.DurationVar(&limit.movetime, "movetime", 0, "limit labels by time, such as 50ms, books and games for positions in proportion; matches stay as configured")
	f.StringVar(&program, "engine", "", "program that searches in place of Kroo's engine, as [engine] of the configuration: cmd=PROGRAM,option.NAME=VALUE…")
	f.StringVar(&rules, "rules", "", servedRules()+", instead of the configuration's")
	f.StringVar(&dir, "dir", "", "run folder (default runs/PRESET, with a number if that is taken)")
	f.BoolVar(&resume, "resume", false, "resume the run in --dir, or the last unfinished one in runs")
	f.BoolVar(&printConfig, "print-config", false, "print the configuration with every setting and its range, and do nothing")
	return cmd
}

// configSource is where a run's configuration comes from.
type configSource struct {
	preset, file string // a file goes before a preset
	program      string // that searches; "" is as it says
	rules        string // instead of the configuration's; "" is as it says
	limit        runLimit
}

// runLimit is the limit of labels, and of other searches in their proportion, instead of the
// configuration's: one of them, or none.
type runLimit struct {
	nodes    int64
	depth    int
	movetime time.Duration
}

func (l runLimit) check(cmd *cobra.Command) error {
	given := 0
	for _, name := range []string{"nodes", "depth", "movetime"} {
		if cmd.Flags().Changed(name) {
			given++
		}
	}
	if given > 1 {
		return usagef("--nodes, --depth and --movetime replace the limits of the configuration: expected one of them")
	}
	if l.nodes < 0 || l.depth < 0 || l.movetime < 0 {
		return usagef("a limit below 0: expected more")
	}
	return noZeros(cmd.Flags(), "nodes", "depth", "movetime")
}

// rewrite gives a configuration the limit.
func (l runLimit) rewrite(text, name string) (_ string, err error) {
	flag := ""
	switch {
	case l.nodes > 0:
		flag = "nodes"
		text, err = run.LimitNodes(text, name, l.nodes)
	case l.depth > 0:
		flag = "depth"
		text, err = run.LimitDepth(text, name, l.depth)
	case l.movetime > 0:
		flag = "movetime"
		text, err = run.LimitTime(text, name, l.movetime)
	}
	if err != nil {
		return "", usagef("--%s: %v", flag, err)
	}
	return text, nil
}

// text is the configuration and a name for errors.
func (s configSource) text() (text, name string, err error) {
	name = s.file
	if s.file == "" {
		name = "preset " + s.preset
		text, err = run.Preset(s.preset)
	} else {
		text, err = strict.ReadFile(s.file)
	}
	if err == nil && s.program != "" {
		if text, err = run.WithEngine(text, name, s.program); err != nil {
			return "", "", usagef("--engine: %v", err)
		}
	}
	if err == nil && s.rules != "" {
		if text, err = run.WithRules(text, name, s.rules); err != nil {
			return "", "", usagef("--rules: %v", err)
		}
	}
	if err == nil {
		text, err = s.limit.rewrite(text, name)
	}
	return text, name, err
}

// firstComment says what a configuration is for.
var firstComment = regexp.MustCompile(`^(#.*\n)*\n?`)

func showConfig(cmd *cobra.Command, source configSource) error {
	text, name, err := source.text()
	if err != nil {
		return err
	}
	c, err := run.ParseConfig(text, name)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(cmd.OutOrStdout(), firstComment.FindString(text), c.Text())
	return err
}

func openRun(cmd *cobra.Command, source configSource, dir string, resume, far bool) (*run.Run, error) {
	if resume {
		if source.file != "" || source.limit != (runLimit{}) || source.rules != "" || source.program != "" || cmd.Flags().Changed("preset") {
			return nil, usagef("--resume uses the configuration in the run folder: leave out --config, --preset, --engine, --rules, --nodes, --depth and --movetime")
		}
		if dir == "" {
			var err error
			if dir, err = run.LastUnfinished("runs"); err != nil {
				return nil, err
			}
		}
		return run.Resume(dir)
	}
	text, name, err := source.text()
	if err != nil {
		return nil, err
	}
	c, err := run.ParseConfig(text, name)
	if err != nil {
		return nil, err
	}
	if c.Engine != nil {
		if err := noRemovedProgram(c.Engine.Program); err != nil {
			return nil, err
		}
	}
	if err := c.CheckFarm(far); err != nil { // before there is a folder
		return nil, usageError{err}
	}
	if dir == "" {
		base := source.preset
		if source.file != "" {
			base = strings.TrimSuffix(filepath.Base(source.file), filepath.Ext(source.file))
		}
		dir = unused(filepath.Join("runs", base), "")
	}
	return run.New(dir, text, name)
}
