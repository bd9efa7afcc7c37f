package endgame

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"kroo/internal/memory"
)

// BuildFile builds a table, writes it into a folder and returns the file's path. A
// journal beside it keeps finished levels until the table is written. It refuses
// a table that needs more memory than is free.
func BuildFile(ctx context.Context, c Config, folder string, progress func(done, total int64)) (string, error) {
	if free, known := memory.Free(); known && c.Memory() > free {
		return "", fmt.Errorf("a table of %d seeds takes about %s of memory to build, %s are free: ask for fewer seeds, or end other programs",
			c.Seeds, mebibytes(c.Memory()), mebibytes(free))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(folder, FileName(c.Rules))
	c.Journal = path + ".journal"
	t, err := Build(ctx, c, progress)
	if err != nil {
		return path, err
	}
	if err := t.Write(path); err != nil {
		return path, err
	}
	return path, removeJournal(c.Journal)
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20) }

func removeJournal(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
