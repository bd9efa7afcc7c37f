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

// versionText is what --version prints.
func versionText() string {
	return fmt.Sprintf("Kroo %s, engine %s, %s %s/%s", revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "the revision of the program and the signature of its engine",
		Example: "  train version",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintln(cmd.OutOrStdout(), versionText())
			return err
		},
	}
}

func completionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "print a script that completes command lines in a shell",
		Example: "  source <(train completion bash)\n  train completion zsh > \"${fpath[1]}/_train\"\n" +
			"  train completion fish > ~/.config/fish/completions/train.fish",
		Args:      exactArgs(1, "the name of a shell"),
		ValidArgs: []string{"bash", "zsh", "fish"},
		RunE: func(cmd *cobra.Command, args []string) error {
			root, out := cmd.Root(), cmd.OutOrStdout()
			switch args[0] {
			case "bash":
				return root.GenBashCompletionV2(out, true)
			case "zsh":
				return root.GenZshCompletion(out)
			case "fish":
				return root.GenFishCompletion(out, true)
			}
			return usagef("no completion for %q: expected bash, zsh or fish", args[0])
		},
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
