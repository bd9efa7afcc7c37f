package commands

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/engine"
	"kroo/internal/console"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/regress"
)

type commandGroup struct {
	title    string
	commands []maker
}

type maker struct {
	name    string
	command func() *cobra.Command
}

func (g commandGroup) has(name string) bool {
	return slices.ContainsFunc(g.commands, func(m maker) bool { return m.name == name })
}

func commandGroups() []commandGroup {
	return []commandGroup{
		{"Start", []maker{{"run", runCommand}, {"play", playCommand}, {"serve", serveCommand}, {"analyse", analyseCommand}}},
		{"Train", []maker{
			{"sample", sampleCommand}, {"label", labelCommand}, {"features", featuresCommand}, {"fit", fitCommand},
			{"evaluate", evaluateCommand}, {"weights", weightsCommand}, {"inspect", inspectCommand},
		}},
		{"Measure", []maker{{"match", matchCommand}, {"tune", tuneCommand}, {"study", studyCommand}}},
		{"Books and endgames", []maker{{"book", bookCommand}, {"endgame", endgameCommand}}},
		{"Engine", []maker{{"uci", uciCommand}, {"cg", cgCommand}, {"engine", engineCommand}}},
		{"Files", []maker{{"convert", convertCommand}, {"adopt", adoptCommand}, {"ogn", ognCommand}}},
		{"Machines", []maker{{"farm", farmCommand}}},
		{"More", []maker{{"bench", benchCommand}, {"perft", perftCommand}, {"completion", completionCommand},
			{"version", versionCommand}}},
	}
}

// offScreen are commands that the first help screen leaves out: few people need them. The reference and
// --help of each describe them.
var offScreen = []string{"cg", "perft", "completion"}

func isOffScreen(c *cobra.Command) bool {
	return slices.Contains(offScreen, strings.TrimPrefix(c.CommandPath(), c.Root().Name()+" "))
}

// printHelp prints what a command does and its usage, at the width of the terminal.
func printHelp(cmd *cobra.Command, _ []string) {
	about := console.Wrap(strings.TrimSpace(cmp.Or(cmd.Long, cmd.Short)), console.Width())
	fmt.Fprintf(cmd.OutOrStdout(), "%s\n\n", about)
	_ = printUsage(cmd) // the output remembers that it failed
}

// printUsage prints a command's subcommands and flags, in groups.
func printUsage(cmd *cobra.Command) error {
	var b strings.Builder
	columns := console.Width()
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", console.WrapCommands(cmd.Example, columns))
	}
	groups := cmd.Groups()
	if len(groups) == 0 {
		groups = []*cobra.Group{{Title: "Commands:"}}
	}
	for _, g := range groups {
		title := "\n" + g.Title + "\n"
		for _, c := range cmd.Commands() {
			if c.GroupID == g.ID && !isOffScreen(c) {
				line := fmt.Sprintf("  %-*s %s", c.NamePadding(), c.Name(), c.Short)
				b.WriteString(title + strings.Join(console.Fold(line, columns, c.NamePadding()+3, ""), "\n") + "\n")
				title = ""
			}
		}
	}
	writeFlags(&b, cmd, columns)
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

var flagGroups = []string{
	"Common flags", "Flags", "Search", "Games", "Positions of generated games", "Tables of other programs",
	regress.OfPatterns, regress.OfFeatures, "Farm", "Output",
}

// writeFlags lists the flags of a command: those in its examples first, then the others by group,
// wrapped to a width unless it is 0.
func writeFlags(b *strings.Builder, cmd *cobra.Command, columns int) {
	sets := map[string]*pflag.FlagSet{}
	add := func(f *pflag.Flag) {
		title := heading(cmd, f)
		if sets[title] == nil {
			sets[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
		}
		sets[title].AddFlag(f)
	}
	cmd.InitDefaultHelpFlag()
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	for _, title := range flagGroups {
		if s := sets[title]; s != nil && s.HasAvailableFlags() {
			fmt.Fprintf(b, "\n%s:\n%s", title, s.FlagUsagesWrapped(columns))
		}
	}
}

// fewFlags is the number of flags up to which help has no groups.
const fewFlags = 8

func heading(cmd *cobra.Command, f *pflag.Flag) string {
	n := 0
	cmd.LocalFlags().VisitAll(func(*pflag.Flag) { n++ })
	if n <= fewFlags {
		return "Flags"
	}
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "(?:" + name + "|-" + f.Shorthand + ")"
	}
	if regexp.MustCompile(`(?m) ` + name + `(?: |$)`).MatchString(cmd.Example) {
		return "Common flags"
	}
	return cmp.Or(strings.Join(f.Annotations[spec.Group], ""), "Flags")
}

func completionCommand() *cobra.Command {
	return withoutJSON(&cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "print a completion script for a shell",
		Long:  "Prints a completion script for a shell. That for bash needs the package bash-completion.",
		Example: "  source <(train completion bash)\n  train completion zsh > \"${fpath[1]}/_train\"\n" +
			"  train completion fish > ~/.config/fish/completions/train.fish",
		ValidArgs: []string{"bash", "zsh", "fish"},
	}, func(j *job) error {
		switch root, out := j.Root(), j.OutOrStdout(); j.args[0] {
		case "bash":
			return root.GenBashCompletionV2(out, true)
		case "zsh":
			return root.GenZshCompletion(out)
		case "fish":
			return root.GenFishCompletion(out, true)
		}
		return usagef("no completion for %q: %s", j.args[0], wording.Expect(j.args[0], j.ValidArgs))
	})
}

// completeFlag lets shells complete a flag whose values have names; they complete file names if
// none matches.
func completeFlag(cmd *cobra.Command, f *pflag.Flag) {
	values := f.Annotations[spec.Choices]
	switch f.Name {
	case "level":
		values = engine.LevelNames()
	case "game":
		values = gameNames()
	case "rules":
		for _, i := range infos() {
			values = append(values, i.Rules...)
		}
	case "weights":
		values = allEvaluations()
	}
	if len(values) > 0 && f.Value.Type() == "string" {
		_ = cmd.RegisterFlagCompletionFunc(f.Name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveDefault)) // the flag exists
	}
}

func helpCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "help [COMMAND | TOPIC]",
		Short:   "help for a command, or on players, sets and filters",
		Example: "  train help fit\n  train help book expand\n  train help players",
		RunE: func(cmd *cobra.Command, args []string) error {
			about, rest, err := cmd.Root().Find(args)
			if len(rest) > 0 && about.HasSubCommands() {
				return unknownCommand(about, rest[0])
			}
			if err != nil || len(rest) > 0 {
				return usagef("unknown command %q: see `%s --help`", strings.Join(args, " "), programName())
			}
			if about.IsAdditionalHelpTopicCommand() {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), console.Wrap(about.Long, console.Width()))
				return err
			}
			return about.Help()
		},
	}
}

// krooProgram is the name of Kroo's own program, also in the texts of commands.
const krooProgram = "train"

// programName returns the name of the program in help and errors: its own for a program of other games.
func programName() string {
	if hasOware() {
		return krooProgram
	}
	return strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe")
}

// nameProgram replaces the name of Kroo's program in the help of a command, and of those below it, if the
// program has another.
func nameProgram(cmd *cobra.Command) {
	if programName() == krooProgram {
		return
	}
	names := []string{"help"}
	for _, g := range commandGroups() {
		for _, m := range g.commands {
			names = append(names, m.name)
		}
	}
	called := regexp.MustCompile(`\b` + krooProgram + ` (` + strings.Join(names, "|") + `)\b`)
	rename := func(text *string) { *text = called.ReplaceAllString(*text, programName()+" $1") }
	var visit func(*cobra.Command)
	visit = func(cmd *cobra.Command) {
		rename(&cmd.Short)
		rename(&cmd.Long)
		rename(&cmd.Example)
		cmd.Flags().VisitAll(func(f *pflag.Flag) { rename(&f.Usage) })
		for _, sub := range cmd.Commands() {
			visit(sub)
		}
	}
	visit(cmd)
}

// topics returns the heading of the topics of `train help TOPIC` in help.
func topics() string { return "Topics of " + programName() + " help" }

// helpTopics returns the topics, which describe the syntax of some flags and operands, as commands
// that do nothing.
func helpTopics() []*cobra.Command {
	return []*cobra.Command{
		{
			Use:     "players",
			GroupID: topics(),
			Short:   "syntax of players of matches, and of other programs",
			Long:    engine.SpecHelp + programHelp,
		},
		{Use: "sets", GroupID: topics(), Short: "syntax of feature sets", Long: setHelp},
		{Use: "filters", GroupID: topics(), Short: "syntax of conditions on rows", Long: filterHelp},
	}
}

const programHelp = `

--engine takes a program in the same form, with cmd, option.NAME, dir, startup, timeout
and unit: it then searches instead of Kroo's engine, one process per worker. A program
that crashes, hangs or answers nonsense is restarted and asked again, three times in all.
A mate counts as a won game, but not as proven. Endgame tables are not used unless
--tables names them. "train engine check" tests a program; "train weights calibrate" measures its unit.`

const setHelp = `There are two kinds of feature sets; ` + "`train features --list`" + ` shows those of a game.

An antisymmetric set has a name, such as thesis or squares: the value
for the side to move minus the value for the other side.
` + "`train features LABELS --set NAME`" + ` makes a table of it for ` + "`train fit`" + `.

A set of patterns is families joined by +, such as store+houses+adjacent:
` + "`train fit LABELS --set FAMILY+FAMILY`" + ` computes the features from labels.
FAMILY/2 to FAMILY/4 have weights of their own for each of two to four stages of the
game: store+houses/2+pairs/2.`

const filterHelp = `--where takes a condition on the columns of a row:

  phase>=20, exact=false           both; "and" means the same as the comma
  captures>3 or captures<-3        at least one
  own_captures - opp_captures > 3  sums and differences of numbers and columns
  best!=F, board=4-4-4-4-4-4-4-4-4-4-4-4-0-0-S

"and" binds tighter than "or"; parentheses bind tightest.

The columns are key, board, and those that "train inspect" shows; a condition with an
unknown column lists them. In a table of features, the name of a feature, such as
captures, <1 or lt_1, is the value that weights are fitted to: the mover's minus the
opponent's. Numbers are compared by = != < <= > >=, true, false and text by = and !=. Text that contains a comma, a parenthesis,
"and" or "or" needs quotes. Quote the whole condition in a shell, where > and < redirect.

The output records the condition and its dataset.`
