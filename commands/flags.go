package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/vfs"
)

func rulesFlag(cmd *cobra.Command, rules *string) {
	cmd.Flags().StringVar(rules, "rules", oware.Abapa.String(), owareRules())
}

// servedRulesFlag adds the flag of a command of books or endgame tables.
func servedRulesFlag(cmd *cobra.Command, rules *string) {
	cmd.Flags().StringVar(rules, "rules", oware.Abapa.String(), servedRules())
}

// servedRules lists the rule sets of oware that books and endgame tables serve, for help.
func servedRules() string {
	var names []string
	for _, r := range oware.RuleSets() {
		if book.CheckRules(r) == nil {
			names = append(names, r.String())
		}
	}
	return games.OrList(names)
}

// owareRules lists the rule sets of oware, for help.
func owareRules() string { return games.OrList(oware.Descriptor().Rules) }

// parseRules reads the --rules flag.
func parseRules(name string) (oware.Rules, error) {
	r, err := oware.ParseRules(name)
	if err != nil {
		return 0, usagef("--rules is %q: expected %s", name, owareRules())
	}
	return r, nil
}

// within is the value of a flag that takes an integer of a range.
type within struct {
	value     *int
	low, high int
}

// intFlag adds a flag that takes an integer from low to high.
func intFlag(cmd *cobra.Command, value *int, name string, byDefault, low, high int, usage string) {
	*value = byDefault
	cmd.Flags().Var(within{value, low, high}, name, usage)
}

// noneEmpty refuses flags that are given without a value: a script's variable is empty, and
// without the flag the command does something else.
func noneEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		empty := map[string]string{"string": "", "stringSlice": "[]"}
		if none, text := empty[f.Value.Type()]; text && err == nil && strings.TrimSpace(f.Value.String()) == none {
			err = usagef("--%s is empty: expected a value, or the command without it", f.Name)
		}
	})
	return err
}

// resolvePaths has every operand and every flag name the file that the system finds by it: the
// program joins and folds paths, which takes LINK/../x for x. What is no path, or has a folder
// that is not there, stays as it is. No file is named - but where a command says so.
func resolvePaths(cmd *cobra.Command, args []string) (err error) {
	const standard = "-: expected a file, since this command neither reads it from standard input nor writes it to standard output; ./- is a file by that name"
	for i, arg := range args {
		if arg == "-" {
			return usagef("the operand is %s", standard)
		}
		if path, failed := vfs.Resolve(arg); failed == nil {
			args[i] = path
		}
	}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if f.Value.String() == "-" && f.Annotations[printable] == nil && err == nil {
			err = usagef("--%s is %s", f.Name, standard)
		}
		path, failed := vfs.Resolve(f.Value.String())
		if f.Value.Type() == "string" && failed == nil && err == nil && path != f.Value.String() {
			err = f.Value.Set(path)
		}
	})
	return err
}

// printable is the annotation of a flag that names an output which - writes to standard output.
const printable = "printable"

// Flags that several commands have, with the same meaning in each.

func jsonFlag(cmd *cobra.Command, asJSON *bool) {
	cmd.Flags().BoolVar(asJSON, "json", false, "print as JSON")
}

func seedFlag(cmd *cobra.Command, seed *uint64) {
	cmd.Flags().Uint64Var(seed, "seed", 1, "random seed: the same seed gives the same files")
}

func hashFlag(cmd *cobra.Command, hash *int, byDefault int) {
	intFlag(cmd, hash, "hash", byDefault, 1, engine.MaxHashMB, "hash table of each searcher, in MiB")
}

func tablesFlag(cmd *cobra.Command, tables *string) {
	cmd.Flags().StringVar(tables, "tables", "", "endgame tables: a file, a folder, or none (default those of the program)")
}

// tableFlag is one table that a command asks.
func tableFlag(cmd *cobra.Command, table *string) {
	cmd.Flags().StringVar(table, "table", "", "table file or folder of tables (default the program's own table)")
}

func positionFlag(cmd *cobra.Command, board *string) {
	cmd.Flags().StringVar(board, "position", "", "board to begin with (default the start)")
}

// bookWeightsFlag is the evaluation of a book, which the book names.
func bookWeightsFlag(cmd *cobra.Command, weights *string) {
	cmd.Flags().StringVar(weights, "weights", engine.DefaultName, "evaluation: default, another name, or a weights file")
}

func plotsFlag(cmd *cobra.Command, folder *string) {
	folderFlag(cmd, folder, "plots", "", "folder for figures (PNG and SVG)")
}

func whereFlag(cmd *cobra.Command, where *string) {
	cmd.Flags().StringVar(where, "where", "", "rows that count, such as 'phase>=20, label<0': see train help filters")
}

// rowFlags say which rows of datasets count, and how much.
func rowFlags(cmd *cobra.Command, where, weight *string) {
	whereFlag(cmd, where)
	cmd.Flags().StringVar(weight, "weight", "", "column of how many rows each row counts for, such as weight (default each once)")
}

// largestNumber is more than anything is counted to, and few enough that sums of such numbers are none
// that overflow.
const largestNumber = 1_000_000_000_000_000

// bounded is the annotation of flags whose command checks closer bounds, and names them.
const bounded = "bounded"

func haveBounds(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		_ = cmd.Flags().SetAnnotation(name, bounded, nil) // the names are the command's
	}
}

// noneHuge refuses numbers that no work comes to, and what is no number, for all other flags at once.
func noneHuge(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if _, ok := f.Annotations[bounded]; ok || err != nil {
			return
		}
		switch text := f.Value.String(); f.Value.Type() {
		case "int", "int64":
			if n, perr := strconv.ParseInt(text, 10, 64); perr == nil && (n > largestNumber || n < -largestNumber) {
				err = usagef("--%s is %d: expected at most %d", f.Name, n, largestNumber)
			}
		case "float64":
			if x, perr := strconv.ParseFloat(text, 64); perr == nil && !(math.Abs(x) <= math.MaxFloat64) {
				err = usagef("--%s is %s: expected a number", f.Name, text)
			}
		}
	})
	return err
}

// workersFlag is --workers, of all commands that do several things at a time.
func workersFlag(cmd *cobra.Command, workers *int) {
	intFlag(cmd, workers, "workers", 0, 0, parallel.MaxWorkers, "searches at a time (default one a processor)")
}

// String is what help shows as the default.
func (w within) String() string {
	if w.value == nil {
		return "0"
	}
	return strconv.Itoa(*w.value)
}

// Type is what help calls the value.
func (within) Type() string { return "int" }

// Set reads the flag.
func (w within) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < w.low || n > w.high {
		return fmt.Errorf("expected %d to %d", w.low, w.high)
	}
	*w.value = n
	return nil
}

// folderName is the value of a flag that names a folder, which may have to be made yet.
type folderName struct{ path *string }

// folderFlag adds a flag that names a folder. What is there and is none is refused at once,
// not when the work is done.
func folderFlag(cmd *cobra.Command, path *string, name, byDefault, usage string) {
	*path = byDefault
	cmd.Flags().Var(folderName{path}, name, usage)
}

// String is what help shows as the default.
func (f folderName) String() string {
	if f.path == nil {
		return ""
	}
	return *f.path
}

// Type is what help calls the value.
func (folderName) Type() string { return "string" }

// Set takes the flag.
func (f folderName) Set(path string) error {
	if _, err := vfs.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		if at, err := vfs.Stat(path); err != nil || !at.IsDir() {
			return errors.New("expected a folder, or a name for a new one")
		}
	}
	*f.path = path
	return nil
}

// oneOf refuses a flag's value that is not among the allowed.
func oneOf(flag, value string, allowed ...string) error {
	if slices.Contains(allowed, value) {
		return nil
	}
	return usagef("--%s is %q: expected %s", flag, value, strings.Join(allowed, " or "))
}

// noZeros refuses numbers that are given as 0, which would count as left out.
func noZeros(f *pflag.FlagSet, names ...string) error {
	for _, name := range names {
		if v := f.Lookup(name); v.Changed && (v.Value.String() == "0" || v.Value.String() == "0s") {
			return usagef("--%s is 0: expected more, or leave it out", name)
		}
	}
	return nil
}

// searchFlags are the limits of a command's searches.
type searchFlags struct {
	given    *engine.Config
	fallback engine.Config // where no limit is given
	fellBack bool          // which config has found
}

// add adds the flags to a command, whose searches without a limit are those of fallback.
func (s *searchFlags) add(cmd *cobra.Command, hash int, fallback engine.Config) {
	c := new(engine.Config)
	spec.Default(c)
	c.HashMB = hash
	spec.Flags(cmd.Flags(), c)
	s.take(cmd, c, fallback)
}

// take has a command whose flags are those of a search take the limits of fallback without any.
func (s *searchFlags) take(cmd *cobra.Command, c *engine.Config, fallback engine.Config) {
	s.given, s.fallback = c, fallback
	name, limit := "nodes", fmt.Sprint(fallback.Nodes)
	if fallback.Nodes == 0 {
		name, limit = "movetime", fallback.MoveTime.String()
	}
	flag := cmd.Flags().Lookup(name)
	flag.Usage = fmt.Sprintf("%s, %s if no limit is given", strings.TrimSuffix(flag.Usage, ", such as 200ms"), limit)
}

// tellDefault says on standard error what limits each search if no flag does, and why.
func (s *searchFlags) tellDefault(why string) {
	limit := fmt.Sprintf("%d nodes", s.fallback.Nodes)
	if s.fallback.Nodes == 0 {
		limit = s.fallback.MoveTime.String()
	}
	if s.fellBack {
		tell(fmt.Sprintf("no limit given: each search takes %s%s", limit, why))
	}
}

// config is what the flags say; without any limit it has those of the fallback.
func (s *searchFlags) config() (engine.Config, error) {
	c := *s.given
	if s.fellBack = c.Limits() == (search.Limits{}); s.fellBack {
		c.Nodes, c.Depth, c.MoveTime = s.fallback.Nodes, s.fallback.Depth, s.fallback.MoveTime
	}
	if err := c.Check(); err != nil {
		return c, usageError{err}
	}
	return c, nil
}

// notWith refuses flags that would do nothing with what is given.
func notWith(cmd *cobra.Command, given string, names ...string) error {
	for _, name := range names {
		if cmd.Flags().Changed(name) {
			return usagef("--%s does nothing with %s: leave it out", name, given)
		}
	}
	return nil
}
