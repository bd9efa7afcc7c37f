package main

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kroo/commands"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// Exit codes of every command, as the reference has them.
const (
	exitDone   = 0
	exitFailed = 1
	exitUsage  = 2
)

// With this variable set, the test binary runs as the program, once or [manyCommands].
const asCommand = "KROO_TRAIN"

func TestMain(m *testing.M) {
	switch os.Getenv(asCommand) {
	case "":
	case manyCommands:
		runMany()
		return
	default:
		os.Args[0] = "train"
		end := failing()
		code := commands.Main(games...)
		end()
		os.Exit(code)
	}
	testenv.SideBySide(12)
	var err error
	if madeIn, err = os.MkdirTemp("", "made-"); err != nil {
		panic(err)
	}
	remove, err := testenv.FarmServer()
	if err != nil {
		panic(err)
	}
	dismiss := hireCrew()
	code := m.Run()
	dismiss()
	remove()
	os.RemoveAll(madeIn)
	os.Exit(code)
}

// command returns the program with arguments, in a folder.
func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// train runs the program to its end.
func train(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	out, errs, code, err := runInCrew(t.Context(), order{Dir: dir, Args: args, Env: os.Environ(), Input: os.DevNull})
	testkit.NoError(t, err)
	return out, errs, code
}

// good runs the program, which must succeed, and returns its output.
func good(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, errs, code := train(t, dir, args...)
	if code != exitDone {
		t.Fatalf("train %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// spoil writes damaged copies of a file: empty, truncated, one bit flipped, each with the manifest of
// the good file, if any.
func spoil(t *testing.T, dir, name string) (names []string) {
	t.Helper()
	data := testkit.Read(t, filepath.Join(dir, name))
	manifest, err := os.ReadFile(filepath.Join(dir, name+".manifest.json"))
	hasManifest := err == nil
	flipped := bytes.Clone(data)
	flipped[len(flipped)*2/3] ^= 0x20
	for kind, bad := range map[string][]byte{"empty": nil, "cut": data[:len(data)/2], "flipped": flipped} {
		copied := kind + "-" + name
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, copied), bad, 0o644))
		if hasManifest {
			text := strings.ReplaceAll(string(manifest), `"`+name+`"`, `"`+copied+`"`)
			testkit.NoError(t, os.WriteFile(filepath.Join(dir, copied+".manifest.json"), []byte(text), 0o644))
		}
		names = append(names, copied)
	}
	return names
}

// With a damaged, wrong or missing file, commands exit with 1, print one line that names it, and
// overwrite nothing. Without KROO_LONG a third of the uses is tried.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	dir := stageFiles(t)
	const kept = "old content\n"
	outputs := []string{"out.parquet", "out.json", "out.bin", "out.ogn"} // --force, since they do not record what made them
	for _, name := range outputs {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(kept), 0o644))
	}
	// Each use of a file, with IN in its place.
	uses := map[string][]string{
		"positions.parquet": {"label IN -o out.parquet --force --nodes 100", "inspect IN"},
		"labels.parquet":    {"features IN -o out.parquet --force", "inspect IN"},
		"features.parquet":  {"fit IN -o out.json --force", "fit features.parquet -o out.json --force --validate IN", "inspect IN"},
		"weights.json": {"label positions.parquet -o out.parquet --force --nodes 100 --weights IN", "match --a IN --pairs 1 --nodes 50 -o out.ogn --force",
			"match --b IN --pairs 1 --nodes 50", "book expand --weights IN --expansions 1 --nodes 50 -o out.bin --force", "uci --weights IN", "play --weights IN", "inspect IN"},
		"book.bin": {"book query IN", "book export IN", "book verify IN", "book stats IN",
			"book merge IN default -o out.bin --force", "book deepen IN --weights captures --nodes 50 -o out.bin --force", "book prune IN --plies 2 -o out.bin --force", "match --a book=IN --pairs 1 --nodes 50", "uci --book IN", "play --book IN", "inspect IN"},
	}
	tried := 0
	for _, name := range slices.Sorted(maps.Keys(uses)) {
		lines := uses[name]
		bad := append(spoil(t, dir, name), "missing-"+name)
		switch name { // other kinds, other rules
		case "positions.parquet":
			bad = append(bad, "labels.parquet", "weights.json", "book.bin", ".")
		case "labels.parquet":
			bad = append(bad, "features.parquet", "match.ogn", ".")
		case "features.parquet":
			bad = append(bad, "positions.parquet", ".")
		case "weights.json":
			bad = append(bad, "awari-weights.json", "positions.parquet", "book.bin", ".")
		case "book.bin":
			bad = append(bad, "weights.json", "positions.parquet", ".")
		}
		for _, line := range lines {
			for _, in := range bad {
				if strings.HasPrefix(line, "inspect") && !strings.HasPrefix(in, "empty-") && !strings.HasPrefix(in, "cut-") && !strings.HasPrefix(in, "flipped-") && !strings.HasPrefix(in, "missing-") && in != "." {
					continue // a good file of another kind
				}
				if tried++; !long() && tried%3 != 0 {
					continue
				}
				checkRefused(t, dir, strings.ReplaceAll(line, "IN", in), in)
			}
		}
	}
	for _, name := range outputs {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); string(text) != kept {
			t.Errorf("%s was overwritten", name)
		}
	}
}

func checkRefused(t *testing.T, dir, line, names string) {
	t.Helper()
	_, errs, code := train(t, dir, strings.Fields(line)...)
	if code != exitFailed || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, names) {
		t.Errorf("train %s: exit %d, printed %q: want exit 1 and one line that names %s", line, code, errs, names)
	}
}

// Folders that commands make once for all tests.
var (
	madeIn   string   // the folder around them, set by TestMain
	madeOnce sync.Map // by command lines
)

// made returns a folder in which these commands were run, with their output in the file printed and
// the configuration, if any, in short.toml. Tests copy it and do not change it.
func made(config string, lines ...string) (string, error) {
	once, _ := madeOnce.LoadOrStore(strings.Join(lines, "\n"), sync.OnceValues(func() (string, error) {
		dir, err := os.MkdirTemp(madeIn, "")
		if err != nil {
			return "", err
		}
		if config != "" {
			if err := os.WriteFile(filepath.Join(dir, "short.toml"), []byte(config), 0o644); err != nil {
				return "", err
			}
		}
		var printed []byte
		for _, line := range lines {
			out, errs, code, err := runInCrew(context.Background(), order{Dir: dir, Args: strings.Fields(line), Env: os.Environ(), Input: os.DevNull})
			if err != nil {
				return "", err
			}
			if code != exitDone {
				return "", errors.New(line + ": " + errs)
			}
			printed = append(printed, errs+out...)
		}
		return dir, os.WriteFile(filepath.Join(dir, "printed"), printed, 0o644)
	}))
	return once.(func() (string, error))()
}

// copyOf returns a copy of the folder of made.
func copyOf(t *testing.T, config string, lines ...string) string {
	t.Helper()
	from := testkit.Must(made(config, lines...))(t)
	dir := t.TempDir()
	testkit.NoError(t, os.CopyFS(dir, os.DirFS(from)))
	return dir
}

// long reports whether KROO_LONG is set.
var long = testenv.Long

// seed returns KROO_SEED, or else 1, or a new seed with KROO_LONG.
var seed = sync.OnceValues(func() (uint64, error) {
	switch text := os.Getenv("KROO_SEED"); {
	case text != "":
		return strconv.ParseUint(text, 10, 64)
	case long():
		return uint64(time.Now().UnixNano()), nil
	}
	return 1, nil
})

// drawn returns the random source of a test by its name, and logs the seed.
func drawn(t *testing.T, name string) *rand.Rand {
	t.Helper()
	s, err := seed()
	if err != nil {
		t.Fatalf("KROO_SEED: %v", err)
	}
	t.Logf("KROO_SEED=%d repeats this", s)
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(s, h.Sum64()))
}

// sample draws some of the numbers below n, in order: few, or many with KROO_LONG.
func sample(t *testing.T, name string, n, few, many int) []int {
	t.Helper()
	if long() {
		few = many
	}
	numbers := drawn(t, name).Perm(n)[:min(few, n)]
	slices.Sort(numbers)
	return numbers
}
