package main

import (
	"cmp"
	"os"
	"os/exec"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// printPaged prints a text, through the person's pager if it is longer than their screen.
func printPaged(cmd *cobra.Command, text string) error {
	if _, rows, err := term.GetSize(int(os.Stdout.Fd())); err == nil && strings.Count(text, "\n") >= rows {
		if pager := pagerCommand(); pager != nil {
			pager.Stdin = strings.NewReader(string(harmless([]byte(text))))
			pager.Stdout, pager.Stderr = os.Stdout, os.Stderr
			if pager.Run() == nil {
				return nil
			}
		}
	}
	_, err := cmd.OutOrStdout().Write([]byte(text))
	return err
}

// pagerCommand is PAGER, or less, as other programs run it: it leaves a text that fits on
// the screen there. It is nil where there is neither.
func pagerCommand() *exec.Cmd {
	words := strings.Fields(cmp.Or(os.Getenv("PAGER"), "less -FRX"))
	if len(words) == 0 || words[0] == "cat" {
		return nil
	}
	path, err := exec.LookPath(words[0])
	if err != nil {
		return nil
	}
	return exec.Command(path, words[1:]...)
}
