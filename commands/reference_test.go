package commands

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kroo/dropout"
	"kroo/internal/testkit"
	"kroo/run"
)

var update = flag.Bool("update", false, "write docs/reference.md from the command tree")

const referenceFile = "../docs/reference.md"

// docs/reference.md matches the command tree; -update writes it.
func TestReferenceIsTheCommandTree(t *testing.T) {
	want := reference()
	if *update {
		testkit.NoError(t, os.WriteFile(referenceFile, []byte(want), 0o644))
	}
	page := strings.Split(string(testkit.Read(t, referenceFile)), "\n")
	for i, line := range strings.Split(want, "\n") {
		if i == len(page) || page[i] != line {
			t.Fatalf("docs/reference.md:%d is not %q: go test ./commands -run Reference -update writes the page", i+1, line)
		}
	}
	testkit.Equal(t, len(page), strings.Count(want, "\n")+1, "lines of docs/reference.md")
}

// reference returns a page on every command and flag.
func reference() string {
	var b strings.Builder
	b.WriteString("# Reference\n\nEvery command with its flags, as `--help` prints them. This page is generated.\n" +
		"Exit codes: 0 done, 1 failed or a check did not pass, 2 wrong command line.\n")
	root := newRoot()
	var contents, commands strings.Builder
	walkCommands(root, func(c *cobra.Command) {
		path := c.CommandPath()
		fmt.Fprintf(&contents, "- [%s](#%s): %s\n", path, strings.ReplaceAll(path, " ", "-"), c.Short)
		referTo(&commands, c)
	})
	for _, topic := range helpTopics() {
		fmt.Fprintf(&contents, "- [train help %[1]s](#train-help-%[1]s): %[2]s\n", topic.Name(), topic.Short)
		fmt.Fprintf(&commands, "\n## train help %s\n\n```text\n%s\n```\n", topic.Name(), topic.Long)
	}
	contents.WriteString("- [Settings of a run](#settings-of-a-run): every setting of a configuration of train run\n")
	settings := "\n## Settings of a run\n\nEvery setting of a file for `train run --config`, with its default and range. Remove the `#` from a\n" +
		"section and from the settings that you change. A setting without a value has no default.\n\n```toml\n" +
		new(run.Config).Text() + "```\n"
	return b.String() + "\n" + contents.String() + commands.String() + settings
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
func referTo(b *strings.Builder, c *cobra.Command) {
	long := c.Long
	if long == "" {
		long = c.Short
	}
	fmt.Fprintf(b, "\n## %s\n\n```text\n%s\n```\n\n```text\n%s\n```\n", c.CommandPath(), long, c.UseLine())
	if c.Example != "" {
		fmt.Fprintf(b, "\n```sh\n%s\n```\n", unindent(c.Example))
	}
	b.WriteString("\n```text")
	writeFlags(b, c, 0)
	b.WriteString("```\n")
}

func unindent(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return strings.Join(lines, "\n")
}

// The help of every command and topic fits into 80 columns; only words are longer.
func TestHelpFitsTheTerminal(t *testing.T) {
	longest := regexp.MustCompile(`\S{60}|'[^']{40,}'`)
	for _, columns := range []int{80, 120} {
		walkCommands(newRoot(), func(c *cobra.Command) {
			var flags strings.Builder
			writeFlags(&flags, c, columns)
			for line := range strings.Lines(wrapHelp(c.Long, columns) + "\n" + wrapExamples(c.Example, columns) + flags.String()) {
				line = strings.TrimSuffix(line, "\n")
				if utf8.RuneCountInString(line) > columns && !longest.MatchString(line) {
					t.Errorf("%s: %q is wider than %d columns", c.CommandPath(), line, columns)
				}
			}
		})
	}
	got := wrapExamples("  train match --a 'cmd=./other uci' --b x", 24)
	testkit.Equal(t, got, "  train match --a \\\n      'cmd=./other uci' \\\n      --b x", "examples stay commands")
}

// Folding a line changes only its blanks: an apostrophe is not a quote, and a quote is not broken.
func TestFoldingKeepsApostrophesAndQuotes(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"the engine's signature changes with the search",
		"it searches instead of Kroo's engine, or of the game's own evaluation",
		"a games' file, and the players' names",
	} {
		lines := fold(text, 20, 0, "")
		testkit.Equal(t, strings.Join(lines, " "), text, "folded to %q", lines)
		for _, line := range lines {
			if len(line) > 20 {
				t.Errorf("%q is wider than 20 columns", line)
			}
		}
	}
	lines := fold("train match --a 'cmd=./new uci' --b='cmd=./old uci' --pairs 5", 24, 4, ` \`)
	testkit.EqualSlices(t, lines, []string{`train match --a \`, `    'cmd=./new uci' \`, `    --b='cmd=./old uci' \`, "    --pairs 5"}, "folded")
}

// The choices of --preset are the presets that exist.
func TestChoicesOfPresetsAreThePresets(t *testing.T) {
	var recipes []string
	for _, p := range dropout.Presets() {
		recipes = append(recipes, p.Name)
	}
	for _, c := range []struct {
		settings any
		names    []string
	}{{runArgs{}, run.PresetNames}, {expandArgs{}, recipes}} {
		field, _ := reflect.TypeOf(c.settings).FieldByName("Preset")
		testkit.EqualSlices(t, strings.Fields(field.Tag.Get("choices")), c.names, "%T", c.settings)
	}
}
