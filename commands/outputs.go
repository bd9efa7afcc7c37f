package commands

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/datasets"
	"kroo/engine"
	"kroo/internal/atomicfile"
	"kroo/internal/checksum"
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/run/inspect"
)

// isOutput reports whether a flag names a file or folder to write.
func isOutput(f *pflag.Flag) bool { return fileTag(f) == "out" || fileTag(f) == "made" }

// fileTag returns the file tag of a flag's setting, see package spec.
func fileTag(f *pflag.Flag) string { return strings.Join(f.Annotations[spec.File], "") }

// checkOutput returns an error if a required output is not given.
func checkOutput(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if fileTag(f) == "made" && f.Value.String() == "" {
			err = missingOutput(cmd)
		}
	})
	return err
}

// outputOf matches the output in an example of a command.
var outputOf = regexp.MustCompile(` (-o \S+)`)

// missingOutput returns the error for a command without its output, with one of the examples of its help.
func missingOutput(cmd *cobra.Command) error {
	what := "FILE"
	if strings.HasPrefix(cmd.Flags().Lookup("output").Usage, "folder") {
		what = "DIR"
	}
	example := ""
	if found := outputOf.FindStringSubmatch(cmd.Example); found != nil {
		example = ", such as " + found[1]
	}
	return usagef("no output: give -o %s%s", what, example)
}

// output is a file that a command writes.
type output struct {
	path string // "" if not asked for
	kind inspect.Kind
	// forms are the extensions of the form that the command writes; nil means those of the kind.
	forms []string
	// compared: the file does not record what made it, or is quick to make. It may exist if the
	// command makes the same content again.
	compared bool
	journal  string // keeps finished work until the output is written
	// log keeps finished work for good: the same command resumes from it or extends it, and it
	// refuses other settings and inputs, but for the flags in unlogged. The output may exist if its
	// log does.
	log string
	// restarts: --force starts the log over. Other logs and journals remain: they have to be deleted.
	restarts bool
	// inFolder: the log is a folder, as in a tournament.
	inFolder bool
	// unlogged are the flags that affect the output and that the log does not check; if there are
	// any, it does not check the inputs either.
	unlogged []string
}

// claimOutputs reserves the files that a command writes, from before the work until its end: no
// other program writes them meanwhile. It returns an error for an output that is also an input, by
// whatever name, or another output, or that contains what this command does not make from these
// inputs. Inputs may also be names of other things than files. made describes the command for the
// records of its outputs.
func (j *job) claimOutputs(outputs []output, inputs ...string) (made string, err error) {
	if err := revision.Check(); err != nil {
		return "", err
	}
	made, err = madeBy(j.Command, inputs)
	if err != nil {
		return "", err
	}
	outputs = withManifests(outputs)
	for i, out := range outputs {
		if err := out.checkName(inputs, outputs[:i]); err != nil {
			return "", err
		}
		if err := out.checkForm(); err != nil {
			return "", err
		}
	}
	for _, out := range outputs {
		if out.path == "" {
			continue
		}
		if err := j.claim(out, made); err != nil {
			return "", err
		}
	}
	for _, out := range outputs {
		j.journal = cmp.Or(out.journal, out.log, j.journal)
	}
	return made, nil
}

// claim reserves one file for the command that made describes.
func (j *job) claim(out output, made string) error {
	if out.kind == inspect.KindDataset {
		if err := datasets.CheckOutput(out.path); err != nil {
			return err
		}
	}
	if err := atomicfile.Claim(out.path); err != nil {
		return err
	}
	if err := out.checkLog(); err != nil {
		return err
	}
	if j.isForced() {
		return nil
	}
	return out.checkContent(made)
}

func (j *job) isForced() bool { return j.is("force") }

// restart returns what --force adds to the header of a journal, "" without --force: the hash of the
// output to replace. So an older journal is not resumed, but that of this work is.
func (j *job) restart(out string) (string, error) {
	if !j.isForced() {
		return "", nil
	}
	hash, err := checksum.OfInput(out)
	if err != nil {
		return "", err
	}
	return "again, instead of " + cmp.Or(hash, "none"), nil
}

func withManifests(outputs []output) (all []output) {
	for _, out := range outputs {
		all = append(all, out)
		if out.path != "" && out.kind == inspect.KindDataset {
			_, err := vfs.Stat(out.path) // a manifest without its dataset is useless
			all = append(all, output{
				path:     datasets.ManifestPath(out.path),
				kind:     inspect.KindRecord,
				compared: out.compared && !errors.Is(err, fs.ErrNotExist),
			})
		}
	}
	return all
}

// exampleNames are names of files, by what they contain.
var exampleNames = map[inspect.Kind]string{
	inspect.KindDataset: "data.parquet",
	inspect.KindWeights: "weights.json",
	inspect.KindGames:   "games.ogn",
	inspect.KindBook:    "book.bin",
}

// kindForms are the extensions of the files of a kind, for people and for programs that go by them.
// The command gives other kinds their names, or they have several forms.
var kindForms = map[inspect.Kind][]string{
	inspect.KindDataset: {".parquet", ".arrow", ".csv"},
	inspect.KindGames:   {".ogn"},
	inspect.KindBook:    {".bin"},
	inspect.KindPage:    {".html"},
	inspect.KindTuning:  {".json"},
}

// checkForm returns an error for an output whose extension belongs to another form than the command
// writes.
func (o output) checkForm() error {
	forms := o.forms
	if forms == nil {
		forms = kindForms[o.kind]
	}
	if o.path == "" || forms == nil || hasForm(o.path, forms) {
		return nil
	}
	return usagef("the output %s: expected a name that ends in %s", o.path, wording.List(forms, "or"))
}

// hasForm reports whether a name has one of these extensions.
func hasForm(path string, forms []string) bool {
	extension := filepath.Ext(path)
	return slices.ContainsFunc(forms, func(form string) bool { return strings.EqualFold(form, extension) })
}

// checkName returns an error for an output that is an input or another output.
func (o output) checkName(inputs []string, others []output) error {
	if o.path == "" {
		return nil
	}
	old, err := vfs.Stat(o.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if old != nil && old.IsDir() {
		file := filepath.Join(o.path, cmp.Or(exampleNames[o.kind], "NAME"))
		return usagef("the output %s is a folder: name a file in it, such as %s", o.path, file)
	}
	for _, in := range inputs {
		if info, err := vfs.Stat(in); old != nil && err == nil && os.SameFile(old, info) {
			return usagef("the output %s is the input %s: name another file", o.path, in)
		}
	}
	for _, other := range others {
		info, err := vfs.Stat(other.path)
		if sameName(other.path, o.path) || old != nil && err == nil && os.SameFile(old, info) {
			return usagef("%s is the output for both %s and %s: name two files", o.path, other.kind, o.kind)
		}
	}
	return nil
}

// checkDistinct refuses a dataset that is given twice, also by two paths.
func checkDistinct(paths []string) error {
	for i, path := range paths {
		if slices.ContainsFunc(paths[:i], func(before string) bool { return sameName(before, path) }) {
			return usagef("%s is given twice: its rows would count twice; use --weight for that", path)
		}
	}
	return nil
}

// sameName reports whether two paths are spellings of one. Claiming them reports errors.
func sameName(a, b string) bool {
	one, err := vfs.Unique(a)
	other, oerr := vfs.Unique(b)
	return a != "" && err == nil && oerr == nil && one == other
}

// checkLog returns an error if a tournament would overwrite the log of a match, or a match the log of a
// tournament. Not even --force does that.
func (o output) checkLog() error {
	if o.log == "" {
		return nil
	}
	info, err := vfs.Stat(o.log)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() == o.inFolder {
		return nil
	}
	form := "is a folder, not the log of a match"
	if o.inFolder {
		form = "is a file, not the folder of a tournament"
	}
	o.restarts = false
	return &atomicfile.Error{Path: o.path, Err: fmt.Errorf("%s %s: %s", o.log, form, o.adviseOverwrite())}
}

// checkContent returns an error if the output exists and this command did not make it.
func (o output) checkContent(made string) error {
	info, err := vfs.Stat(o.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && info.Size() == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	kind, err := inspect.KindOf(o.path)
	if err != nil {
		return err
	}
	if kind != o.kind {
		return &atomicfile.Error{
			Path: o.path,
			Err:  fmt.Errorf("it contains %s, not %s: %s", inspect.Standing(o.path, kind), o.kind, o.adviseOverwrite()),
		}
	}
	refusal := fmt.Errorf("it contains %s, which this command does not make from these inputs: %s",
		inspect.Standing(o.path, kind), o.adviseOverwrite())
	switch {
	case o.compared:
		return atomicfile.Keep(o.path, refusal)
	case kind == inspect.KindRecord, kind == inspect.KindJournal: // checked with its dataset, or when it is opened
		return nil
	}
	found, err := inspect.Made(o.path, kind)
	if err != nil {
		return err
	}
	if found == "" || found != made && !o.extends(found, made) {
		return &atomicfile.Error{Path: o.path, Err: refusal}
	}
	return nil
}

// adviseOverwrite returns what to do about an output that contains something else.
func (o output) adviseOverwrite() string {
	if o.kind == inspect.KindJournal {
		return "name another file, or delete it to start over"
	}
	for _, kept := range []string{o.journal, o.log} {
		_, err := vfs.Stat(kept)
		if kept != "" && err == nil && !o.restarts {
			return fmt.Sprintf("name another file, or delete %s, where that work is kept, and overwrite with --force", kept)
		}
	}
	return "name another file, or overwrite it with --force"
}

// settingsOf matches the flags and the hash of the inputs in the record of a command.
var settingsOf = regexp.MustCompile(` --\S+| of [0-9a-f]{16}$`)

// extends reports whether the same command made a file, perhaps with other settings that its log,
// which exists, accepts or refuses.
func (o output) extends(found, made string) bool {
	if o.log == "" {
		return false
	}
	_, err := vfs.Stat(o.log)
	return err == nil && o.withoutLogged(found) == o.withoutLogged(made)
}

// withoutLogged returns what the log does not check in the record of a command.
func (o output) withoutLogged(made string) string {
	return settingsOf.ReplaceAllStringFunc(made, func(setting string) string {
		name, _, _ := strings.Cut(strings.TrimPrefix(setting, " --"), "=")
		inputs := strings.HasPrefix(setting, " of ")
		if len(o.unlogged) > 0 && inputs || slices.Contains(o.unlogged, name) {
			return setting
		}
		return ""
	})
}

// inRecords reports whether a flag may affect the content of a file.
func inRecords(f *pflag.Flag) bool {
	group := strings.Join(f.Annotations[spec.Group], "")
	resource := f.Name == "workers" || f.Name == "memory"
	return !isOutput(f) && group != "Farm" && group != "Output" && !resource
}

// madeBy returns how records describe this command: its operands, the flags that were given in
// alphabetical order, also with their default value, since `--movetime 200ms` next to --nodes is another
// limit than none, and a hash of its inputs. Names of inputs are without folders, so that the same work
// gives the same bytes everywhere.
func madeBy(cmd *cobra.Command, inputs []string) (string, error) {
	words := strings.Fields(cmd.CommandPath())[1:]
	words = append(words, cmd.Flags().Args()...)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Changed && inRecords(f) {
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	sum := sha256.New()
	fmt.Fprintln(sum, engine.Signature())
	for _, in := range inputs {
		hash, err := checksum.OfInput(in)
		if err != nil {
			return "", err
		}
		if hash != "" {
			fmt.Fprintln(sum, hash)
			for i := range words {
				words[i] = strings.ReplaceAll(words[i], in, filepath.Base(in))
			}
			continue
		}
		fmt.Fprintf(sum, "%q\n", in)
	}
	return inspect.MadeBy(words, hex.EncodeToString(sum.Sum(nil))), nil
}

// programFiles returns the files of a player's program, on which what it does depends; none for the engine.
func programFiles(s engine.Spec) []string {
	if s.Program.Path == "" {
		return nil
	}
	return s.Program.Files()
}
