package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kroo/run"
)

func runCommand() *cobra.Command {
	var preset, config, dir string
	var resume, printConfig bool
	cmd := &cobra.Command{
		Use:   "run",
		Short: "the whole way from random positions to weights, a match, a book and a report",
		Long: `Samples positions, labels them by searches, computes features, fits weights,
plays them against captures-only, grows an opening book and plays from it, and
writes everything with a report into one run folder. Presets: quick (about two
minutes), thesis (the protocol of Sala Soler 2014) and full.`,
		Example: "  train run\n  train run --resume --dir runs/quick\n  train run --preset thesis --print-config > my.toml\n  train run --config my.toml --dir runs/mine",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := oneOf("preset", preset, run.PresetNames...); err != nil {
				return err
			}
			if config != "" && cmd.Flags().Changed("preset") {
				return usagef("--config and --preset both say what to run: give one")
			}
			if printConfig {
				return showConfig(cmd, preset, config)
			}
			r, err := openRun(cmd, preset, config, dir, resume)
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.ErrOrStderr(), "run folder: %s\n", r.Dir)
			if err := r.Go(cmd.Context(), stages{}); err != nil {
				return resumable{err, "train run --resume --dir " + quoted(r.Dir)}
			}
			text, err := r.Summary()
			if err != nil {
				return err
			}
			fmt.Fprint(cmd.OutOrStdout(), text)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&preset, "preset", "quick", strings.Join(run.PresetNames, ", "))
	f.StringVar(&config, "config", "", "configuration file instead of a preset")
	f.StringVar(&dir, "dir", "", "run folder (default runs/PRESET, with a number if that is taken)")
	f.BoolVar(&resume, "resume", false, "go on with the run in --dir, or with the last unfinished one in runs")
	f.BoolVar(&printConfig, "print-config", false, "print the configuration and do nothing")
	return cmd
}

// configText is the text of the chosen configuration and a name for errors.
func configText(preset, config string) (text, name string, err error) {
	if config == "" {
		text, err = run.Preset(preset)
		return text, "preset " + preset, err
	}
	text, err = run.ReadConfigFile(config)
	return text, config, err
}

func showConfig(cmd *cobra.Command, preset, config string) error {
	text, name, err := configText(preset, config)
	if err != nil {
		return err
	}
	if _, err := run.ParseConfig(text, name); err != nil {
		return err
	}
	fmt.Fprint(cmd.OutOrStdout(), text)
	return nil
}

func openRun(cmd *cobra.Command, preset, config, dir string, resume bool) (*run.Run, error) {
	if resume {
		if config != "" || cmd.Flags().Changed("preset") {
			return nil, usagef("--resume goes on with the configuration in the run folder: leave out --config and --preset")
		}
		if dir == "" {
			var err error
			if dir, err = run.LastUnfinished("runs"); err != nil {
				return nil, err
			}
		}
		return run.Resume(dir)
	}
	text, name, err := configText(preset, config)
	if err != nil {
		return nil, err
	}
	if dir == "" {
		base := preset
		if config != "" {
			base = strings.TrimSuffix(filepath.Base(config), filepath.Ext(config))
		}
		dir = freeFolder(filepath.Join("runs", base))
	}
	return run.New(dir, text, name)
}

// freeFolder is path, or path-2, path-3 … if that exists.
func freeFolder(path string) string {
	name := path
	for n := 2; ; n++ {
		if _, err := os.Stat(name); errors.Is(err, os.ErrNotExist) {
			return name
		}
		name = fmt.Sprintf("%s-%d", path, n)
	}
}

// stages shows a run's stages.
type stages struct{}

func (stages) Stage(title, unit string) (func(done, total int64), func()) {
	return progress(title, unit)
}

func (stages) Skip(title string) { fmt.Fprintf(os.Stderr, "%-22s finished before\n", title) }
