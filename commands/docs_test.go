package commands

import (
	"bufio"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// docLine is a command line of a document to run, without redirections and pipes.
type docLine struct {
	file    string
	line    int
	kind    string   // "short" or "long"
	smaller []string // flags after "long" that make a command short, if it has them
	args    []string
	script  string // shell script of the document to run instead
}

var (
	scripted = regexp.MustCompile(`^sh ([a-z]+\.sh)$`)
	// called matches the program's name in documents.
	called = regexp.MustCompile(`^(?:\$ )?(?:\./|go run \./cmd/)?train(?: |$)`)
)

// docLines returns the command lines in fenced blocks that are marked "short" or "long" after their
// language, in order.
func docLines(file, text string) (list []docLine) {
	kind, smaller, fenced, whole := "", []string(nil), false, ""
	for i, line := range strings.Split(text, "\n") {
		if info, fence := strings.CutPrefix(line, "```"); fence {
			fenced = !fenced
			kind, smaller = "", nil
			if words := strings.Fields(info); fenced && len(words) > 1 && (words[1] == "short" || words[1] == "long") {
				kind, smaller = words[1], words[2:]
			}
			continue
		}
		if kind == "" {
			continue
		}
		if m := scripted.FindStringSubmatch(line); kind == "short" && m != nil {
			list = append(list, docLine{file: file, line: i + 1, kind: kind, script: m[1]})
			continue
		}
		part, more := strings.CutSuffix(line, `\`)
		whole += part + " "
		if more {
			continue
		}
		if args, ok := commandOf(whole); ok {
			list = append(list, docLine{file, i + 1, kind, smaller, args, ""})
		}
		whole = ""
	}
	return list
}

// commandOf returns the arguments of a command line of the program.
func commandOf(code string) (args []string, ok bool) {
	at := called.FindStringIndex(code)
	if at == nil {
		return nil, false
	}
	return shellWords(code[at[1]:]), true
}

// shellWords returns the words up to a redirection, a pipe, another command or a comment.
func shellWords(s string) (words []string) {
	word, quoted, inWord := "", rune(0), false
	for _, r := range s + " " {
		switch {
		case quoted != 0 && r == quoted:
			quoted = 0
		case quoted == 0 && (r == '\'' || r == '"'):
			quoted, inWord = r, true
		case quoted == 0 && (r == ' ' || r == '\t'):
			if inWord {
				words = append(words, word)
			}
			word, inWord = "", false
		case quoted == 0 && (strings.ContainsRune(">|;&", r) || r == '#' && !inWord):
			return words
		default:
			word, inWord = word+string(r), true
		}
	}
	return words
}

// documents returns the documents of this repository.
func documents(t *testing.T) (list []string) {
	t.Helper()
	const root = ".."
	list = testkit.Must(filepath.Glob(root + "/*.md"))(t)
	err := filepath.WalkDir(root+"/docs", func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			list = append(list, path)
		}
		return err
	})
	if err != nil || len(list) < 4 {
		t.Fatalf("%d documents, %v", len(list), err)
	}
	return list
}

func TestMarkedBlocksOfDocumentsAreRun(t *testing.T) {
	text := "`train run`\n\n    train bench\n\n```sh short\n# no command\n./train sample --n 3 \\\n  -o 'a b.parquet' # why\nsh more.sh\ntrain fit x > y\n```\n```\ntrain uci\n```\n```sh long --n=1\ntrain bench\n```\n"
	var got []string
	for _, l := range docLines("f", text) {
		got = append(got, l.kind+":"+l.script+strings.Join(slices.Concat(l.args, l.smaller), "|"))
	}
	want := []string{"short:sample|--n|3|-o|a b.parquet", "short:more.sh", "short:fit|x", "long:bench|--n=1"}
	testkit.EqualSlices(t, got, want, "got")
}

func allDocLines(t *testing.T) (list []docLine) {
	t.Helper()
	for _, file := range documents(t) {
		if filepath.Base(file) == "CHANGELOG.md" { // which describes commands as they were
			continue
		}
		text := testkit.Read(t, file)
		list = append(list, docLines(file, string(text))...)
	}
	return list
}

// Commands of the documents work: those marked short as they are, those marked long with the flags
// after the mark, or as they are with KROO_LONG=1 (a night).
func TestCommandsOfTheDocumentsWork(t *testing.T) {
	t.Parallel()
	dirs, ran, night := map[string]string{}, 0, testenv.Long()
	for _, l := range allDocLines(t) {
		if l.kind == "long" && len(l.smaller) == 0 && !night {
			continue
		}
		if dirs[l.file] == "" {
			dirs[l.file] = t.TempDir()
			writeFiles(t, l.file, dirs[l.file])
			testkit.NoError(t, os.WriteFile(filepath.Join(dirs[l.file], "short.toml"), []byte(shortRun), 0o644))
		}
		if !night && l.script == "" {
			l.args = append(l.args, l.smallerFlags(t)...)
		}
		l.work(t, dirs[l.file])
		ran++
	}
	if ran < 30 {
		t.Errorf("%d commands were run, expected 30 and more", ran)
	}
}

// smallerFlags returns the flags after the mark that the command has.
func (l docLine) smallerFlags(t *testing.T) (flags []string) {
	t.Helper()
	cmd, _, err := newRoot().Find(l.args)
	testkit.NoError(t, err)
	for _, word := range l.smaller {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if cmd.Flag(name) != nil {
			flags = append(flags, word)
		}
	}
	return flags
}

// work runs a command as a person would: it asks play for a hint, and requests a page from serve.
func (l docLine) work(t *testing.T, dir string) {
	t.Helper()
	if l.script != "" {
		cmd := exec.Command("sh", l.script)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s:%d: %v, printed\n%s", l.file, l.line, err, out)
		}
		return
	}
	switch l.args[0] {
	case "serve":
		servesItsPage(t, command(dir, append(l.args, "--open=false", "--listen=127.0.0.1:0")...))
	case "play":
		cmd := command(dir, l.args...)
		cmd.Stdin = strings.NewReader("hint\nquit\n")
		if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "the engine would play ") {
			t.Fatalf("%s:%d: %v, printed\n%s", l.file, l.line, err, out)
		}
	default:
		good(t, dir, l.args...)
	}
}

// servesItsPage starts a server, reads its page and stops it.
func servesItsPage(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	out := testkit.Must(cmd.StdoutPipe())(t)
	testkit.NoError(t, cmd.Start())
	defer cmd.Wait()
	defer cmd.Process.Kill()
	address := testkit.Must(bufio.NewReader(out).ReadString('\n'))(t)
	page := testkit.Must(http.Get(strings.TrimSpace(address)))(t)
	defer page.Body.Close()
	if text, err := io.ReadAll(page.Body); err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(text), "<html") {
		t.Errorf("%s: %s, %v:\n%.200s", address, page.Status, err, text)
	}
}

// fileBlock matches a block of a document that is a file, named after the language.
var fileBlock = regexp.MustCompile("(?sm)^```(?:toml|sh) ([a-z]+\\.(?:toml|sh))\n(.*?)^```")

// writeFiles writes the files of a document's blocks, and a UCI program.
func writeFiles(t *testing.T, file, dir string) {
	t.Helper()
	self := testkit.Must(os.Executable())(t)
	text := testkit.Read(t, file)
	files := map[string]string{"engine": "#!/bin/sh\nexec '" + self + "' uci --weights captures --tables none --hash 1\n"}
	for _, m := range fileBlock.FindAllStringSubmatch(string(text), -1) {
		files[m[1]] = m[2]
	}
	for name, text := range files {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777))
	}
}
