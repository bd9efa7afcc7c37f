package main

import (
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"kroo/engine"
	"kroo/internal/atomicfile"
	"kroo/internal/plural"
	"kroo/internal/revision"
	"kroo/internal/vfs"
)

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "Kroo %s, engine %s, %s %s/%s\n", revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "the revision of the program and the signature of its engine",
		Example: "  train version",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "write the manual pages of all commands",
		Long:    "Writes a manual page for every command into a folder, which is made if need be.",
		Example: "  train man ~/.local/share/man/man1\n  man train-book-expand",
		Args:    exactArgs(1, "a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := vfs.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			n, err := writePages(cmd.Root(), args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s in %s\n", plural.Of(n, "page"), args[0])
			return err
		},
	}
}

// pageDate is the date that pages bear.
var pageDate = time.Date(2026, time.November, 1, 0, 0, 0, 0, time.UTC)

// writePages writes the page of a command and of those under it. Pages bear one date, so
// that the same program writes the same bytes.
func writePages(cmd *cobra.Command, folder string) (n int, err error) {
	header := &doc.GenManHeader{Section: "1", Source: "Kroo", Manual: "Kroo", Date: &pageDate}
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-") + ".1"
	cmd.Long = definitions(cmd.Long)
	err = atomicfile.WriteFile(filepath.Join(folder, name), func(w io.Writer) error { return doc.GenMan(cmd, header, w) })
	if err != nil {
		return 0, err
	}
	n = 1
	for _, sub := range cmd.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		more, err := writePages(sub, folder)
		if err != nil {
			return n, err
		}
		n += more
	}
	return n, nil
}

// definitions makes the tables of a help text, which are indented, lists of definitions
// in Markdown: a page breaks lines anew and keeps no columns.
func definitions(text string) string {
	var b strings.Builder
	lines := strings.Split(text, "\n")
	for i := 0; i < len(lines); {
		if !strings.HasPrefix(lines[i], "  ") {
			b.WriteString(lines[i] + "\n")
			i++
			continue
		}
		end := i
		for end < len(lines) && strings.HasPrefix(lines[end], "  ") {
			end++
		}
		b.WriteString("\n" + definitionsOf(lines[i:end]) + "\n")
		i = end
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// definitionsOf is one table: a term, blanks, and what it means, which goes on below in the
// same column.
func definitionsOf(rows []string) string {
	indent := func(row string) int { return len(row) - len(strings.TrimLeft(row, " ")) }
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
	var b strings.Builder
	for _, row := range rows {
		at := min(column, len(row))
		if term := strings.TrimSpace(row[:at]); term != "" {
			b.WriteString("\n\n" + term + "\n:")
		}
		b.WriteString(" " + strings.TrimSpace(row[at:]))
	}
	return strings.TrimLeft(b.String(), "\n") + "\n"
}
