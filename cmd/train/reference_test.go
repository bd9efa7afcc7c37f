package main

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kroo/commands"
	"kroo/dropout"
	"kroo/internal/testkit"
	"kroo/internal/wording"
	"kroo/run"
)

var update = flag.Bool("update", false, "write docs/reference.md from the command tree")

const referenceFile = "../../docs/reference.md"

// docs/reference.md matches the command tree; -update writes it.
func TestReferenceIsTheCommandTree(t *testing.T) {
	want := reference(t)
	if *update {
		testkit.NoError(t, os.WriteFile(referenceFile, []byte(want), 0o644))
	}
	page := strings.Split(string(testkit.Read(t, referenceFile)), "\n")
	for i, line := range strings.Split(want, "\n") {
		if i == len(page) || page[i] != line {
			t.Fatalf("docs/reference.md:%d is not %q: go test ./cmd/train -run Reference -update writes the page", i+1, line)
		}
	}
	testkit.Equal(t, len(page), strings.Count(want, "\n")+1, "lines of docs/reference.md")
}

// reference returns a page on every command and flag.
func reference(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString("# Reference\n\nEvery command with its flags, as `--help` prints them. This page is generated.\n" +
		"Exit codes: 0 done, 1 failed or a check did not pass, 2 wrong command line.\n")
	root := commands.Tree()
	var contents, sections strings.Builder
	walkCommands(root, func(c *cobra.Command) {
		path := c.CommandPath()
		fmt.Fprintf(&contents, "- [%s](#%s): %s\n", path, strings.ReplaceAll(path, " ", "-"), c.Short)
		referTo(t, &sections, c)
	})
	for _, topic := range root.Commands() {
		if !topic.IsAdditionalHelpTopicCommand() {
			continue
		}
		fmt.Fprintf(&contents, "- [train help %[1]s](#train-help-%[1]s): %[2]s\n", topic.Name(), topic.Short)
		fmt.Fprintf(&sections, "\n## train help %s\n\n```text\n%s\n```\n", topic.Name(), topic.Long)
	}
	contents.WriteString("- [Settings of a run](#settings-of-a-run): every setting of a configuration of train run\n")
	settings := "\n## Settings of a run\n\nEvery setting of a file for `train run --config`, with its default and range. Remove the `#` from a\n" +
		"section and from the settings that you change. A setting without a value has no default.\n\n```toml\n" +
		new(run.Config).Text() + "```\n"
	return b.String() + "\n" + contents.String() + sections.String() + settings
}

func walkCommands(c *cobra.Command, visit func(*cobra.Command)) {
	visit(c)
	byName := func(a, b *cobra.Command) int { return strings.Compare(a.Name(), b.Name()) }
	for _, sub := range slices.SortedFunc(slices.Values(c.Commands()), byName) {
		if sub.IsAvailableCommand() && sub.Name() != "help" {
			walkCommands(sub, visit)
		}
	}
}

// runnable returns the commands without subcommands.
func runnable(root *cobra.Command) (list []*cobra.Command) {
	walkCommands(root, func(c *cobra.Command) {
		if c.Runnable() && !c.HasSubCommands() {
			list = append(list, c)
		}
	})
	return list
}

// pathOf returns the name of a command below the root, such as "book query".
func pathOf(c *cobra.Command) string {
	return strings.TrimSpace(strings.TrimPrefix(c.CommandPath(), "train"))
}

// referTo writes the section of one command.
func referTo(t *testing.T, b *strings.Builder, c *cobra.Command) {
	t.Helper()
	long := c.Long
	if long == "" {
		long = c.Short
	}
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n\n```text\n%s\n```\n", c.CommandPath(), long, c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", unindent(c.Example))
	}
	fmt.Fprintf(b, "\n```text\n%s```\n", flagsIn(t, helpOf(t, c)))
}

// helpOf returns what --help prints, for 80 columns since the output is no terminal.
func helpOf(t *testing.T, c *cobra.Command) string {
	t.Helper()
	return good(t, ".", append(strings.Fields(pathOf(c)), "--help")...)
}

// firstFlags matches the heading of the first flags in the help of a command.
var firstFlags = regexp.MustCompile(`(?m)^[A-Z][a-z ]*:\n +-`)

// flagsIn returns the flags, in groups, at the end of a help.
func flagsIn(t *testing.T, help string) string {
	t.Helper()
	at := firstFlags.FindStringIndex(help)
	if at == nil {
		t.Fatalf("no flags in\n%s", help)
	}
	return help[at[0]:]
}

func unindent(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// longest matches words that help does not break.
var longest = regexp.MustCompile(`\S{60}|'[^']{40,}'`)

// checkWidth checks the lines of a help.
func checkWidth(t *testing.T, what, help string, columns int) {
	t.Helper()
	for line := range strings.Lines(help) {
		line = strings.TrimSuffix(line, "\n")
		if utf8.RuneCountInString(line) > columns && !longest.MatchString(line) {
			t.Errorf("%s: %q is wider than %d columns", what, line, columns)
		}
	}
}

// The help of every command and topic fits into 80 columns; only words are longer.
func TestHelpFitsTheTerminal(t *testing.T) {
	t.Parallel()
	root := commands.Tree()
	walkCommands(root, func(c *cobra.Command) { checkWidth(t, c.CommandPath(), helpOf(t, c), 80) })
	for _, topic := range root.Commands() {
		if topic.IsAdditionalHelpTopicCommand() {
			checkWidth(t, topic.Name(), good(t, ".", "help", topic.Name()), 80)
		}
	}
}

// The choices of --preset are the presets that exist.
func TestChoicesOfPresetsAreThePresets(t *testing.T) {
	var recipes []string
	for _, p := range dropout.Presets() {
		recipes = append(recipes, p.Name)
	}
	for path, names := range map[string][]string{"run": run.PresetNames, "book expand": recipes} {
		cmd, _, err := commands.Tree().Find(strings.Fields(path))
		testkit.NoError(t, err)
		preset := cmd.Flag("preset")
		for _, name := range names {
			testkit.NoError(t, preset.Value.Set(name))
		}
		testkit.ErrorContains(t, preset.Value.Set("?"), wording.List(names, "or"))
	}
}
