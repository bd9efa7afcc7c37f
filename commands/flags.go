package commands

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Settings that several commands share.
type (
	rulesFlag struct {
		Rules rules `name:"rules" default:"abapa" help:"abapa, awari, simple or simple-to-end"`
	}
	workersFlag struct {
		Workers int `name:"workers" range:"0..1024" group:"Search" help:"searches at a time (default one per processor)"`
	}
	whereFlag struct {
		Where string `name:"where" help:"rows to use, such as 'phase>=20, label<0': see train help filters"`
	}
	// rowFlags select and weight the rows of datasets.
	rowFlags struct {
		whereFlag
		Weight string `name:"weight" group:"Tables of other programs" help:"column of row weights, such as weight (default 1 for each row)"`
	}
	// weightsFlag is the evaluation of the engine.
	weightsFlag struct {
		Weights string `name:"weights" group:"Search" help:"evaluation: by name, or a weights file (default the game's own; in oware default, or captures where the rules have no trained weights)"`
	}
	// bookWeightsFlag is the evaluation of a book, which records its name.
	bookWeightsFlag struct {
		Weights string `name:"weights" default:"default" group:"Search" help:"evaluation: default, another name, or a weights file"`
	}
	// bookFlag is the book that the engine plays from.
	bookFlag struct {
		Book string `name:"book" group:"Search" help:"opening book the engine plays from: a file, or none (default the program's own)"`
	}
	tablesFlag struct {
		Tables string `name:"tables" group:"Search" help:"endgame tables: a file, a folder, or none (default those of the program)"`
	}
	// tableFlag is the endgame table of a command that needs one.
	tableFlag struct {
		Table string `name:"table" help:"table file or folder of tables (default the program's own table)"`
	}
	positionFlag struct {
		Position string `name:"position" help:"board to begin with (default the start)"`
	}
	strictFlag struct {
		Strict bool `name:"strict" group:"Tables of other programs" help:"fail on a game that cannot be read"`
	}
	plotsFlag struct {
		Plots folderName `name:"plots" file:"out" group:"Output" help:"folder for figures (PNG and SVG)"`
	}
)

// folderName is the name of a folder, which may not exist yet.
type folderName string

// fileExtension matches the extension of a file's name. A number is not one, as in tables-1.2.
var fileExtension = regexp.MustCompile(`[^/\\]\.[A-Za-z][A-Za-z0-9]*$`)

// UnmarshalText implements [encoding.TextUnmarshaler]. It refuses the name of a file.
func (f *folderName) UnmarshalText(path []byte) error {
	if err := checkNewFolder(string(path)); err != nil {
		return err
	}
	if _, err := vfs.Lstat(string(path)); !errors.Is(err, fs.ErrNotExist) {
		if at, err := vfs.Stat(string(path)); err != nil || !at.IsDir() {
			return errors.New("expected a folder, or a name for a new one")
		}
	}
	*f = folderName(path)
	return nil
}

// checkNewFolder returns an error for a new folder with the name of a file.
func checkNewFolder(path string) error {
	_, err := vfs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) && fileExtension.MatchString(path) {
		return errors.New("expected a folder, or a name for a new one, which has no extension")
	}
	return nil
}

type rules oware.Rules

// UnmarshalText implements [encoding.TextUnmarshaler].
func (r *rules) UnmarshalText(text []byte) error {
	set, err := oware.ParseRules(string(text))
	if err != nil {
		return errors.New(wording.Expect(string(text), oware.Descriptor().Rules))
	}
	*r = rules(set)
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (r rules) MarshalText() ([]byte, error) { return []byte(oware.Rules(r).String()), nil }

// checkEmpty returns an error for a flag with an empty value, which is often an unset variable of a
// script.
func checkEmpty(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if text := f.Value.Type(); (text == "string" || text == "strings") && err == nil &&
			strings.TrimSpace(f.Value.String()) == "" {
			err = usagef("--%s is empty: expected a value; or leave the flag out", f.Name)
		}
	})
	return err
}

// resolvePaths resolves operands and flags that are paths (see [vfs.Resolve]), because the program
// cleans paths later. It leaves other values as they are, and refuses "-" where it does not mean
// standard output.
func resolvePaths(cmd *cobra.Command, args []string) (err error) {
	const standard = "-: expected a file, since this command neither reads it from standard input nor writes it to standard output; ./- is a file by that name"
	for i, arg := range args {
		if arg == "-" {
			return usagef("the operand is %s", standard)
		}
		if err := strict.CheckText(arg); err != nil {
			return usagef("the operand is %q: %w", arg, err)
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

// printable is the annotation of a flag for which - means standard output.
const printable = "printable"

// notWith refuses flags that have no effect with what is given.
func (j *job) notWith(given string, names ...string) error {
	return j.refuse("with "+given, names)
}

// notWithout refuses flags that have no effect unless something else is given.
func (j *job) notWithout(missing string, names ...string) error {
	return j.refuse("without "+missing, names)
}

// refuse returns an error for the first given flag, which has no effect in that case.
func (j *job) refuse(inCase string, names []string) error {
	for _, name := range names {
		if j.given(name) {
			return usagef("--%s has no effect %s: leave it out", name, inCase)
		}
	}
	return nil
}

// nothingWith refuses all flags but those given.
func (j *job) nothingWith(given string, except ...string) (err error) {
	j.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && !slices.Contains(except, f.Name) {
			err = j.notWith(given, f.Name)
		}
	})
	return err
}

// hasLimit reports whether the command line limits searches.
func (j *job) hasLimit() bool { return j.given("nodes") || j.given("depth") || j.given("movetime") }

// limit clears the default limit of searches if the command line sets another, and refuses wrong
// settings.
func (j *job) limit(c *engine.Config) error {
	if j.hasLimit() {
		if !j.given("nodes") {
			c.Nodes = 0
		}
		if !j.given("depth") {
			c.Depth = 0
		}
		if !j.given("movetime") {
			c.MoveTime.Duration = 0
		}
	}
	return asUsage(c.Check())
}

// group adds subcommands to a command. An unknown subcommand is an error that suggests similar
// ones. A command that does nothing itself prints its help.
func group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(subcommands...)
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	if cmd.RunE == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	return cmd
}

const fewCommands = 6

// flagError completes the error of a flag that cannot be parsed. If the command is unknown, the
// error is about its name.
func flagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return unknownCommand(cmd, words[0])
	}
	nearest := ""
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		nearest = suggestFlags(cmd, cmp.Or(unknown.GetSpecifiedShortnames(), unknown.GetSpecifiedName()))
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && wrong.GetFlag().Annotations[spec.Group] != nil {
		err = fmt.Errorf("--%s is %q: %w", wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
		if _, failed := strconv.ParseFloat(wrong.GetValue(), 64); failed == nil {
			err = fmt.Errorf("--%s is %s: %w", wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
		}
	}
	return usagef("%v: %ssee `%s --help`", err, nearest, cmd.CommandPath())
}

// suggestFlags suggests flags similar to a name; "" if there are none. The name may have had one hyphen only,
// as in -pairs.
func suggestFlags(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			names = append(names, f.Name)
		}
	})
	like := wording.FindSimilar(name, names)
	if len(like) == 0 {
		return ""
	}
	return fmt.Sprintf("did you mean --%s? ", strings.Join(like, " or --"))
}

func unknownCommand(cmd *cobra.Command, name string) error {
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() || c.IsAdditionalHelpTopicCommand() {
			names = append(names, c.Name())
		}
	}
	nearest := cmp.Or(wording.Suggest(name, names), suggestElsewhere(cmd, name))
	if len(names) > fewCommands {
		return usagef("unknown command %q: %s`%s --help` lists the commands", name, nearest, cmd.CommandPath())
	}
	has := "the commands " + wording.List(names, "and")
	if len(names) == 1 {
		has = "only the command " + names[0]
	}
	return usagef("unknown command %q: %s`%s` has %s", name, nearest, cmd.CommandPath(), has)
}

// suggestElsewhere suggests what a name may be that is not one of the program's commands: a subcommand, or an
// evaluation.
func suggestElsewhere(cmd *cobra.Command, name string) string {
	if cmd.HasParent() {
		return ""
	}
	var paths []string
	for _, c := range cmd.Commands() {
		for _, sub := range c.Commands() {
			if sub.Name() == name {
				paths = append(paths, sub.CommandPath())
			}
		}
	}
	if len(paths) > 0 {
		return "did you mean " + wording.List(paths, "or") + "? "
	}
	if like := wording.Suggest(name, allEvaluations()); like != "" {
		return like + "an evaluation is given to --weights, or to --a and --b of train match; "
	}
	return ""
}

// operands checks the number of operands: the words of a command's usage line before "|" or "-o". [X]
// is optional, and "..." allows more.
func operands(cmd *cobra.Command, args []string) error {
	usage, _, _ := strings.Cut(cmd.Use, " | ")
	usage, _, _ = strings.Cut(usage, " -o ")
	words := strings.Fields(usage)[1:]
	least, most := 0, len(words)
	given := "nothing"
	for _, word := range words {
		if !strings.HasPrefix(word, "[") {
			least++
		}
		if strings.Contains(word, "...") {
			most = maxOperands
		}
	}
	if len(args) >= least && len(args) <= most {
		return nil
	}
	if len(args) > 0 {
		given = wording.Count(len(args), "argument")
	}
	_, expected, _ := strings.Cut(cmd.Use, " ")
	return usagef("%s: expected %s, got %s: see `%s --help`", cmd.Name(), cmp.Or(expected, "no operands"), given, cmd.CommandPath())
}

const maxOperands = 1000
