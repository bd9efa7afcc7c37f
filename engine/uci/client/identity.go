package client

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"kroo/internal/checksum"
	"kroo/internal/vfs"
)

// Identity is what the answers of a program depend on, as far as visible in its command. Files named
// by arguments or options are represented by their checksums, so that a program keeps its identity
// when moved, and an interpreter is identified by its script.
//
// A script may hide the program that answers. So the programs that a script names count too and, since
// it may find them by means that nobody can read off, what the program announces of itself.
type Identity struct {
	Recorded  string   `json:"recorded"` // the command as given, for display
	SHA256    string   `json:"sha256"`   // of the executable
	Arguments []string `json:"arguments,omitempty"`
	Options   []string `json:"options,omitempty"` // NAME=VALUE
	Protocol  Protocol `json:"protocol,omitempty"`
	Dir       string   `json:"dir,omitempty"`
	Unit      float64  `json:"unit,omitempty"`
	Times     string   `json:"times,omitempty"` // to start and to answer, if given
	// Runs has the name and the checksum of each program that a script of the command names.
	Runs []string `json:"runs,omitempty"`
	// Announced is the name and the options that the program of a script announces.
	Announced string `json:"announced,omitempty"`

	names    []string // file names without folders
	scripted bool     // the command is or runs a script
}

// Identity identifies the program of the command.
func (c Command) Identity() (i Identity, err error) {
	i = Identity{Recorded: strings.Join(c.Words(), " "), Protocol: c.Protocol, Dir: c.Dir, Unit: c.Unit}
	path, err := exec.LookPath(c.Path)
	if err != nil {
		return i, err
	}
	i.SHA256, err = checksum.File(path)
	if err != nil {
		return i, err
	}
	for _, file := range c.Files() {
		i.names = append(i.names, filepath.Base(file))
	}
	for _, word := range c.Args {
		word, err = c.identifyWord(word, c.runs(word))
		if err != nil {
			return i, err
		}
		i.Arguments = append(i.Arguments, word)
	}
	for _, o := range c.Options {
		value, err := c.identifyWord(o.Value, "")
		if err != nil {
			return i, err
		}
		i.Options = append(i.Options, o.Name+"="+value)
	}
	if c.StartUp != 0 || c.Hang != 0 {
		i.Times = c.StartUp.String() + " " + c.Hang.String()
	}
	i.Runs, i.scripted, err = c.findPrograms(path)
	return i, err
}

// String distinguishes programs whose answers may differ, regardless of their folders.
func (i Identity) String() string {
	text := ""
	if i.names != nil {
		text = fmt.Sprintf("%+q ", i.names)
	}
	text += fmt.Sprintf("%+q", slices.Concat(i.Arguments, i.Options))
	if i.Unit != 0 {
		text += fmt.Sprintf(", unit %g", i.Unit)
	}
	if i.Protocol != UCI {
		text += ", protocol " + string(i.Protocol)
	}
	if i.Dir != "" {
		text += fmt.Sprintf(", in %+q", i.Dir)
	}
	if len(i.Runs) > 0 {
		text += fmt.Sprintf(", runs %+q", i.Runs)
	}
	if i.Announced != "" {
		text += fmt.Sprintf(", announces %+q", i.Announced)
	}
	return text + ", SHA-256 " + i.SHA256
}

// WithAnnouncement returns the identity with the name and the options that the program announces, if the
// command is or runs a script. Ranges are left out, as they may depend on the machine.
func (i Identity) WithAnnouncement(name string, options []Spec) Identity {
	if !i.scripted {
		return i
	}
	parts := []string{name}
	for _, o := range options {
		parts = append(parts, o.Name+" "+o.Kind+" "+o.Default)
	}
	i.Announced = strings.Trim(strings.Join(parts, "; "), "; ")
	return i
}

// Files returns the files that the command names: the executable, and those of arguments and
// options.
func (c Command) Files() []string {
	files := []string{c.Path}
	for _, word := range c.Words()[1:] {
		if name, _ := c.fileOf(word); name != "" {
			files = append(files, c.inDir(name))
		}
	}
	return files
}

// fileOf returns the file that a word names, as FILE or NAME=FILE, and the text before it; "" if it
// names no file.
func (c Command) fileOf(word string) (file, before string) {
	name, value, both := strings.Cut(word, "=")
	if c.isFile(word) {
		return word, ""
	}
	if both && c.isFile(value) {
		return value, name + "="
	}
	return "", ""
}

func (c Command) isFile(name string) bool {
	at, err := vfs.Stat(c.inDir(name))
	return name != "" && err == nil && at.Mode().IsRegular()
}

// runs returns the program that an argument names if the command is one that runs another program
// (env, nice, taskset), looked up as in a shell; "" otherwise.
func (c Command) runs(word string) string {
	if strings.ContainsRune(c.Path, filepath.Separator) || strings.ContainsAny(word, string(filepath.Separator)+"=") {
		return ""
	}
	path, err := exec.LookPath(word)
	if err != nil {
		return ""
	}
	return path
}

// identifyWord returns a word with the checksum of the file or program that it names instead of the name.
func (c Command) identifyWord(word, program string) (string, error) {
	file, before := c.fileOf(word)
	switch {
	case file != "":
		file = c.inDir(file)
	case program != "":
		file = program
	default:
		return word, nil
	}
	sum, err := checksum.File(file)
	return before + sum, err
}

// inDir returns a path as resolved by the program.
func (c Command) inDir(name string) string {
	if filepath.IsAbs(name) || c.Dir == "" {
		return name
	}
	return c.Dir + string(filepath.Separator) + name // not cleaned: LINK/.. is the parent of LINK's target
}

// scripts finds the programs behind the scripts of a command: an engine is often started by a script,
// which stays the same when the engine is built again.
type scripts struct {
	command  Command
	files    []string // of the command, and programs that scripts name; some are scripts
	programs []string // files that scripts name
	found    bool     // a script
}

const (
	maxScript  = 64 << 10 // bytes; a longer file is no script
	maxFiles   = 100      // of all scripts
	maxFolders = 8        // that a script names
)

// findPrograms returns the name and the checksum of each program that the scripts of the command name, and
// whether there is a script: the executable, a file that an argument names, a program that the command
// runs, an argument of several words ("sh -c"), or a program that a script names.
func (c Command) findPrograms(executable string) (programs []string, found bool, err error) {
	s := scripts{command: c, files: []string{executable}}
	for _, word := range c.Args {
		if file, _ := c.fileOf(word); file != "" {
			s.files = append(s.files, c.inDir(file))
		} else if program := c.runs(word); program != "" {
			s.files = append(s.files, program)
		}
	}
	for _, word := range c.Args {
		if file, _ := c.fileOf(word); file == "" && strings.ContainsAny(word, " \t\n") {
			s.found = true
			s.add(word, c.Dir)
		}
	}
	for n := 0; n < len(s.files); n++ {
		text, err := readScript(s.files[n])
		if err != nil {
			return nil, false, err
		}
		if text != "" {
			s.found = true
			s.add(text, filepath.Dir(s.files[n]))
		}
	}
	for _, file := range s.programs {
		sum, err := checksum.File(file)
		if errors.Is(err, fs.ErrPermission) { // sudo and others can be executed, but not read
			continue
		}
		if err != nil {
			return nil, false, err
		}
		programs = append(programs, filepath.Base(file)+" "+sum)
	}
	return programs, s.found, nil
}

// readScript returns the text of a file, "" if it is no text or too long for a script.
func readScript(path string) (string, error) {
	f, err := vfs.Open(path)
	if errors.Is(err, fs.ErrPermission) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxScript+1))
	if err != nil || len(text) > maxScript || bytes.IndexByte(text, 0) >= 0 {
		return "", err
	}
	return string(text), nil
}

// add adds the programs that the text of a script in a folder names. It errs towards naming too many. A
// file that cannot be executed does not count, since a script may write to it, such as a log.
func (s *scripts) add(text, folder string) {
	text = os.Expand(text, os.Getenv) // $HOME; variables of the script itself are empty
	folders := []string{s.command.Dir, folder}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(strings.TrimSpace(line), "#") {
			continue
		}
		words := strings.FieldsFunc(line, splitsWords)
		for i, word := range words {
			if i == 0 || words[0] == "exec" {
				s.addCommand(word)
			}
			if info, err := vfs.Stat(word); err == nil && info.IsDir() && len(folders) < maxFolders {
				folders = append(folders, word)
			}
			if filepath.IsAbs(word) {
				s.addProgram(word)
			}
			for _, folder := range folders { // also of /engine after a variable
				s.addProgram(filepath.Join(folder, word))
			}
		}
	}
}

// splitsWords reports whether a character separates words in scripts of the usual languages.
func splitsWords(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("\"'`;|&()<>[]{},=:$@", r)
}

// addCommand adds the program of a word without a folder, looked up as in a shell.
func (s *scripts) addCommand(word string) {
	if strings.ContainsRune(word, filepath.Separator) {
		return
	}
	if path, err := exec.LookPath(word); err == nil {
		s.addProgram(path)
	}
}

// addProgram adds a file that is a program.
func (s *scripts) addProgram(path string) {
	info, err := vfs.Stat(path)
	if err != nil || !info.Mode().IsRegular() || slices.Contains(s.files, path) || len(s.files) >= maxFiles {
		return
	}
	if info.Mode()&0o111 == 0 && !slices.Contains(programTypes, strings.ToLower(filepath.Ext(path))) {
		return
	}
	s.files = append(s.files, path)
	s.programs = append(s.programs, path)
}

// programTypes are the types of programs that an interpreter runs, or Windows.
var programTypes = []string{".exe", ".jar", ".js", ".py"}
