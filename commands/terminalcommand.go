package commands

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"kroo/engine"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

const terminalHelp = `The name of a move plays it. Besides:
  hint, eval  what the engine would play and what it is worth, by search and by book
  moves       the moves that there are
  undo        take back your last move and the answer
  new         begin again
  level NAME  how strong the engine plays: %s
  save FILE   write the game to a new file (OGN)
  load FILE   go on from the first game of a file
  resign      give the game up
  quit        end
`

// command does what the person typed, or says what is wrong with it.
func (t *terminal[P]) command(ctx context.Context, line string) (quit bool, err error) {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch strings.ToLower(word) {
	case "":
		return false, nil
	case "quit", "exit", "q":
		return true, nil
	case "help", "?":
		t.say(terminalHelp, strings.Join(engine.LevelNames(), ", "))
		return false, nil
	case "hint", "eval":
		err = t.hint(ctx)
		if ctx.Err() != nil {
			return false, err
		}
		return t.tell(err)
	case "moves":
		t.say("%s\n", strings.Join(t.game.State().Legal, " "))
		return false, nil
	case "save":
		return t.tell(t.save(rest))
	case "level":
		return t.tell(t.setLevel(rest))
	case "resign":
		return t.tell(t.game.Resign())
	case "new":
		t.game.Restart(t.start)
	case "load":
		err = t.load(rest)
	case "undo":
		err = t.game.Undo()
	default:
		err = t.move(word, line)
	}
	if err == nil {
		t.draw()
	}
	return t.tell(err)
}

// move plays a move. A word that is longer than the name of any is meant for a command.
func (t *terminal[P]) move(word, line string) error {
	longest := 0
	for _, name := range t.game.State().Legal {
		longest = max(longest, len(name))
	}
	err := t.game.Move(line)
	if err != nil && longest > 0 && len(word) > longest {
		return fmt.Errorf("%s is neither a move nor a command: help lists the commands", games.Quote(word))
	}
	return err
}

// tell says what is wrong; the game goes on.
func (t *terminal[P]) tell(err error) (quit bool, none error) {
	if err != nil {
		t.say("%v\n", err)
	}
	return false, nil
}

func (t *terminal[P]) hint(ctx context.Context) error {
	h, err := t.game.Hint(ctx)
	t.clearLine()
	if err != nil {
		return err
	}
	t.say("the engine would play %s\n", t.describe(h.Search))
	if h.InBook {
		t.say("its book has %s\n", t.describe(h.Book))
	}
	return nil
}

// setLevel changes the level; no name tells which it is.
func (t *terminal[P]) setLevel(name string) error {
	if name != "" {
		l, err := engine.ParseLevel(name)
		if err != nil {
			return err
		}
		t.level = l.Name
		t.game.SetLevel(l)
		t.say("the engine plays at the level %s\n", l.Name)
		return nil
	}
	if t.level == "" {
		t.say("the engine plays its best; level NAME takes %s\n", strings.Join(engine.LevelNames(), ", "))
		return nil
	}
	t.say("the engine plays at the level %s; others are %s\n", t.level, strings.Join(engine.LevelNames(), ", "))
	return nil
}

// save writes the game to a file that is not there yet.
func (t *terminal[P]) save(path string) error {
	if path == "" {
		return errors.New("save: expected the name of a file, as save game.ogn")
	}
	if err := atomicfile.Claim(path); err != nil {
		return err
	}
	if _, err := vfs.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s is there already: expected a new name", path)
	}
	var players [2]string
	person := t.game.State().Person
	players[person], players[1-person] = "person", strings.TrimSpace("Kroo "+t.level)
	rec := t.description.WithRoster(t.game.Record(players))
	err := atomicfile.WriteFile(path, func(w io.Writer) error { return t.description.WriteRecord(w, rec) })
	if err == nil {
		t.say("saved to %s\n", path)
	}
	return err
}

// load goes on from the first game of a file.
func (t *terminal[P]) load(path string) error {
	if path == "" {
		return errors.New("load: expected the name of a file, as load game.ogn")
	}
	records, err := readGames(t.description, path)
	if err != nil {
		return err
	}
	return t.game.Load(records[0])
}
