package datasets

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/vfs"
)

// Origin describes a table whose file lacks this information. Empty fields mean unknown.
type Origin struct {
	Rules      string
	FeatureSet string   // for a features table
	Features   []string // in the set's order; nil if unknown
}

// GameOf returns the game of a table, from its manifest or the file itself, or "" if neither names
// it.
func GameOf(ctx context.Context, path string) (string, error) {
	if m, err := ReadManifest(path); err == nil {
		return m.Meta.Game, nil
	}
	t, err := openIsolated(ctx, path)
	if err != nil {
		return "", err
	}
	defer t.Close()
	m, err := t.ownMeta(ctx)
	if err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return m.Game, nil
}

// Adopt writes the manifest of a table that lacks one, from the file's metadata and its rows, all
// of which it checks. A CSV file names neither game nor rules: origin supplies them. g and origin
// must not contradict the file. The manifest is marked as adopted, since the origin of the data is
// unverified. Adopt refuses a table that has another manifest.
func Adopt[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, origin Origin) (Manifest, error) {
	t, err := openIsolated(ctx, path)
	if err != nil {
		return Manifest{}, err
	}
	defer t.Close()
	if _, err := vfs.Lstat(ManifestPath(path)); err == nil {
		return adoptedManifest(ctx, path, t.f)
	}
	if err := t.describe(ctx, g.Info, origin); err != nil {
		return Manifest{}, fmt.Errorf("%s: %w", path, err)
	}
	if err := count(ctx, g, t); err != nil {
		return Manifest{}, err
	}
	if err := t.measure(ctx); err != nil {
		return Manifest{}, err
	}
	return t.Manifest, t.Manifest.write(ManifestPath(path))
}

// openFile opens a table without its manifest.
func openFile(path string) (*Table, error) {
	format, err := formatOf(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	return &Table{Manifest{Format: ManifestFormat, File: filepath.Base(path), Rows: unknownRows, Adopted: true}, path, format, f, nil, nil}, nil
}

// openIsolated opens a table without a trusted manifest, for decoding in a child process.
func openIsolated(ctx context.Context, path string) (*Table, error) {
	t, err := openFile(path)
	if err == nil {
		t.isolate(ctx)
	}
	return t, err
}

// adoptedManifest returns the manifest that an earlier Adopt wrote for the same file.
func adoptedManifest(ctx context.Context, path string, f *vfs.File) (Manifest, error) {
	m, err := ReadManifest(path)
	if err == nil && m.Adopted {
		err = m.verify(ctx, f)
	}
	if err != nil || !m.Adopted {
		return Manifest{}, fmt.Errorf("%s has a manifest, %s: remove it first if it is not the right one", path, filepath.Base(ManifestPath(path)))
	}
	return m, nil
}

// readDescription reads the description in the file.
func (t *Table) readDescription(ctx context.Context) (about description, err error) {
	err = opened(ctx, t.format, t.f, func(in contents, _ *budget) (err error) {
		about, err = in.describe()
		return err
	})
	return about, err
}

// ownMeta reads the meta in the file.
func (t *Table) ownMeta(ctx context.Context) (m Meta, err error) {
	about, err := t.readDescription(ctx)
	if err != nil {
		return m, err
	}
	return about.meta()
}

// describe fills in the meta.
func (t *Table) describe(ctx context.Context, g games.Info, origin Origin) (err error) {
	if t.Meta, err = t.ownMeta(ctx); err != nil {
		return err
	}
	t.Version = manifestVersion
	for _, said := range []struct {
		what string
		in   *string
		here string
	}{{"game", &t.Meta.Game, g.Name}, {"rules", &t.Meta.Rules, origin.Rules}} {
		if said.here != "" && *said.in != "" && said.here != *said.in {
			return fmt.Errorf("its %s is %s: expected %s", said.what, *said.in, said.here)
		}
		*said.in = cmp.Or(*said.in, said.here)
		if *said.in == "" {
			return fmt.Errorf("the file does not name its %s: give --%s", said.what, said.what)
		}
	}
	if t.Meta.Kind == Features {
		t.Meta.FeatureSet = cmp.Or(t.Meta.FeatureSet, origin.FeatureSet)
		if origin.Features != nil && !slices.Equal(t.Meta.Features, origin.Features) {
			return fmt.Errorf("its features are %.200s: those of the set %s are %.200s",
				strings.Join(t.Meta.Features, ", "), origin.FeatureSet, strings.Join(origin.Features, ", "))
		}
	} else if origin.FeatureSet != "" {
		return fmt.Errorf("it contains %s: --set is for features", t.Meta.Kind)
	}
	if err := cmp.Or(t.Meta.check(), t.Meta.checkGame(g)); err != nil {
		return err
	}
	if t.format.bare {
		t.Columns = listColumns(columnsFor(t.Meta, g))
	}
	return nil
}

// count reads and checks all rows, and sets t.Rows.
func count[P games.Position[P]](ctx context.Context, g *games.Game[P], t *Table) error {
	t.cols = columnsFor(t.Meta, g.Info)
	rows := int64(0)
	for _, err := range Scan(ctx, g, t, Query{}) {
		if err != nil {
			return err
		}
		rows++
	}
	t.Rows = rows
	return nil
}

// measure sets the length and the hash.
func (t *Table) measure(ctx context.Context) error {
	info, err := t.f.Stat()
	if err != nil {
		return err
	}
	if _, err := t.f.Seek(0, 0); err != nil {
		return err
	}
	t.Bytes = info.Size()
	t.SHA256, err = checksum.Of(stoppable{t.f, ctx})
	if err == nil {
		err = t.Manifest.check()
	}
	return err
}

// description is the metadata of a file.
type description struct {
	Pairs []pair
	Names []string // of its columns
	Texts []string // columns of text, if the columns have types
}

func (d *description) add(name string, isText bool) {
	if d.Names = append(d.Names, name); isText {
		d.Texts = append(d.Texts, name)
	}
}

// meta returns the file's meta. Without one, the kind of table is guessed from the columns.
func (d description) meta() (m Meta, err error) {
	said := map[string]string{}
	for _, p := range d.Pairs {
		said[p.Key] = p.Value
	}
	if text, ok := said["kroo"]; ok { // version 1
		if err := json.Unmarshal([]byte(text), &m); err != nil {
			return m, err
		}
		return m, version1("it", m.Kind)
	}
	of := func(key string) string { return said["kroo."+key] }
	if v, ok := said[formatKey]; ok && v != strconv.Itoa(manifestVersion) {
		return m, fmt.Errorf("version is %.20q: this program reads %d%s", v, manifestVersion, madeBy(of("tool")))
	}
	m = Meta{
		Kind: of("kind"), Game: of("game"), Rules: of("rules"), Method: of("method"), Limits: of("limits"),
		Engine: of("engine"), Evaluator: of("evaluator"), FeatureSet: of("feature_set"),
		Parent: of("parent"), Tool: of("tool"), Note: of("note"),
	}
	if text := of("seed"); text != "" {
		if m.Seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			return m, fmt.Errorf("seed is %.40q: expected a number", text)
		}
	}
	if text := of("features"); text != "" {
		m.Features = strings.Split(text, ",")
	}
	if text := of("columns"); text != "" {
		m.Columns = strings.Split(text, ",")
	}
	if m.Kind == "" {
		m.Kind, m.Features = d.guess()
	}
	m.find(d.Names)
	return m, nil
}

// guess returns the kind of table and its features, from the names of the columns.
func (d description) guess() (kind string, features []string) {
	for _, name := range d.Names {
		if of, ok := strings.CutPrefix(name, "own_"); ok {
			features = append(features, featureOf(of))
		}
	}
	switch {
	case features != nil:
		return Features, features
	case slices.Contains(d.Names, "score"):
		return Labels, nil
	}
	return Positions, nil
}

// featureOf is the inverse of [ColumnName]: lt_1 becomes <1.
func featureOf(column string) string {
	for sign, prefix := range map[string]string{"<": "lt_", ">": "gt_"} {
		if number, ok := strings.CutPrefix(column, prefix); ok {
			return sign + number
		}
	}
	return column
}
