package match

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"

	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// Output says where the games of a match are written; "" is nowhere.
type Output struct {
	File   string // all games, one after the other
	Folder string // each game in a file of its own, as [Split] does
	Made   string // what File says of the command that made it; "" is nothing
}

// check finds out, before the games, whether they can be written.
func (o Output) check() error {
	if o.Folder != "" {
		if err := checkEmpty(o.Folder); err != nil {
			return err
		}
	}
	if o.File == "" {
		return nil
	}
	return atomicfile.Check(o.File)
}

// checkEmpty refuses a folder that has something in it.
func checkEmpty(folder string) error {
	there, err := vfs.ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%s is not empty: expected a new folder, for one game a file", folder)
	}
	return nil
}

// write writes the games where they belong.
func write[P games.Position[P]](o Output, g *games.Game[P], records []games.Record[P]) error {
	if o.File != "" {
		err := atomicfile.WriteFile(o.File, func(w io.Writer) error { return writeRecords(w, g, records, o.Made) })
		if err != nil {
			return err
		}
	}
	if o.Folder == "" {
		return nil
	}
	return Split(g, records, o.Folder)
}

// writeRecords writes records one after the other, as [games.Game.ParseRecords] reads
// them. The first one says what made them.
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

// partSuffix ends the name of a folder that is not finished.
const partSuffix = ".part"

// Split writes every game into a file of its own, game-0001.ogn and so on, with the
// roster of tags that other programs want ([games.Game.WithRoster]). The folder is made
// when all of them are written. One that has something else in it is refused.
func Split[P games.Position[P]](g *games.Game[P], records []games.Record[P], folder string) error {
	if err := checkEmpty(folder); err != nil {
		if holds(folder, g, records) { // an earlier call did not come to tell of it
			return nil
		}
		return err
	}
	part := filepath.Clean(folder) + partSuffix
	if err := errors.Join(vfs.RemoveAll(part), vfs.MkdirAll(part, 0o777)); err != nil {
		return err
	}
	for i := range records {
		path := filepath.Join(part, splitName(i, len(records)))
		if err := atomicfile.WriteFile(path, func(w io.Writer) error { return writeSplit(w, g, records[i]) }); err != nil {
			return err
		}
	}
	if err := vfs.Remove(folder); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := vfs.Rename(part, folder); err != nil {
		return err
	}
	return vfs.SyncDir(filepath.Dir(filepath.Clean(folder)))
}

// splitName is the file of one of n games, from 0.
func splitName(i, n int) string {
	return fmt.Sprintf("game-%0*d.ogn", max(4, len(fmt.Sprint(n))), i+1)
}

func writeSplit[P games.Position[P]](w io.Writer, g *games.Game[P], rec games.Record[P]) error {
	return g.WriteRecord(w, g.WithRoster(rec))
}

// holds tells whether a folder has the files that Split makes of the records, and no
// others.
func holds[P games.Position[P]](folder string, g *games.Game[P], records []games.Record[P]) bool {
	there, err := vfs.ReadDir(folder)
	if err != nil || len(there) != len(records) {
		return false
	}
	for i, rec := range records {
		var want bytes.Buffer
		if writeSplit(&want, g, rec) != nil {
			return false
		}
		got, err := vfs.ReadFile(filepath.Join(folder, splitName(i, len(records))))
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			return false
		}
	}
	return true
}
