package inspect

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"kroo/book"
	"kroo/datasets"
	"kroo/features"
	"kroo/internal/checksum"
	"kroo/internal/outline"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/run"
	"kroo/sampler"
)

// fileOrigin is a file with the files that it was made from.
type fileOrigin struct {
	path     string
	kind     Kind
	hash     string
	play     string // hash of the tables of compiled weights
	settings string
	made     string // the command; "" if unknown
	state    originState
	parents  []*fileOrigin
}

// originState is how a file is compared with what was made from it.
type originState string

const (
	unchanged    originState = ""
	changedSince originState = "changed since"
	missingFile  originState = "not in this folder"
	unreadable   originState = "cannot be read"
	notCompared  originState = "not checked for changes" // no record has its hash
	stale        originState = "stale"                   // something that it was made from has changed since
)

// origins finds the origins of files among those of a folder.
type origins struct {
	games     Games
	folder    string
	name      string // of the file whose origins these are
	shown     Options
	files     []string               // names of what others can be made from
	described map[string]*fileOrigin // by name, without parents
	done      map[string]*fileOrigin // by name, with parents
}

// knownOrigin is what is known of the origin of a file.
type knownOrigin struct {
	originValue
	Again   [][]string `json:"again,omitempty"`   // words of the commands that make it again, in order
	Unknown []string   `json:"unknown,omitempty"` // what no record says how to make
}

// originValue is a file in JSON, with the files that it was made from.
type originValue struct {
	File     string        `json:"file"`
	Settings string        `json:"settings,omitempty"`
	Hash     string        `json:"hash,omitempty"`
	Command  []string      `json:"command,omitempty"` // its words
	State    originState   `json:"state,omitempty"`
	From     []originValue `json:"from,omitempty"`
}

// valueWithOrigin is the value of a file, an object, with the origin as one more field.
type valueWithOrigin struct {
	value  any
	origin knownOrigin
}

// MarshalJSON implements [json.Marshaler].
func (v valueWithOrigin) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // a caller may want to keep < as it is
	err := e.Encode(v.value)
	if err != nil {
		return nil, err
	}
	b.Truncate(bytes.LastIndexByte(b.Bytes(), '}'))
	b.WriteString(`,"origin":`)
	err = e.Encode(v.origin)
	if err != nil {
		return nil, err
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// AddOrigin adds to the description of a file where it comes from, if anything is known.
func AddOrigin(d *outline.Doc, path string, kind Kind, all Games, shown Options) error {
	o := &origins{
		games: all, folder: filepath.Dir(path), name: filepath.Base(path), shown: shown,
		described: map[string]*fileOrigin{}, done: map[string]*fileOrigin{},
	}
	list, err := vfs.ReadDir(o.folder)
	if errors.Is(err, fs.ErrPermission) {
		return nil // the file can be read, but its folder cannot be listed
	}
	if err != nil {
		return err
	}
	for _, e := range list {
		if e.Type().IsRegular() && sourceName.MatchString(e.Name()) {
			o.files = append(o.files, e.Name())
		}
	}
	root, err := o.find(o.name, kind)
	if err != nil || root.made == "" && len(root.parents) == 0 {
		return err
	}
	d.Add(outline.Section{Heading: "where it comes from", Plain: root.text("", "")})
	origin := knownOrigin{originValue: root.value()}
	if root.isStale() || root.isIncomplete() {
		var again outline.Section
		o.addCommands(root, &again, &origin)
		d.Add(again)
	}
	d.Value = valueWithOrigin{d.Value, origin}
	return nil
}

// sourceName matches names of files that others can be made from.
var sourceName = regexp.MustCompile(`\.(parquet|arrow|csv|json|weights|model|bin|ogn)$`)

// find describes a file of the folder and, by their hashes or else their names, the files that it was made from.
func (o *origins) find(name string, kind Kind) (*fileOrigin, error) {
	if f := o.done[name]; f != nil {
		return f, nil
	}
	f := &fileOrigin{path: name, kind: kind}
	path := filepath.Join(o.folder, name)
	made, err := Made(path, kind)
	if err != nil {
		return nil, err
	}
	recorded, err := o.describe(f, path)
	if err != nil {
		return nil, err
	}
	f.made = made
	o.done[name] = &fileOrigin{path: name, kind: kind} // in a circle of names
	defer func() { o.done[name] = f }()
	found, lost, err := o.findHashes(recorded, name)
	if err != nil {
		return nil, err
	}
	for _, other := range found {
		otherKind, err := KindOf(filepath.Join(o.folder, other))
		if err != nil {
			return nil, err
		}
		parent, err := o.find(other, otherKind)
		if err != nil {
			return nil, err
		}
		f.parents = append(f.parents, parent)
	}
	names := namesIn(made)
	if twins := o.twinsOf(names, found, lost); twins != nil {
		f.parents = append(f.parents, twins...)
		return f, nil
	}
	for _, other := range distinct(names...) {
		if other == name || slices.Contains(found, other) {
			continue
		}
		parent, err := o.findByName(other, len(lost) > 0)
		if err != nil {
			return nil, err
		}
		f.parents = append(f.parents, parent)
		lost = lost[min(1, len(lost)):]
	}
	for _, hash := range lost {
		f.parents = append(f.parents, &fileOrigin{path: "a file", hash: hash, state: missingFile})
	}
	return f, nil
}

// twinsOf returns the files with the lost hashes if they are of one name that the command has several times:
// they were in different folders, which records leave out. It returns nil if a lost hash may belong to
// another name, or to a file of the folder that has changed.
func (o *origins) twinsOf(names, found, lost []string) (twins []*fileOrigin) {
	var missing []string
	seen := map[string]bool{}
	for _, name := range names {
		if seen[name] || !slices.Contains(found, name) {
			missing = append(missing, name)
		}
		seen[name] = true
	}
	isHere := len(missing) > 0 && slices.Contains(o.files, missing[0]) && !slices.Contains(found, missing[0])
	if len(seen) == len(names) || len(missing) != len(lost) || len(distinct(missing...)) != 1 || isHere {
		return nil
	}
	for _, hash := range lost {
		twins = append(twins, &fileOrigin{path: missing[0], hash: hash, state: missingFile})
	}
	return twins
}

// findHashes returns the files with the hashes that a file records, and the hashes that no file has.
func (o *origins) findHashes(recorded []string, name string) (found, lost []string, err error) {
	for _, hash := range recorded {
		other, err := o.findByHash(hash, name)
		if err != nil {
			return nil, nil, err
		}
		if other == "" {
			lost = append(lost, hash)
			continue
		}
		found = append(found, other)
	}
	return distinct(found...), lost, nil
}

// findByHash returns the file that has a hash, other than the one that records it, or "".
func (o *origins) findByHash(hash, name string) (string, error) {
	for _, other := range o.files {
		if other == name {
			continue
		}
		is, err := o.isRecorded(other, hash)
		if err != nil {
			return "", err
		}
		if is {
			return other, nil
		}
	}
	return "", nil
}

// isOfDisk reports whether a file could not be read although it is there: its content is not to blame.
func isOfDisk(err error) bool {
	_, failed := errors.AsType[*fs.PathError](err)
	return failed && !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission)
}

// findByName describes a file that a command names, but whose hash is not recorded, or another.
func (o *origins) findByName(name string, compared bool) (*fileOrigin, error) {
	path := filepath.Join(o.folder, name)
	info, err := vfs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &fileOrigin{path: name, state: missingFile}, nil
	}
	if err == nil && !info.Mode().IsRegular() {
		return &fileOrigin{path: name, state: notCompared}, nil // a link, perhaps to another folder
	}
	kind, err := KindOf(path)
	var f *fileOrigin
	if err == nil {
		f, err = o.find(name, kind)
	}
	if isOfDisk(err) {
		return nil, err
	}
	if err != nil {
		return &fileOrigin{path: name, state: unreadable}, nil // inspecting it shows the error
	}
	parent := *f // others may have been made from the file as it is
	parent.state = notCompared
	if compared {
		parent.state = changedSince
	}
	return &parent, nil
}

// isRecorded reports whether a file has the hash that another records: of a dataset its SHA-256, of weights
// the hash of the weights or of their tables.
func (o *origins) isRecorded(name, hash string) (bool, error) {
	isDataset := slices.Contains([]string{".parquet", ".arrow", ".csv"}, filepath.Ext(name))
	if isDataset != checksum.Is(hash) {
		return false, nil // large weights take time to read
	}
	f := o.described[name]
	if f == nil {
		f = &fileOrigin{}
		o.described[name] = f
		path := filepath.Join(o.folder, name)
		kind, err := KindOf(path)
		if isOfDisk(err) {
			return false, err
		}
		if err != nil || kind != KindDataset && kind != KindWeights {
			return false, nil
		}
		f.kind = kind
		_, err = o.describe(f, path)
		if isOfDisk(err) {
			return false, err
		}
		if err != nil {
			*f = fileOrigin{} // a damaged file is no origin; inspecting it shows the error
		}
	}
	return f.hash == hash || f.play == hash, nil
}

// describe sets the hash and the settings of a file, and returns the hashes that it records of others.
func (o *origins) describe(f *fileOrigin, path string) (recorded []string, err error) {
	switch f.kind {
	case KindDataset:
		m, err := datasets.ReadManifest(path)
		if errors.Is(err, fs.ErrNotExist) {
			f.settings = "a table without a manifest" // such as another program's, for adopt
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
		f.hash = m.SHA256
		f.settings = joinTexts(m.Meta.Kind, wording.Count(m.Rows, "row"), m.Meta.Method, m.Meta.Limits, m.Meta.FeatureSet)
		return distinct(m.Meta.Parent), nil
	case KindWeights:
		w, err := o.games.Weights(path)
		if err != nil {
			return nil, err
		}
		facts := w.Facts()
		f.hash = facts.Hash
		f.play = facts.Play
		f.settings = joinTexts("weights", "set "+facts.Set, facts.Rules)
		return sourcesOf(facts), nil
	case KindBook:
		b, err := book.Open(path)
		if err != nil {
			return nil, err
		}
		h := b.Header()
		f.hash = b.Checksum()
		f.settings = joinTexts("book", fmt.Sprintf("%d entries", b.Len()), h.Get(book.FieldLimits))
		if omega := h.Get(book.FieldOmega); omega != "" {
			f.settings = joinTexts(f.settings, "omega "+omega)
		}
		hash, isFile := strings.CutPrefix(h.Get(book.FieldWeights), "weights ")
		if !isFile {
			return nil, nil // weights of the program
		}
		return distinct(hash), nil
	}
	f.settings = strings.TrimPrefix(string(f.kind), "a ")
	return nil, nil
}

// sourcesOf returns the hashes of the datasets and weights that weights were fitted to.
func sourcesOf(facts features.Facts) []string {
	p := facts.Provenance
	if facts.Linear != nil {
		p = &facts.Linear.Provenance
	}
	if p == nil {
		return nil
	}
	return distinct(append([]string{p.Dataset, p.Validation, p.Prior}, p.Datasets...)...)
}

// distinct returns the texts that are not empty, each once.
func distinct(texts ...string) (all []string) {
	for _, text := range texts {
		if text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func joinTexts(texts ...string) string { return strings.Join(distinct(texts...), ", ") }

// commandWords returns the words of the record of a command, nil if it is unknown or shortened.
func commandWords(made string) (all []string) {
	line, _, found := strings.Cut(made, " of ")
	if !found || strings.Contains(line, "...") {
		return nil
	}
	for _, word := range strings.Fields(line)[1:] {
		text, err := url.PathUnescape(word)
		if err != nil {
			return nil
		}
		all = append(all, text)
	}
	return all
}

// namesIn returns the names of files among the operands and the values of flags of a command, each as often
// as it is there.
func namesIn(made string) (all []string) {
	for _, word := range commandWords(made) {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return r == '=' || r == ',' }) {
			isName := sourceName.MatchString(part) && part == filepath.Base(part)
			if isName {
				all = append(all, part)
			}
		}
	}
	return all
}

// text draws the tree, each file on a line, with its command below.
func (f *fileOrigin) text(first, rest string) string {
	line := first + joinTexts(f.path, f.settings)
	if f.hash != "" {
		line += ", hash " + f.hash[:min(len(f.hash), 16)]
	}
	if state := f.shownState(); state != unchanged {
		line += " – " + string(state)
	}
	var b strings.Builder
	b.WriteString(outline.Fill(strings.Split(line, " "), rest+"  "))
	if command := commandWords(f.made); command != nil {
		words := append([]string{rest + "  by:", "train"}, quoteAll(command)...)
		b.WriteString(outline.Fill(words, rest+"      "))
	}
	for i, parent := range f.parents {
		if i < len(f.parents)-1 {
			b.WriteString(parent.text(rest+"├─ ", rest+"│  "))
		} else {
			b.WriteString(parent.text(rest+"└─ ", rest+"   "))
		}
	}
	return b.String()
}

func quoteAll(words []string) (all []string) {
	for _, word := range words {
		all = append(all, wording.ShellQuote(word))
	}
	return all
}

// shownState returns the state of a file: stale if only something that it was made from has changed.
func (f *fileOrigin) shownState() originState {
	if f.state == unchanged && f.isStale() {
		return stale
	}
	return f.state
}

// value returns the tree for JSON.
func (f *fileOrigin) value() originValue {
	v := originValue{
		File: f.path, Settings: f.settings, Hash: f.hash, Command: commandWords(f.made), State: f.shownState(),
	}
	for _, parent := range f.parents {
		v.From = append(v.From, parent.value())
	}
	return v
}

// isStale reports whether something that a file was made from has changed since.
func (f *fileOrigin) isStale() bool {
	return slices.ContainsFunc(f.parents, func(p *fileOrigin) bool { return p.state == changedSince || p.isStale() })
}

// isIncomplete reports whether something that a file was made from is missing.
func (f *fileOrigin) isIncomplete() bool {
	return slices.ContainsFunc(f.parents, func(p *fileOrigin) bool {
		return p.state == missingFile || p.state == unreadable || p.isIncomplete()
	})
}

// addCommands adds the commands that make stale files again, in order, and what no record says how to make.
func (o *origins) addCommands(root *fileOrigin, one *outline.Section, origin *knownOrigin) {
	add := func(about string, words ...string) {
		words = append([]string{cmp.Or(o.shown.Program, wording.Program())}, o.inFolder(words)...)
		command := outline.Fact{Name: about, Value: words[0] + " " + strings.Join(quoteAll(words[1:]), " ")}
		if !slices.Contains(one.Commands, command) {
			one.Commands = append(one.Commands, command)
			origin.Again = append(origin.Again, words[1:])
		}
	}
	if run.IsFolder(o.folder) && root.made == "" {
		add("make what is missing in the run again", "run", "--resume", "--dir", cmp.Or(o.shown.Folder, o.folder))
		return
	}
	var visit func(f *fileOrigin)
	visit = func(f *fileOrigin) {
		for _, parent := range f.parents {
			visit(parent)
		}
		if f.state == missingFile || f.state == unreadable {
			origin.Unknown = append(origin.Unknown, joinTexts(f.path, f.hash))
		}
		if !f.isStale() {
			return
		}
		command := commandWords(f.made)
		if command == nil {
			origin.Unknown = append(origin.Unknown, f.path)
			return
		}
		output := o.outputFlag(f, command)
		if output == nil {
			origin.Unknown = append(origin.Unknown, f.path)
			return
		}
		command = append(command, output...)
		add("make "+f.path+" again", append(command, "--force")...)
	}
	visit(root)
	origin.Unknown = distinct(origin.Unknown...)
	if origin.Unknown != nil {
		one.Note = "No file here records how to make these again: " + strings.Join(origin.Unknown, ", ") + "."
	}
}

// outputFlag returns the flag, with its value, that has a command write a file again. It returns nil if
// the command writes a second file, and the file's name does not show which of the two it is, or
// another file has the second name.
func (o *origins) outputFlag(f *fileOrigin, command []string) []string {
	switch {
	case command[0] == "evaluate":
		return []string{"--predictions", f.path}
	case command[0] == "fit" && filepath.Ext(f.path) == features.ModelPath(""):
		compiled := strings.TrimSuffix(f.path, features.ModelPath("")) + features.CompiledSuffix
		if !o.isOfSameCommand(compiled, f) {
			return nil
		}
		return []string{"-o", compiled}
	case command[0] == "fit" && filepath.Ext(f.path) == features.CompiledSuffix:
		model := features.ModelPath(f.path)
		if slices.Contains(o.files, model) && !o.isOfSameCommand(model, f) {
			return nil
		}
	case command[0] == "sample" && slices.ContainsFunc(command, isSplit):
		main, isValidation := sampler.MainPath(f.path)
		other := main
		if !isValidation {
			other = sampler.ValidationPath(main)
		}
		if !o.isOfSameCommand(other, f) {
			return nil
		}
		return []string{"-o", main}
	}
	return []string{"-o", f.path}
}

// isSplit reports whether a word of the record of a sample is the flag --split.
func isSplit(word string) bool { return strings.HasPrefix(word, "--split=") }

// isOfSameCommand reports whether another file of the folder records the command of a file.
func (o *origins) isOfSameCommand(name string, f *fileOrigin) bool {
	if !slices.Contains(o.files, name) {
		return false
	}
	made, err := Made(filepath.Join(o.folder, name), f.kind)
	return err == nil && made == f.made
}

// inFolder returns the words of a command, whose record has only the names of files, with their folder.
func (o *origins) inFolder(words []string) (all []string) {
	folder := cmp.Or(o.shown.Folder, o.folder)
	for _, word := range words {
		all = append(all, namedPart.ReplaceAllStringFunc(word, func(part string) string {
			if part != o.name && !slices.Contains(o.files, part) {
				return part
			}
			path := filepath.Join(folder, part)
			if strings.HasPrefix(path, "-") {
				return "./" + path // no flag
			}
			return path
		}))
	}
	return all
}

// namedPart matches the parts of a word that can be names of files.
var namedPart = regexp.MustCompile(`[^=,]+`)
