package endgame

import (
	"context"
	"fmt"
	"path/filepath"

	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
)

// BuildFile builds a table, writes it into a folder and returns the file's path. A
// journal beside it keeps finished levels until the table is written. It refuses
// a table that needs more memory than is free.
func BuildFile(ctx context.Context, c Config, folder string, progress parallel.Progress) (string, error) {
	if err := memory.Check(fmt.Sprintf("building a table of %d seeds", c.Seeds), c.Memory()); err != nil {
		return "", fmt.Errorf("%w: ask for fewer seeds, or end other programs", err)
	}
	if err := vfs.MkdirAll(folder, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(folder, FileName(c.Rules))
	if err := atomicfile.Check(path); err != nil {
		return path, err
	}
	c.Journal = path + ".journal"
	t, err := Build(ctx, c, progress)
	if err != nil {
		return path, err
	}
	if err := t.Write(path); err != nil {
		return path, err
	}
	return path, journal.Remove(c.Journal)
}
