package commands

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/internal/spec"
	"kroo/regress"
)

// commandGroup is a title of `train --help`, and the commands below it.
type commandGroup struct {
	title    string
	commands []string
}

var commandGroups = []commandGroup{
	{"Start", []string{"run", "play", "serve", "analyse"}},
	{"Train", []string{"sample", "label", "features", "fit", "evaluate", "weights", "inspect"}},
	{"Measure", []string{"match", "tune", "study"}},
	{"Books and endgames", []string{"book", "endgame"}},
	{"Engine", []string{"uci", "cg", "engine"}},
	{"Files", []string{"convert", "adopt", "ogn"}},
	{"Machines", []string{"farm"}},
	{"More", []string{"bench", "perft", "completion", "version", "help"}},
}

// groupCommands puts the commands of the root into their groups.
func groupCommands(root *cobra.Command) {
	for _, g := range commandGroups {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, cmd := range root.Commands() {
			if slices.Contains(g.commands, cmd.Name()) {
				cmd.GroupID = g.title
			}
		}
	}
	root.SetHelpCommandGroupID(commandGroups[len(commandGroups)-1].title)
}

// usage prints how a command is used: the commands below it and its flags, in groups.
func usage(cmd *cobra.Command) error {
	var b strings.Builder
	b.WriteString("Usage:\n")
	if cmd.Runnable() {
		fmt.Fprintf(&b, "  %s\n", cmd.UseLine())
	}
	if cmd.HasAvailableSubCommands() {
		fmt.Fprintf(&b, "  %s [command]\n", cmd.CommandPath())
	}
	if cmd.Example != "" {
		fmt.Fprintf(&b, "\nExamples:\n%s\n", cmd.Example)
	}
	writeCommands(&b, cmd)
	writeFlags(&b, cmd)
	_, err := io.WriteString(cmd.OutOrStderr(), b.String())
	return err
}

// writeCommands lists the commands below a command, by group if they have groups, and the topics
// of help.
func writeCommands(b *strings.Builder, cmd *cobra.Command) {
	if !cmd.HasAvailableSubCommands() {
		return
	}
	line := func(c *cobra.Command) { fmt.Fprintf(b, "  %-*s %s\n", c.NamePadding(), c.Name(), c.Short) }
	if len(cmd.Groups()) == 0 {
		b.WriteString("\nCommands:\n")
	}
	for _, g := range commandGroups {
		if !cmd.ContainsGroup(g.title) {
			continue
		}
		title := "\n" + g.title + ":\n"
		for _, name := range g.commands {
			if c, _, err := cmd.Find([]string{name}); err == nil && c != cmd {
				b.WriteString(title)
				title = ""
				line(c)
			}
		}
	}
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() && c.GroupID == "" {
			line(c)
		}
	}
	if cmd.HasHelpSubCommands() {
		b.WriteString("\nTopics of train help:\n")
		for _, c := range cmd.Commands() {
			if c.IsAdditionalHelpTopicCommand() && !c.Hidden {
				line(c)
			}
		}
	}
}

// flagGroups are titles of help, with the names of the flags below them; a name that ends in a
// hyphen is how the names begin. Other flags come before them.
var flagGroups = []struct {
	title string
	names []string
}{
	{"Search", []string{"engine", "weights", "book", "nodes", "depth", "movetime", "hash", "threads", "tables", "full-width", "step", "all-moves", "workers"}},
	{"Games", []string{"opening-plies", "openings", "tc", "margin", "max-plies", "adjudicate-", "sprt", "model", "alpha", "beta"}},
	{"Positions of generated games", []string{"every", "min-phase", "random-moves"}},
	{"Tables of other programs", []string{"board", "score", "score-", "result", "columns", "columns-view", "labels", "weight", "skip-bad-rows", "strict", "set"}},
	{regress.OfPatterns, nil},
	{regress.OfFeatures, nil},
	{"Farm", []string{"farm", "farm-"}},
	{"Output", []string{"json", "force", "plots", "page", "html", "log"}},
}

// writeFlags lists the flags of a command: first those that its examples use, then the others by
// group.
func writeFlags(b *strings.Builder, cmd *cobra.Command) {
	titles := []string{"Common flags", "Flags"}
	for _, g := range flagGroups {
		titles = append(titles, g.title)
	}
	sets := map[string]*pflag.FlagSet{}
	add := func(f *pflag.Flag) {
		title := titleOf(cmd, f)
		if sets[title] == nil {
			sets[title] = pflag.NewFlagSet(title, pflag.ContinueOnError)
		}
		sets[title].AddFlag(f)
	}
	cmd.InitDefaultHelpFlag()
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	for _, title := range titles {
		if s := sets[title]; s != nil && s.HasAvailableFlags() {
			fmt.Fprintf(b, "\n%s:\n%s", title, s.FlagUsages())
		}
	}
}

// fewFlags are as many as need no groups.
const fewFlags = 8

// titleOf is the title below which help lists a flag of a command.
func titleOf(cmd *cobra.Command, f *pflag.Flag) string {
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
	if group := f.Annotations[spec.Group]; len(group) > 0 && group[0] != "" {
		return group[0]
	}
	for _, g := range flagGroups {
		for _, name := range g.names {
			if f.Name == name || strings.HasSuffix(name, "-") && strings.HasPrefix(f.Name, name) {
				return g.title
			}
		}
	}
	return "Flags"
}
