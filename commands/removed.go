package commands

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// removed lists what version 0.1.0 no longer has, with what to use instead: commands; flags, of a
// command with its subcommands or of all commands; parts of the description of a player; and file
// extensions. A name that ends in - or = stands for all that begin with it.
const removed = `book diff: use train book dump of both, and diff
book info: use train inspect BOOK
gtp: use train uci with --game othello, and programs that speak UCI
man: use train --help, or docs/reference.md
nboard: use train uci with --game othello, and programs that speak UCI
study book: use train book stats, or a match with the book against one without
study branching: use train study orders
study cycles: docs/bounds.md has its result
study depth: use train study orders
study history: docs/bounds.md has its result
study noise: use the noise stage of train run; docs/book.md has its result
study scale: use train weights calibrate
study solve: docs/other-games.md and docs/sources.md have its results
study table: docs/sources.md has its result
weights info: use train inspect WEIGHTS
worker: use train farm worker URL

--size: use --rules 8x8 or 6x6
--farm-: use the file of --farm-config
bench --game: it is for oware only
book --game: it is for oware only
endgame --game: it is for oware only
farm status --farm: use train farm status URL
farm status --watch: use watch, as in watch train farm status URL
study accuracy --game: it is for oware only
run --engine: use train label --engine and train book expand --engine, which name the program
label --again: use train label with --where, and give train fit both datasets
label --repeat: use the noise stage of train run, [noise] in its configuration
tune --farm: programs play on this machine only
tune --page: use train inspect OUTPUT --html PAGE
bench --tables: train match plays with tables and without
book dump --flat: browse the lines of a book in train serve
book dump --format: it writes CSV; browse the lines of a book in train serve
book stats --draw: use --plots
book expand --log: the log is OUTPUT.log
endgame verify --games: it plays no games: use --independent, which computes every bound again
endgame verify --play-seeds: it plays no games: use --independent, which computes every bound again
endgame verify --recompute: use --independent, which computes every bound again
endgame build --budget: a position that needs more than 200 million nodes keeps its bounds
fit --game: a dataset names its game
fit --diagnose: use --validate
fit --merge: use --ridge, which shrinks the weights of rare columns
fit --min-count: use --ridge, which shrinks the weights of rare columns
fit --rounds: a fit ends when its gradient is small
fit --start: use --prior
fit --steps: a fit ends when its gradient is small
inspect --against: use --compare, one dataset at a time
inspect --weights: use train evaluate WEIGHTS DATASET --predictions FILE, then train inspect FILE
perft --no-bulk: go test ./games/oware -run - -bench Play times moves
match --openings-plies: cut the file of openings
match --repeat-openings: use as many --pairs as there are openings
match --split: use train ogn split
study lamosca --weights: docs/other-games.md has its result
study algorithms --games: docs/sources.md has its result
study orders --history: docs/sources.md has its result
study orders --killers: docs/sources.md has its result

label --all-moves: nothing reads the scores of all moves; train analyse and MultiPV of train uci show them
sample --result: use train adopt, which reads labels
sample --score: use train adopt, which reads scores and labels
sample --score-: use train adopt, which reads scores and labels

book deepen --rules: the rules of the book apply
book dump --rules: the rules of the book apply
book merge --rules: the rules of the book apply
book prune --rules: the rules of the book apply
book query --rules: the rules of the book apply
book stats --rules: the rules of the book apply
book verify --rules: the rules of the book apply
book prune --margin: use --loss, in seeds: 42 points are one
play --book-margin: use --book-loss, in seeds: 42 points are one
book_margin=: use book_loss=, in seeds: 42 points are one
algorithm=: use full_width=true with depth=, which searches every move to a depth
ties=: docs/sources.md has the result
bookmargin=: use book_loss=, in seeds: 42 points are one
engine=: use cmd=PROGRAM, on this machine
faults=: a position at which a program fails three times is left out and listed
protocol=gtp: use protocol=uci, and programs that speak it
protocol=nboard: use protocol=uci, and programs that speak it

.arff: use .csv, which Weka and R read
.mtx: use .parquet
.npz: use .parquet
.pgn: use .ogn, with moves as e2e4
`

// checkName returns an error if a name was removed. The error calls it what, or as in the table if
// that is "".
func checkName(name, what string) error {
	for line := range strings.Lines(removed) {
		key, instead, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ": ")
		open := strings.HasSuffix(key, "-") || strings.HasSuffix(key, "=")
		if key != "" && name == key || open && strings.HasPrefix(name, key) {
			return usagef("%s was removed in 0.1.0: %s", cmp.Or(what, key), instead)
		}
	}
	return nil
}

// checkFlag returns an error if a flag of the command was removed.
func checkFlag(cmd *cobra.Command, name string) error {
	for c := cmd; c != nil; c = c.Parent() {
		_, path, _ := strings.Cut(c.CommandPath(), " ")
		if err := checkName(strings.TrimSpace(path+" --"+name), cmd.CommandPath()+" --"+name); err != nil {
			return err
		}
	}
	return nil
}

// checkRemoved returns an error for an operand, or a flag with a value, that has a removed
// extension or part.
func checkRemoved(cmd *cobra.Command, args []string) error {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.Type() == "string" {
			args = append(args[:len(args):len(args)], f.Value.String())
		}
	})
	for _, value := range args {
		extension := filepath.Ext(value)
		if err := checkName(strings.ToLower(extension), value+": "+extension); err != nil {
			return err
		}
		if !strings.Contains(value, "cmd=") && !strings.Contains(value, "algorithm=") && !strings.HasPrefix(value, "engine=") {
			continue
		}
		for part := range strings.SplitSeq(value, ",") {
			if err := checkName(part, ""); err != nil {
				return err
			}
		}
	}
	return nil
}
