package main

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
)

// A docLine is a command line of a document, without what a shell does with it.
type docLine struct {
	file    string
	line    int
	fenced  bool
	kind    string   // "short" and "long" are run, one after the other in each file
	smaller []string // flags behind "long": with those that it has, a command is short
	args    []string
	script  string // a file of the document that a shell runs instead
}

var (
	spanOfCode = regexp.MustCompile("`([^`]+)`")
	// called is how documents name the program.
	scripted = regexp.MustCompile(`^sh ([a-z]+\.sh)$`)
	called   = regexp.MustCompile(`^(?:\$ )?(?:\./|go run \./cmd/)?train(?: |$)`)
)

// docLines are the command lines of a document: in blocks of code, fenced or indented,
// and in spans of code. The word after the language of a fence is the kind.
func docLines(file, text string) (list []docLine) {
	fenced, kind, smaller := false, "", []string(nil)
	add := func(line int, code string) {
		if args, ok := commandOf(code); ok {
			list = append(list, docLine{file, line, fenced, kind, smaller, args, ""})
		}
	}
	whole := ""
	for i, line := range strings.Split(text, "\n") {
		if info, fence := strings.CutPrefix(line, "```"); fence {
			fenced = !fenced
			kind, smaller = "", nil
			if words := strings.Fields(info); fenced && len(words) > 1 {
				kind, smaller = words[1], words[2:]
			}
			continue
		}
		switch {
		case kind == "short" && scripted.MatchString(line):
			list = append(list, docLine{file: file, line: i + 1, fenced: true, kind: kind, script: scripted.FindStringSubmatch(line)[1]})
		case fenced && strings.HasSuffix(line, `\`):
			whole += strings.TrimSuffix(line, `\`) + " "
		case fenced:
			add(i+1, whole+line)
			whole = ""
		case strings.HasPrefix(line, "    "):
			add(i+1, strings.TrimSpace(line))
		default:
			for _, m := range spanOfCode.FindAllStringSubmatch(line, -1) {
				add(i+1, m[1])
			}
		}
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

// shellWords are the words up to a redirection, a pipe, another command or a comment.
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

// documents are the texts for people in this repository.
func documents(t *testing.T) (list []string) {
	t.Helper()
	const root = "../.."
	list, err := filepath.Glob(root + "/*.md")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root+"/docs", func(path string, d fs.DirEntry, err error) error {
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

func allDocLines(t *testing.T) (list []docLine) {
	t.Helper()
	for _, file := range documents(t) {
		if filepath.Base(file) == "CHANGELOG.md" { // which tells of commands as they were
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, docLines(file, string(text))...)
	}
	return list
}

// Every command and flag that a document names exists.
func TestCommandsOfTheDocumentsExist(t *testing.T) {
	lines := allDocLines(t)
	if len(lines) < 100 {
		t.Fatalf("%d command lines found, expected more: is a document missing?", len(lines))
	}
	for _, l := range lines {
		if problem := wrongWith(l.args); l.script == "" && problem != "" {
			t.Errorf("%s:%d: train %s: %s", l.file, l.line, strings.Join(l.args, " "), problem)
		}
	}
}

// wrongWith checks the names of commands and flags; values and operands may be
// placeholders.
func wrongWith(args []string) string {
	cmd, rest, err := newRoot().Find(args)
	if err != nil {
		return err.Error()
	}
	cmd.InitDefaultHelpFlag()
	for i := 0; i < len(rest); i++ {
		word := rest[i]
		if strings.HasPrefix(word, "[") { // of a usage line
			continue
		}
		if !strings.HasPrefix(word, "-") || word == "-" {
			if cmd.HasSubCommands() && !cmd.HasParent() || cmd.HasSubCommands() && cmd.Args(cmd, rest[i:i+1]) != nil {
				return "no command " + word
			}
			continue
		}
		name, _, given := strings.Cut(strings.TrimLeft(word, "-"), "=")
		flag := cmd.Flag(name)
		if len(word) == 2 && word[1] != '-' {
			flag = cmd.Flags().ShorthandLookup(name)
		}
		if flag == nil {
			return "no flag " + word
		}
		if !given && flag.NoOptDefVal == "" {
			i++
		}
	}
	return ""
}

func TestWrongCommandsOfDocumentsAreFound(t *testing.T) {
	for line, want := range map[string]string{
		"train run --preset quick":                 "",
		"./train match --a X --b=Y --pairs 3 -o F": "",
		"go run ./cmd/train book query BOOK":       "",
		"train":                                    "",
		"train rum":                                "rum",
		"train book querry x":                      "querry",
		"train run --presets quick":                "no flag --presets",
		"train run -x":                             "no flag -x",
	} {
		args, ok := commandOf(line)
		if got := wrongWith(args); !ok || (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: %q, expected %q", line, got, want)
		}
	}
	if _, ok := commandOf("trainer run"); ok {
		t.Error("another program is taken for this one")
	}
}

func TestDocLinesAreFoundWhereverTheyStand(t *testing.T) {
	text := "Say `train run` or `ls`.\n\n    train bench\n\n```sh short\n# no command\n./train sample --n 3 \\\n  -o 'a b.parquet' # why\ntrain fit x > y\n```\n```\ntrain uci\n```\n```sh long --n=1\ntrain bench\n```\n"
	var got []string
	for _, l := range docLines("f", text) {
		got = append(got, l.kind+":"+strings.Join(slices.Concat(l.args, l.smaller), "|"))
	}
	want := []string{":run", ":bench", "short:sample|--n|3|-o|a b.parquet", "short:fit|x", ":uci", "long:bench|--n=1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
}

var link = regexp.MustCompile(`\]\(([^)]+)\)`)

// Every link and picture of a document that does not lead elsewhere is there.
func TestLinksOfTheDocumentsLeadSomewhere(t *testing.T) {
	found := 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			path, _, _ := strings.Cut(m[1], "#")
			if path == "" || strings.Contains(path, "://") {
				continue
			}
			found++
			if _, err := os.Stat(filepath.Join(filepath.Dir(file), path)); err != nil {
				t.Errorf("%s: link to %s: %v", file, m[1], err)
			}
		}
	}
	if found < 20 {
		t.Errorf("%d links found, expected 20 and more", found)
	}
}

// A document that names a test as its proof names one that is there.
func TestTestsThatTheDocumentsNameExist(t *testing.T) {
	there := map[string]bool{}
	err := filepath.WalkDir("../..", func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, "_test.go") {
			text, err := os.ReadFile(path)
			for _, m := range testDefined.FindAllStringSubmatch(string(text), -1) {
				there[m[1]] = true
			}
			return err
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, file := range documents(t) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testNamed.FindAllStringSubmatch(string(text), -1) {
			if named++; !there[m[1]] {
				t.Errorf("%s names %s: expected a test that exists", file, m[1])
			}
		}
	}
	if named < 50 {
		t.Errorf("%d tests named: expected those of docs/sources.md at least", named)
	}
}

var (
	testDefined = regexp.MustCompile(`(?m)^func (Test[A-Z]\w*)`)
	testNamed   = regexp.MustCompile("`(Test[A-Z]\\w*)`")
)

// The commands of the documents that are marked short do what they say; those marked long
// do so with the flags that stand behind the mark, and as they stand in a night:
// KROO_LONG=1 go test -run Documents -timeout 12h ./cmd/train.
func TestCommandsOfTheDocumentsWork(t *testing.T) {
	t.Parallel()
	dirs, ran, night := map[string]string{}, 0, os.Getenv("KROO_LONG") != ""
	for _, l := range allDocLines(t) {
		if l.kind != "short" && (l.kind != "long" || len(l.smaller) == 0 && !night) {
			continue
		}
		if dirs[l.file] == "" {
			dirs[l.file] = t.TempDir()
			beside(t, l.file, dirs[l.file])
			if err := os.WriteFile(filepath.Join(dirs[l.file], "short.toml"), []byte(shortRun), 0o644); err != nil {
				t.Fatal(err)
			}
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

// smallerFlags are the flags behind the mark that the command has.
func (l docLine) smallerFlags(t *testing.T) (flags []string) {
	t.Helper()
	cmd, _, err := newRoot().Find(l.args)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range l.smaller {
		name, _, _ := strings.Cut(strings.TrimPrefix(word, "--"), "=")
		if cmd.Flag(name) != nil {
			flags = append(flags, word)
		}
	}
	return flags
}

// work runs a command as a person does: a game is asked for a hint, and a server for its
// page.
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
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer cmd.Process.Kill()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	page, err := http.Get(strings.TrimSpace(address))
	if err != nil {
		t.Fatal(err)
	}
	defer page.Body.Close()
	if text, err := io.ReadAll(page.Body); err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(text), "<html") {
		t.Errorf("%s: %s, %v:\n%.200s", address, page.Status, err, text)
	}
}

// Nobody can follow a tour further than its commands work: every marked block of the README is
// run, and every block of the tutorial.
func TestAllCommandsOfTheToursAreRun(t *testing.T) {
	for _, tour := range []struct {
		file string
		all  bool
		runs int
	}{{"../../README.md", false, 24}, {"../../docs/tutorial.md", true, 12}} {
		text, err := os.ReadFile(tour.file)
		if err != nil {
			t.Fatal(err)
		}
		ran := 0
		for _, l := range docLines(tour.file, string(text)) {
			switch {
			case l.kind == "short", l.kind == "long" && len(l.smaller) > 0:
				ran++
			case l.fenced && tour.all:
				t.Errorf("%s:%d: train %s: expected a block marked short, or long with flags that make it so", l.file, l.line, strings.Join(l.args, " "))
			}
		}
		if ran < tour.runs {
			t.Errorf("%s: %d commands are run, expected %d and more", tour.file, ran, tour.runs)
		}
	}
}

// fileBlock is a block of a document that is a file: the word after the language is its name.
var fileBlock = regexp.MustCompile("(?sm)^```(?:toml|sh) ([a-z]+\\.(?:toml|sh))\n(.*?)^```")

// beside writes what the commands of a document find: the files that it has, and a program
// that speaks UCI.
func beside(t *testing.T, file, dir string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{"engine": "#!/bin/sh\nexec '" + self + "' uci --weights captures --tables none --hash 1\n"}
	for _, m := range fileBlock.FindAllStringSubmatch(string(text), -1) {
		files[m[1]] = m[2]
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
}
