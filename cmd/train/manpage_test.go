package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestManPage(t *testing.T) {
	root := &cobra.Command{Use: "train"}
	cmd := &cobra.Command{
		Use: "sow FILE", Short: "sow a house",
		Long:    "Sows.\n.profile is text, a\\b too.\n\nKeys:\n\n  house       which one,\n              A to F\n  two, three  others\n  four, fives and one blank\n\nA file:\n\n  [a]\n  b = 1  # one\n\nEnd.",
		Example: "  train sow x --n 3\n  .y",
		Run:     func(*cobra.Command, []string) {},
	}
	root.AddCommand(cmd)
	cmd.Flags().IntP("n", "n", 7, "how many `seeds`")
	cmd.Flags().Bool("all", false, "each")
	cmd.Flags().Bool("secret", false, "nothing")
	cmd.Flags().Lookup("secret").Hidden = true
	root.PersistentFlags().String("game", "", "which one")
	want := `.nh
.ad l
.TH TRAIN\-SOW 1 "Nov 2026" Kroo Kroo
.SH NAME
train\-sow \- sow a house
.SH SYNOPSIS
.B train sow FILE [flags]
.SH DESCRIPTION
Sows.
\&.profile is text, a\eb too.
.PP
Keys:
.PP
.TP
.B house
which one,
A to F
.TP
.B two, three
others
.TP
.B four, fives
and one blank
.PP
A file:
.PP
.EX
  [a]
  b = 1  # one
.EE
.PP
End.
.SH OPTIONS
.TP
\fB\-\-all\fR
each
.TP
\fB\-h\fR, \fB\-\-help\fR
help for sow
.TP
\fB\-n\fR, \fB\-\-n\fR \fIseeds\fR
how many seeds (default 7)
.SH OPTIONS OF ALL COMMANDS
.TP
\fB\-\-game\fR \fIstring\fR
which one
.SH EXAMPLES
.EX
  train sow x \-\-n 3
  .y
.EE
.SH SEE ALSO
\fBtrain\fR(1)
`
	if diff := cmp.Diff(want, manPage(cmd)); diff != "" {
		t.Error(diff)
	}
}

// A line of a page that begins with a dot is a macro of ours, and a term has a meaning below.
func TestManPagesHaveNoStrayMacros(t *testing.T) {
	pages := 0
	var check func(cmd *cobra.Command)
	check = func(cmd *cobra.Command) {
		pages++
		lines := strings.Split(manPage(cmd), "\n")
		for i, line := range lines {
			macro, _, _ := strings.Cut(line, " ")
			switch macro {
			case ".TP":
				if i+2 >= len(lines) || lines[i+1] == "" || lines[i+2] == "" || strings.HasPrefix(lines[i+2], ".") {
					t.Errorf("%s: line %d: a term without a meaning: %q", cmd.CommandPath(), i+1, lines[i:i+3])
				}
			case ".nh", ".ad", ".TH", ".SH", ".PP", ".B", ".EX", ".EE":
			default:
				if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
					t.Errorf("%s: line %d: %q", cmd.CommandPath(), i+1, line)
				}
			}
		}
		for _, sub := range available(cmd) {
			check(sub)
		}
	}
	check(newRoot())
	if pages < 60 {
		t.Errorf("%d pages", pages)
	}
}
