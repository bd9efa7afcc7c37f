package commands

import (
	"bufio"
	"cmp"
	"fmt"
	"os"
	"strings"

	"golang.org/x/term"

	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// lesson teaches the rules of oware in a few positions to play.
func lesson(j *job) error {
	t := &terminal[oware.Position]{in: bufio.NewScanner(j.InOrStdin()), out: j.OutOrStdout(), screen: term.IsTerminal(int(os.Stdout.Fd())) && os.Getenv("TERM") != "dumb"}
	all := oware.Lesson()
	for i, e := range all {
		p, err := oware.ParseBoard(oware.Abapa, e.Board)
		if err != nil {
			return err
		}
		t.say("\n%d of %d: %s\n%s\n", i+1, len(all), e.Name, wrapped(e.Rule))
		fmt.Fprintf(drawing{t.out}, "\n%s\n", oware.Descriptor().Diagram(p))
		t.say("%s\n", e.Task)
		for solved := false; !solved; {
			t.say("your move (A-F, or quit): ")
			line, ok := t.line(j.Context())
			name := strings.ToUpper(strings.TrimSpace(line))
			if !ok || name == "QUIT" {
				fmt.Fprintln(t.out)
				return cmp.Or(j.Context().Err(), t.in.Err())
			}
			if solved = len(name) == 1 && strings.Contains(e.Moves, name); !solved {
				t.say("%s\n", wrapped(e.Wrong))
				continue
			}
			p = p.Play(oware.Move(name[0] - 'A'))
			fmt.Fprintf(drawing{t.out}, "\n%s\n", oware.Descriptor().Diagram(p))
			t.say("%s\n", wrapped(e.Right))
		}
	}
	t.say("\nThese are the rules. To play: %s play --level beginner\n", wording.Program())
	return nil
}

// wrapped is a paragraph in lines that fit a screen.
func wrapped(text string) string {
	return strings.TrimSuffix((&doc.Doc{Lead: []string{text}}).Body(), "\n")
}
