package match

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"

	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// Output says where to write the games of a match; the zero value means nowhere.
type Output struct {
	File string
	Made string // command for the header of File; "" omits it
}

// check checks before the games whether they can be written.
func (o Output) check() error {
	if o.File == "" {
		return nil
	}
	return atomicfile.Check(o.File)
}

func errNotEmpty(folder, name string) error {
	return fmt.Errorf("%s is not empty: %s is not one of these games; expected a new folder, or one with the first of these games", folder, name)
}

// write writes records in the format of [games.Game.ParseRecords]. The first has the command that
// made them.
func write[P games.Position[P]](o Output, g *games.Game[P], records []games.Record[P]) error {
	if o.File == "" {
		return nil
	}
	return atomicfile.WriteFile(o.File, func(w io.Writer) error { return writeRecords(w, g, records, o.Made) })
}

func writeRecords[P games.Position[P]](w io.Writer, g *games.Game[P], records []games.Record[P], made string) error {
	for i, rec := range records {
		if i == 0 {
			rec = rec.MadeBy(made)
		}
		if err := g.WriteRecord(w, rec); err != nil {
			return fmt.Errorf("game %d: %w", i+1, err)
		}
	}
	return nil
}

// Split writes every game into a file of its own, game-0001.ogn and so on, with the roster of tags
// that other programs expect ([games.Game.WithRoster]). It resumes after a call with the same or
// fewer games. It returns an error if the folder contains anything else.
func Split[P games.Position[P]](g *games.Game[P], records []games.Record[P], folder string) error {
	if err := vfs.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	lock, err := atomicfile.LockFolder(folder)
	if err != nil {
		return err
	}
	defer atomicfile.Unlock(lock)
	there, err := existingGames(g, records, folder)
	if err != nil {
		return err
	}
	for i := range records {
		path := filepath.Join(folder, splitName(i, len(records)))
		if there[filepath.Base(path)] {
			continue
		}
		if err := atomicfile.WriteFile(path, func(w io.Writer) error { return writeSplit(w, g, records[i]) }); err != nil {
			return err
		}
	}
	return nil
}

// existingGames lists the games in a folder, and returns an error if it contains anything else.
func existingGames[P games.Position[P]](g *games.Game[P], records []games.Record[P], folder string) (map[string]bool, error) {
	if err := atomicfile.RemoveTemps(folder); err != nil {
		return nil, err
	}
	list, err := vfs.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for i, rec := range records[:min(len(list), len(records))] {
		var want bytes.Buffer
		if err := writeSplit(&want, g, rec); err != nil {
			return nil, err
		}
		name := splitName(i, len(records))
		got, err := vfs.ReadFile(filepath.Join(folder, name))
		found[name] = err == nil && bytes.Equal(got, want.Bytes())
	}
	for _, f := range list {
		if !found[f.Name()] && f.Name() != atomicfile.FolderLock {
			return nil, errNotEmpty(folder, f.Name())
		}
	}
	return found, nil
}

// splitName returns the file name of one of n games, numbered from 0.
func splitName(i, n int) string {
	return fmt.Sprintf("game-%0*d.ogn", max(4, len(fmt.Sprint(n))), i+1)
}

func writeSplit[P games.Position[P]](w io.Writer, g *games.Game[P], rec games.Record[P]) error {
	return g.WriteRecord(w, g.WithRoster(rec.MadeBy("")))
}
