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
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/datasets"
	"kroo/engine"
	"kroo/internal/atomicfile"
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/vfs"
	"kroo/run/inspect"
)

// isOutput reports whether a flag names a file or folder to write.
func isOutput(f *pflag.Flag) bool { return fileOf(f) == "out" || fileOf(f) == "made" }

// fileOf is what package spec says of the file that a flag names, "" for other flags.
func fileOf(f *pflag.Flag) string { return strings.Join(f.Annotations[spec.File], "") }

// noneMissing refuses a command without an output that it cannot do without.
func noneMissing(cmd *cobra.Command) (err error) {
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if fileOf(f) == "made" && f.Value.String() == "" {
			err = usagef("no output: give -%s %s", f.Shorthand, map[bool]string{true: "DIR", false: "FILE"}[strings.HasPrefix(f.Usage, "folder")])
		}
	})
	return err
}

// output is a file that a command is to write.
type output struct {
	path string // "" for none
	kind inspect.Kind
	// compared says that the file does not report what made it, or that it is made in no time:
	// then it may be there if it is what the command makes again.
	compared bool
	log      string // of finished work, which the same command continues from
	grows    string // flags that may then have other values, joined by |
	// headed says that the log knows its inputs and refuses others, naming both.
	headed bool
	// extent is the flag of grows that says how large the file is, which is never less than
	// before; nil for none.
	extent *pflag.Flag
}

// take takes the files that a command is to write, before the work and until its end:
// no other program writes them meanwhile. It refuses one that is an input, by whatever name,
// that stands twice on the command line, or that would replace what the same command has not
// made of the same inputs. Inputs may be names of other things than files. It returns what
// the record of each output is to say of its making.
func (j *job) take(outputs []output, inputs ...string) (made string, err error) {
	force, err := j.Flags().GetBool("force")
	if err = errors.Join(err, revision.Check()); err != nil {
		return "", err
	}
	if made, err = madeBy(j.Command, inputs); err != nil {
		return "", err
	}
	outputs = withManifests(outputs)
	for i, out := range outputs {
		if err := out.checkName(inputs, outputs[:i]); err != nil {
			return "", err
		}
	}
	for _, out := range outputs {
		if out.path == "" {
			continue
		}
		if out.kind == inspect.KindDataset {
			if err := datasets.CheckOutput(out.path); err != nil {
				return "", err
			}
		}
		if err := atomicfile.Claim(out.path); err != nil {
			return "", err
		}
		if force {
			continue
		}
		if err := out.checkStanding(made); err != nil {
			return "", err
		}
	}
	for _, out := range outputs {
		j.journal = cmp.Or(out.log, j.journal)
	}
	return made, nil
}

// startOver returns what --force adds to the header of a journal, "" without --force: the hash of the
// output to replace. So a journal from before is not resumed, and the journal of this work is.
func (j *job) startOver(out string) (string, error) {
	force, err := j.Flags().GetBool("force")
	if err != nil || !force {
		return "", err
	}
	there, err := hashOf(out)
	return "again, instead of " + cmp.Or(there, "none"), err
}

// takeInFolder is take for files in a folder, which it makes if necessary; "" does nothing.
func (j *job) takeInFolder(folder string, outputs []output, inputs ...string) error {
	if folder == "" {
		return nil
	}
	if err := vfs.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	_, err := j.take(outputs, inputs...)
	return err
}

// withManifests adds the manifests that datasets have next to them.
func withManifests(outputs []output) (all []output) {
	for _, out := range outputs {
		all = append(all, out)
		if out.path != "" && out.kind == inspect.KindDataset {
			_, err := vfs.Stat(out.path) // a manifest without its dataset is useless
			all = append(all, output{path: datasets.ManifestPath(out.path), kind: inspect.KindRecord, compared: out.compared && err == nil})
		}
	}
	return all
}

// checkName refuses an output that is an input or another output.
func (o output) checkName(inputs []string, others []output) error {
	if o.path == "" {
		return nil
	}
	there, err := vfs.Stat(o.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, in := range inputs {
		if info, err := vfs.Stat(in); there != nil && err == nil && os.SameFile(there, info) {
			return usagef("the output %s is the input %s: name another file", o.path, in)
		}
	}
	for _, other := range others {
		info, err := vfs.Stat(other.path)
		if sameName(other.path, o.path) || there != nil && err == nil && os.SameFile(there, info) {
			return usagef("%s is the output for both %s and %s: name two files", o.path, other.kind, o.kind)
		}
	}
	return nil
}

// sameName reports whether two paths are spellings of one. An error is found where they are claimed.
func sameName(a, b string) bool {
	one, err := vfs.Unique(a)
	other, oerr := vfs.Unique(b)
	return a != "" && err == nil && oerr == nil && one == other
}

// checkStanding refuses to replace what something else has made.
func (o output) checkStanding(made string) error {
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
		return &atomicfile.Error{Path: o.path, Err: fmt.Errorf("it contains %s, not %s: name another file, or overwrite it with --force", inspect.Standing(o.path, kind), o.kind)}
	}
	refusal := fmt.Errorf("it contains %s, which this command does not make from these inputs: name another file, or overwrite it with --force",
		inspect.Standing(o.path, kind))
	switch {
	case o.compared:
		return atomicfile.Keep(o.path, refusal)
	case kind == inspect.KindRecord, kind == inspect.KindJournal: // the dataset tells, and the journal when it is opened
		return nil
	}
	found, err := inspect.Made(o.path, kind)
	if err != nil {
		return err
	}
	if found == "" || found != made && !o.goesOn(found, made) {
		return &atomicfile.Error{Path: o.path, Err: refusal}
	}
	return nil
}

// goesOn reports whether the work that made a file is that of this command, but for how far it
// goes, and is still at hand.
func (o output) goesOn(found, made string) bool {
	if o.grows == "" {
		return false
	}
	if _, err := vfs.Stat(o.log); err != nil {
		return false
	}
	grows := ` --(` + o.grows + `)=\S*`
	if o.headed {
		grows += `| of [0-9a-f]{16}$`
	}
	far := regexp.MustCompile(grows)
	return far.ReplaceAllString(found, "") == far.ReplaceAllString(made, "") && o.extentIn(found) <= o.extentIn(made)
}

// extentIn is how much of an output a command makes.
func (o output) extentIn(made string) int {
	if o.extent == nil {
		return 0
	}
	value := o.extent.DefValue
	if given := regexp.MustCompile(` --` + o.extent.Name + `=(\d+)`).FindStringSubmatch(made); given != nil {
		value = given[1]
	}
	n, _ := strconv.Atoi(value) // what the flag has refused no record holds
	return n
}

// inRecords reports whether a flag may change the content of a file.
func inRecords(f *pflag.Flag) bool {
	group := strings.Join(f.Annotations[spec.Group], "")
	return !isOutput(f) && group != "Farm" && group != "Output" && f.Name != "workers"
}

// hashOf is the hash of a file, "" if what is named is none, as the name of an evaluation.
func hashOf(name string) (string, error) {
	info, err := vfs.Stat(name)
	if name == "" || errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return "", nil
	}
	hash, failed := datasets.FileHash(name)
	if err != nil { // no file can have such a name, or the system erred
		return hash, nil
	}
	return hash, failed
}

// madeBy is how records describe this command: its flags, whatever their order, where they are
// not the default, and a hash of what its inputs hold. Names of inputs stand without
// their folders, so that the same work has the same bytes everywhere.
func madeBy(cmd *cobra.Command, inputs []string) (string, error) {
	words := strings.Fields(cmd.CommandPath())[1:]
	words = append(words, cmd.Flags().Args()...)
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.String() != f.DefValue && inRecords(f) {
			words = append(words, "--"+f.Name+"="+f.Value.String())
		}
	})
	sum := sha256.New()
	fmt.Fprintln(sum, engine.Signature())
	for _, in := range inputs {
		hash, err := hashOf(in)
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
