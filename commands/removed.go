package commands

import (
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// What version 0.1.0 no longer has, and what to use instead.
var (
	// removedCommands are commands by their path.
	removedCommands = map[string]string{
		"gtp":             "use `train uci` with --game othello, and programs that speak UCI",
		"man":             "use `train --help`, or docs/reference.md",
		"nboard":          "use `train uci` with --game othello, and programs that speak UCI",
		"study book":      "use `train book stats`, or a match with the book against one without",
		"study branching": "use `train study orders`",
		"study depth":     "use `train study orders`",
		"study history":   "docs/bounds.md has its result",
		"study scale":     "use train weights calibrate",
		"worker":          "use train farm worker URL",
	}
	// removedFlags are flags with the path of their command or of one above it, or without one for
	// all commands.
	removedFlags = map[string]string{
		"--farm-ca":                 "use ca in the file of --farm-config",
		"--farm-cert":               "use cert in the file of --farm-config",
		"--farm-credentials":        "use credentials in the file of --farm-config",
		"--farm-deadline":           "use deadline in the file of --farm-config",
		"--farm-key":                "use key in the file of --farm-config",
		"--farm-listen":             "use listen in the file of --farm-config",
		"bench --game":              ofOware,
		"book --game":               ofOware,
		"endgame --game":            ofOware,
		"farm status --farm":        "use train farm status URL",
		"study accuracy --game":     ofOware,
		"study cycles --game":       ofOware,
		"study noise --game":        ofOware,
		"label --again":             "use `train label` with --where, and give `train fit` both datasets",
		"label --repeat":            "use the noise stage of `train run`, [noise] in its configuration",
		"tune --farm":               "programs play on this machine only",
		"bench --tables":            "`train match` plays with tables and without",
		"bench --threads":           "it measures the signature, of one thread",
		"book info --rules":         "a book records its rules",
		"book deepen --log":         "the log is OUTPUT.log",
		"book diff --largest":       "the five largest differences are printed",
		"book dump --flat":          "use --format ogn-flat",
		"book expand --fractional":  "each move counts as a ply",
		"book expand --log":         "the log is OUTPUT.log",
		"book expand --stable":      "use --expansions, --evaluations or --time",
		"book expand --total-nodes": "use --evaluations, each of --nodes",
		"book expand --window":      "use --omega",
		"cg --hash":                 "a bot has 64 MiB",
		"cg --tables":               "use --rules abapa, which has the program's tables",
		"cg --threads":              "a bot has one thread",
		"endgame build --budget":    "a position that needs more than 200 million nodes keeps its bounds",
		"endgame stats --histogram": "use --json",
		"endgame verify --seed":     "the games are the same each time",
		"fit --cache":               "use cache_mb in the [patterns.fit] of `train run`",
		"fit --diagnose":            "use --validate",
		"fit --merge":               "use --ridge, which shrinks the weights of rare columns",
		"fit --min-count":           "use --ridge, which shrinks the weights of rare columns",
		"fit --solve-to":            "use tolerance in the [patterns.fit] of `train run`",
		"fit --start":               "use --prior",
		"match --openings-plies":    "cut the file of openings",
		"match --repeat-openings":   "ask for as many --pairs as there are openings",
		"match --split":             "use `train ogn split`",
		"match --times":             "times are recorded where games are not reproducible",
		"study --seed":              "the positions are the same each time",
		"study orders --history":    "it is always one of the orders",
		"study orders --killers":    "they are always one of the orders",
		"tune --openings-plies":     "cut the file of openings",
		"tune --repeat-openings":    "ask for as many --iterations as there are openings",
		"tune --times":              "times are recorded where games are not reproducible",
		"worker --allow-engine":     "programs search on the coordinator's machine only; use --engine or cmd= there, without --farm",
	}
	// removedKeys are parts of players and programs, with a value or for any.
	removedKeys = map[string]string{
		"engine=":         "use cmd=PROGRAM, on this machine",
		"faults=":         "a position at which a program fails three times is left out and listed",
		"protocol=gtp":    "use protocol=uci, and programs that speak it",
		"protocol=nboard": "use protocol=uci, and programs that speak it",
	}
	// removedProgram is how --engine and [engine] named a program of a farm's workers; players have such names.
	removedProgram = struct{ key, instead string }{"name=", "use cmd=PROGRAM, on this machine"}
	// removedExtensions are ends of names of files.
	removedExtensions = map[string]string{
		".arff": "use .csv, which Weka and R read",
		".mtx":  "use .npz or .parquet",
		".epd":  "use .csv with a column board",
		".obf":  "use .csv with a column board",
		".pgn":  "use .ogn, with moves as e2e4",
	}
)

// ofOware is said of --game where no other game ever was.
const ofOware = "it is for oware only"

// addRemoved adds to a command a hidden one for each of its subcommands that was removed: it refuses
// whatever it is given, and says what to use instead.
func addRemoved(root *cobra.Command) {
	for path, instead := range removedCommands {
		names := strings.Fields(path)
		parent, rest, err := root.Find(names[:len(names)-1])
		if err != nil || len(rest) > 0 {
			continue // the tree does not have it
		}
		parent.AddCommand(&cobra.Command{
			Use: names[len(names)-1], Hidden: true, DisableFlagParsing: true,
			RunE: func(*cobra.Command, []string) error { return removed("train "+path, instead) },
		})
	}
}

func removed(what, instead string) error {
	return usagef("%s was removed in 0.1.0: %s", what, instead)
}

// removedFlag refuses a flag of the command that was removed; nil for other names.
func removedFlag(cmd *cobra.Command, name string) error {
	for c := cmd; c != nil; c = c.Parent() {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		if instead, ok := removedFlags[strings.TrimSpace(path+" --"+name)]; ok {
			return removed(cmd.CommandPath()+" --"+name, instead)
		}
	}
	return nil
}

// noneRemoved refuses operands and values of flags that have a removed key or extension.
func noneRemoved(cmd *cobra.Command, args []string) (err error) {
	values := args
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Name == "engine" {
			err = noRemovedProgram(f.Value.String())
		}
		if f.Value.Type() == "string" {
			values = append(values[:len(values):len(values)], f.Value.String())
		}
	})
	if err != nil {
		return err
	}
	for _, value := range values {
		if instead, ok := removedExtensions[strings.ToLower(filepath.Ext(value))]; ok {
			return removed(value+": "+filepath.Ext(value), instead)
		}
		if !describesPlayer(value) {
			continue
		}
		for _, part := range strings.Split(value, ",") {
			for key, instead := range removedKeys {
				if part == key || strings.HasSuffix(key, "=") && strings.HasPrefix(part, key) {
					return removed(key, instead)
				}
			}
		}
	}
	return nil
}

// describesPlayer reports whether a value is of the form of players and programs, with a program.
func describesPlayer(value string) bool {
	for _, key := range []string{"cmd=", "engine="} {
		if strings.HasPrefix(value, key) || strings.Contains(value, ","+key) {
			return true
		}
	}
	return false
}

// noRemovedProgram refuses a program that searches if it is one of a farm's workers.
func noRemovedProgram(program string) error {
	if strings.HasPrefix(program, removedProgram.key) {
		return removed(program+": "+removedProgram.key+" for a program", removedProgram.instead)
	}
	return nil
}
