package commands

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/vfs"
)

// Settings that several commands have, with the same meaning in each.
type (
	// rulesFlag are those that books and endgame tables serve.
	rulesFlag struct {
		Rules rules `name:"rules" default:"abapa" help:"abapa, awari, simple or simple-to-end"`
	}
	workersFlag struct {
		Workers int `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
	}
	whereFlag struct {
		Where string `name:"where" help:"rows that count, such as 'phase>=20, label<0': see train help filters"`
	}
	// rowFlags say which rows of datasets count, and how much.
	rowFlags struct {
		whereFlag
		Weight string `name:"weight" group:"Tables of other programs" help:"column of how many rows each row counts for, such as weight (default each once)"`
	}
	// weightsFlag is the evaluation of the engine.
	weightsFlag struct {
		Weights string `name:"weights" group:"Search" help:"evaluation: by name, or a weights file (default the game's own; in oware default, or captures where the rules have no trained weights)"`
	}
	// bookWeightsFlag is the evaluation of a book, which the book names.
	bookWeightsFlag struct {
		Weights string `name:"weights" default:"default" group:"Search" help:"evaluation: default, another name, or a weights file"`
	}
	// bookFlag is the book of the commands that play.
	bookFlag struct {
		Book string `name:"book" group:"Search" help:"opening book the engine plays from: a file, or none (default the program's own)"`
	}
	tablesFlag struct {
		Tables string `name:"tables" group:"Search" help:"endgame tables: a file, a folder, or none (default those of the program)"`
	}
	// tableFlag is one table that a command asks.
	tableFlag struct {
		Table string `name:"table" help:"table file or folder of tables (default the program's own table)"`
	}
	positionFlag struct {
		Position string `name:"position" help:"board to begin with (default the start)"`
	}
	strictFlag struct {
		Strict bool `name:"strict" group:"Tables of other programs" help:"a game that cannot be read is an error"`
	}
	plotsFlag struct {
		Plots folderName `name:"plots" file:"out" group:"Output" help:"folder for figures (PNG and SVG)"`
	}
)

// folderName is the name of a folder, which may not exist yet. A file of that name is refused
// before the work begins.
type folderName string

// UnmarshalText reads the flag.
func (f *folderName) UnmarshalText(path []byte) error {
	if _, err := vfs.Lstat(string(path)); !errors.Is(err, fs.ErrNotExist) {
		if at, err := vfs.Stat(string(path)); err != nil || !at.IsDir() {
			return errors.New("expected a folder, or a name for a new one")
		}
	}
	*f = folderName(path)
	return nil
}

// rules is a rule set of oware.
type rules oware.Rules

// UnmarshalText reads the flag.
func (r *rules) UnmarshalText(text []byte) error {
	set, err := oware.ParseRules(string(text))
	if err != nil {
		return errors.New("expected " + games.OrList(oware.Descriptor().Rules))
	}
	*r = rules(set)
	return nil
}

// MarshalText is the name.
func (r rules) MarshalText() ([]byte, error) { return []byte(oware.Rules(r).String()), nil }

// noneEmpty refuses flags that are given without a value: a script's variable is empty, and
// without the flag the command does something else.
func noneEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.Type(); (text == "string" || text == "strings") && err == nil && strings.TrimSpace(f.Value.String()) == "" {
			err = usagef("--%s is empty: expected a value; or leave the flag out", f.Name)
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

// notWith refuses flags that would do nothing with what is given.
func (j *job) notWith(given string, names ...string) error {
	for _, name := range names {
		if j.given(name) {
			return usagef("--%s does nothing with %s: leave it out", name, given)
		}
	}
	return nil
}

// limits are those of a command's searches.
type limits struct {
	given    *engine.Config
	fallback engine.Config // where no limit is given
	fellBack bool          // which config has found
}

// limitsOf has a command whose flags are those of a search take the limits of fallback without any.
func limitsOf(cmd *cobra.Command, c *engine.Config, fallback engine.Config) *limits {
	name, limit := "nodes", fmt.Sprint(fallback.Nodes)
	if fallback.Nodes == 0 {
		name, limit = "movetime", fallback.MoveTime.String()
	}
	flag := cmd.Flags().Lookup(name)
	flag.Usage = fmt.Sprintf("%s, %s if no limit is given", strings.TrimSuffix(flag.Usage, ", such as 200ms"), limit)
	return &limits{given: c, fallback: fallback}
}

// tellDefault says on standard error what limits each search if no flag does, and why.
func (s *limits) tellDefault(why string) {
	limit := fmt.Sprintf("%d nodes", s.fallback.Nodes)
	if s.fallback.Nodes == 0 {
		limit = s.fallback.MoveTime.String()
	}
	if s.fellBack {
		tell(fmt.Sprintf("no limit given: each search takes %s%s", limit, why))
	}
}

// config is what the flags say; without any limit it has those of the fallback.
func (s *limits) config() (engine.Config, error) {
	c := *s.given
	if s.fellBack = c.Limits() == (search.Limits{}); s.fellBack {
		c.Nodes, c.Depth, c.MoveTime = s.fallback.Nodes, s.fallback.Depth, s.fallback.MoveTime
	}
	if err := c.Check(); err != nil {
		return c, usageError{err}
	}
	return c, nil
}
