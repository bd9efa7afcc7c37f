package pipeline

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"kroo/endgame"
	"kroo/engine/search"
	"kroo/games/oware"
)

// BuildEndgame builds a table into a folder and returns the file. Finished
// levels are in a journal beside it until it is written.
func BuildEndgame(ctx context.Context, c endgame.Config, folder string, progress Progress) (string, error) {
	if free, known := freeMemory(); known && c.Memory() > free {
		return "", fmt.Errorf("a table of %d seeds takes about %s of memory to build, %s are free: ask for fewer seeds, or end other programs",
			c.Seeds, mebibytes(c.Memory()), mebibytes(free))
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(folder, endgame.FileName(c.Rules))
	c.Journal = journalName(path)
	t, err := endgame.Build(ctx, c, progress)
	if err != nil {
		return path, err
	}
	if err := t.Write(path); err != nil {
		return path, err
	}
	return path, RemoveJournal(path)
}

func mebibytes(n int64) string { return fmt.Sprintf("%d MiB", (n+1<<20-1)>>20) }

// freeMemory is what the system can still give, as far as it says.
func freeMemory() (bytes int64, known bool) {
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, found := strings.CutPrefix(lines.Text(), "MemAvailable:"); found {
			kib, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimSpace(rest), " kB"), 10, 64)
			return kib << 10, err == nil
		}
	}
	return 0, false
}

// NoTables as SearchConfig.Tables means to search without.
const NoTables = "none"

// withTables joins an evaluation and the endgame tables of the configuration.
func (c SearchConfig) withTables(e Evaluator, rules oware.Rules) (search.Knowledge[oware.Position], error) {
	k := search.Knowledge[oware.Position]{Eval: e.Evaluator}
	t, err := c.OwnTable(rules)
	if t != nil {
		k.Prober = t
	}
	return k, err
}

// NewSearcher makes a searcher for positions under the rules, with the endgame
// tables of the configuration.
func (c SearchConfig) NewSearcher(e Evaluator, rules oware.Rules) (*search.Searcher[oware.Position], error) {
	k, err := c.withTables(e, rules)
	if err != nil {
		return nil, err
	}
	return search.NewSearcher(k, c.Options()), nil
}

// OwnTable is the endgame table of the configuration, nil for none.
func (c SearchConfig) OwnTable(rules oware.Rules) (*endgame.Table, error) {
	if c.Tables == NoTables {
		return nil, nil
	}
	return endgame.Find(c.Tables, rules)
}
