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

	"github.com/spf13/cobra"

	"kroo/commands"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// docLine is a command line of a document to run, without redirections and pipes.
type docLine struct {
	file    string
	line    int
	kind    string   // "short" or "long" in a marked block, else "fenced" or "text"
	smaller []string // flags after "long" that make a command short, if it has them
	args    []string
	script  string // shell script of the document to run instead
}

var (
	scripted = regexp.MustCompile(`^sh ([a-z]+\.sh)$`)
	// usesOperands matches a usage line with operands.
	usesOperands = regexp.MustCompile("[A-Z]{2}")
	// codeOfLine matches an indented line, or a code span.
	codeOfLine = regexp.MustCompile("^    (.*)$|`([^`]+)`")
	// called matches the program's name in documents.
	called = regexp.MustCompile(`^(?:\$ )?(?:\./|go run \./cmd/)?train(?: |$)`)
)

// docLines returns the command lines of a document, in order: in code blocks, fenced, and marked
// "short" or "long" after their language, or indented; and in code spans.
func docLines(file, text string) (list []docLine) {
	kind, smaller, whole := "text", []string(nil), ""
	for i, line := range strings.Split(text, "\n") {
		if info, fence := strings.CutPrefix(line, "```"); fence {
			words := strings.Fields(info)
			switch {
			case kind != "text":
				kind, smaller = "text", nil
			case len(words) > 1 && (words[1] == "short" || words[1] == "long"):
				kind, smaller = words[1], words[2:]
			default:
				kind = "fenced"
			}
			continue
		}
		if kind == "text" {
			for _, m := range codeOfLine.FindAllStringSubmatch(line, -1) {
				if args, ok := commandOf(m[1] + m[2]); ok {
					list = append(list, docLine{file: file, line: i + 1, kind: kind, args: args})
				}
			}
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
	const root = "../.."
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
	want := []string{"text:run", "text:bench", "short:sample|--n|3|-o|a b.parquet", "short:more.sh", "short:fit|x", "fenced:uci", "long:bench|--n=1"}
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
	dirs, ran, night := map[string]string{}, map[string]int{}, testenv.Long()
	for _, l := range allDocLines(t) {
		switch {
		case l.kind == "fenced" && l.file == tutorial:
			t.Errorf("%s:%d: expected a block marked short, or long with flags that make it short", l.file, l.line)
		case l.kind == "fenced" || l.kind == "text" || l.kind == "long" && len(l.smaller) == 0 && !night:
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
		ran[l.file]++
	}
	for file, least := range map[string]int{readme: 19, tutorial: 12} {
		if ran[file] < least {
			t.Errorf("%s: %d commands were run, expected %d and more: a tour must work to its end", file, ran[file], least)
		}
	}
}

const (
	readme   = "../../README.md"
	tutorial = "../../docs/tutorial.md"
)

// Commands and flags in the documents exist. Values and operands may be placeholders.
func TestCommandsOfTheDocumentsExist(t *testing.T) {
	root := commands.Tree()
	root.InitDefaultHelpCmd()
	for _, l := range allDocLines(t) {
		if problem := l.problem(root); l.script == "" && problem != "" {
			t.Errorf("%s:%d: train %s: no %s", l.file, l.line, strings.Join(l.args, " "), problem)
		}
	}
	for line, want := range map[string]string{
		"": "", "--help": "", "help book": "", "book [command]": "", "match -o x.ogn --json": "", "inspect - --head x": "", "label --where --what": "", // a value
		"bok": "bok", "book querry x": "querry", "nboard": "nboard", "--all": "--all", "fit --numbers 3": "--numbers", "fit -x": "-x",
	} {
		if got := (docLine{args: strings.Fields(line)}).problem(root); got != want {
			t.Errorf("train %s: no %q, want no %q", line, got, want)
		}
	}
}

// problem returns the command or flag that does not exist, "" if all do.
func (l docLine) problem(root *cobra.Command) string {
	cmd, rest, err := root.Find(l.args)
	if err != nil || cmd.Hidden {
		return slices.Concat(rest, l.args)[0]
	}
	cmd.InitDefaultHelpFlag()
	for i := 0; i < len(rest); i++ {
		word, _, given := strings.Cut(rest[i], "=")
		long, isLong := strings.CutPrefix(word, "--")
		flag := cmd.Flag(long)
		switch {
		case word == "-" || strings.HasPrefix(word, "["): // standard input, or part of a usage line
			continue
		case !strings.HasPrefix(word, "-"):
			if cmd.HasSubCommands() && !usesOperands.MatchString(cmd.Use) {
				return word
			}
			continue
		case !isLong && len(word) == 2:
			if flag = cmd.Flags().ShorthandLookup(word[1:]); flag == nil {
				flag = cmd.InheritedFlags().ShorthandLookup(word[1:])
			}
		}
		if flag == nil {
			return word
		}
		if flag.NoOptDefVal == "" && !given {
			i++
		}
	}
	return ""
}

// smallerFlags returns the flags after the mark that the command has.
func (l docLine) smallerFlags(t *testing.T) (flags []string) {
	t.Helper()
	cmd, _, err := commands.Tree().Find(l.args)
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

var (
	piped   = regexp.MustCompile(`^printf '([^']*)' \| (.*)$`)
	limited = regexp.MustCompile(`(?m)(?:^go |^set |--)depth (\d+)$`)
)

// answered matches the output of a search to the given depth, with a move.
func answered(service, depth string) *regexp.Regexp {
	return regexp.MustCompile(`(?m)^info depth ` + depth + ` [\s\S]*^bestmove \w+`)
}

// Every example that pipes UCI commands into the engine searches to its depth and prints a move.
func TestPipedExamplesOfTheDocumentsSearch(t *testing.T) {
	t.Parallel()
	dir, ran := stageFiles(t), 0
	for _, file := range documents(t) {
		text := testkit.Read(t, file)
		for _, line := range strings.Split(string(text), "\n") {
			m := piped.FindStringSubmatch(strings.TrimSpace(line))
			if m == nil {
				continue
			}
			args, ok := commandOf(m[2])
			input := strings.ReplaceAll(m[1], `\n`, "\n")
			asked := limited.FindStringSubmatch(input + "\n" + m[2])
			if !ok || asked == nil {
				t.Errorf("%s: %s: expected a search by depth, piped into this program", file, line)
				continue
			}
			cmd := exec.Command(os.Args[0], args...)
			cmd.Dir, cmd.Env = dir, append(os.Environ(), asCommand+"=1")
			cmd.Stdin = strings.NewReader(input)
			out, err := cmd.CombinedOutput()
			if err != nil || !answered(args[0], asked[1]).Match(out) {
				t.Errorf("%s: %s: %v, printed\n%s", filepath.Base(file), line, err, out)
			}
			ran++
		}
	}
	if ran < 4 {
		t.Errorf("%d examples were run, expected 4 and more", ran)
	}
}

var suggested = regexp.MustCompile(`(?m)^(?:next:| {6}) train (.*)$`)

// Commands that the summary of a command suggests work as printed, and so do those that they
// suggest, and so on. KROO_LONG=1 runs them without smaller limits.
func TestSuggestedCommandsWork(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]string{
		"uniform":   "sample --n 120 -o 'my positions.parquet'",
		"awari":     "sample --method pps --n 120 --rules awari -o positions.parquet",
		"tictactoe": "sample --game tictactoe --method games --n 60 --nodes 40 -o positions.parquet",
		"lamosca":   "sample --game chess --rules lamosca --method games --n 300 --nodes 20 -o positions.parquet",
		"6x6":       "sample --game othello --rules 6x6 --n 300 -o positions.parquet",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if n := followed(t, dir, good(t, dir, shellWords(first)...)); n < 2 {
				t.Errorf("%d commands were suggested: expected label, and fit or features", n)
			}
		})
	}
	t.Run("run", func(t *testing.T) {
		t.Parallel()
		dir := copyOf(t, shortRun, "run --config short.toml --dir whole")
		followed(t, dir, string(testkit.Read(t, dir+"/printed")))
	})
}

// followed runs the suggested commands, and returns their number.
func followed(t *testing.T, dir, printed string) (n int) {
	t.Helper()
	for _, m := range suggested.FindAllStringSubmatch(printed, -1) {
		args := shellWords(m[1])
		if small := map[string]string{"match": "--pairs 1 --nodes 50 --tables none", "label": "--nodes 50 --hash 1 --tables none", "run": "--print-config"}[args[0]]; small != "" && !testenv.Long() {
			args = append(args, strings.Fields(small)...)
			if dir := slices.Index(args, "--dir"); args[0] == "run" && dir > 0 {
				args = slices.Delete(args, dir, dir+2) // --print-config refuses it
			}
		}
		n += 1 + followed(t, dir, good(t, dir, args...))
	}
	return n
}
