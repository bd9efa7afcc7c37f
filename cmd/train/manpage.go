package main

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/internal/atomicfile"
)

// pageDate is the date that pages bear: one, so that the same program writes the same bytes.
const pageDate = "Nov 2026"

// writePages writes the page of a command and of those under it.
func writePages(cmd *cobra.Command, folder string) (n int, err error) {
	err = atomicfile.WriteFile(filepath.Join(folder, pageName(cmd)+".1"), func(w io.Writer) error {
		_, err := io.WriteString(w, manPage(cmd))
		return err
	})
	if err != nil {
		return 0, err
	}
	n = 1
	for _, sub := range available(cmd) {
		more, err := writePages(sub, folder)
		if err != nil {
			return n, err
		}
		n += more
	}
	return n, nil
}

func pageName(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func available(cmd *cobra.Command) []*cobra.Command {
	return slices.DeleteFunc(slices.Clone(cmd.Commands()), func(c *cobra.Command) bool { return !c.IsAvailableCommand() })
}

// manPage is the manual page of a command, in the macros of man(7).
func manPage(cmd *cobra.Command) string {
	var b strings.Builder
	cmd.InitDefaultHelpFlag()
	name := pageName(cmd)
	fmt.Fprintf(&b, ".nh\n.ad l\n.TH %s 1 %q Kroo Kroo\n", roff(strings.ToUpper(name)), pageDate)
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(cmd.Short))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B %s\n", roff(cmd.UseLine()))
	fmt.Fprintf(&b, ".SH DESCRIPTION\n%s", prose(cmp.Or(cmd.Long, cmd.Short)))
	if subs := available(cmd); len(subs) > 0 {
		b.WriteString(".SH COMMANDS\n")
		for _, sub := range subs {
			definition(&b, `\fB`+roff(sub.Name())+`\fR`, sub.Short)
		}
	}
	options(&b, "OPTIONS", cmd.NonInheritedFlags())
	options(&b, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		b.WriteString(".SH EXAMPLES\n")
		verbatim(&b, strings.Split(cmd.Example, "\n"))
	}
	seeAlso(&b, cmd)
	return b.String()
}

// options lists flags, each with what its value is called and its default.
func options(b *strings.Builder, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		term := `\fB` + roff("--"+f.Name) + `\fR`
		if f.Shorthand != "" {
			term = `\fB` + roff("-"+f.Shorthand) + `\fR, ` + term
		}
		if value != "" {
			term += ` \fI` + roff(value) + `\fR`
		}
		if !slices.Contains([]string{"", "0", "0s", "[]", "false"}, f.DefValue) {
			usage += fmt.Sprintf(" (default %s)", f.DefValue)
		}
		definition(b, term, usage)
	})
}

func seeAlso(b *strings.Builder, cmd *cobra.Command) {
	near := available(cmd)
	if cmd.HasParent() {
		near = append([]*cobra.Command{cmd.Parent()}, near...)
	}
	var names []string
	for _, c := range near {
		names = append(names, `\fB`+roff(pageName(c))+`\fR(1)`)
	}
	if len(names) > 0 {
		fmt.Fprintf(b, ".SH SEE ALSO\n%s\n", strings.Join(names, ",\n"))
	}
}

// definition writes a term, which is roff already, and below it what it means.
func definition(b *strings.Builder, term, meaning string) {
	fmt.Fprintf(b, ".TP\n%s\n%s\n", term, roff(meaning))
}

// prose is a help text: paragraphs, and tables, which are indented and become lists of
// definitions, since a page breaks lines anew and keeps no columns.
func prose(text string) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		end := i
		for end < len(lines) && strings.HasPrefix(lines[end], "  ") {
			end++
		}
		switch {
		case end > i:
			if rows := lines[i:end]; isTable(rows) {
				definitions(&b, rows)
			} else {
				verbatim(&b, rows)
			}
			if i = end; i < len(lines) && lines[i] != "" {
				b.WriteString(".PP\n")
			}
		case lines[i] == "":
			b.WriteString(".PP\n")
			i++
		default:
			b.WriteString(roff(lines[i]) + "\n")
			i++
		}
	}
	return b.String()
}

func verbatim(b *strings.Builder, lines []string) {
	b.WriteString(".EX\n")
	for _, line := range lines {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".EE\n")
}

func indent(row string) int { return len(row) - len(strings.TrimLeft(row, " ")) }

// isTable tells a table from a part of a file: behind each term stands what it means, which
// goes on deeper, or has two blanks before it.
func isTable(rows []string) bool {
	deeper := func(row string) bool { return indent(row) > indent(rows[0]) }
	bare := func(row string) bool { return !strings.Contains(strings.TrimSpace(row), "  ") }
	return slices.ContainsFunc(rows, deeper) || !slices.ContainsFunc(rows, bare)
}

// definitions writes one table: a term, blanks, and what it means, which goes on below in the
// same column.
func definitions(b *strings.Builder, rows []string) {
	column := 0
	for _, row := range rows {
		if n := indent(row); n > indent(rows[0]) {
			column = n
		}
	}
	if column == 0 { // no meaning is longer than a line
		term, meaning, _ := strings.Cut(strings.TrimLeft(rows[0], " "), "  ")
		column = indent(rows[0]) + len(term) + 2 + indent(meaning)
	}
	for _, row := range rows {
		at := min(column, len(row))
		if term := strings.TrimSpace(row[:at]); term != "" {
			fmt.Fprintf(b, ".TP\n.B %s\n", roff(term))
		}
		b.WriteString(roff(strings.TrimSpace(row[at:])) + "\n")
	}
}

// roff is text that a page prints as it is.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		text = `\&` + text
	}
	return text
}
