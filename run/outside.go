package run

import (
	"errors"
	"fmt"
	"io/fs"
	"reflect"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/vfs"
)

// namesFiles are the settings that name files or folders outside the run: they have no place
// among the inputs of a stage, which are the run's own.
var namesFiles = []string{"tables", "from", "opponent"}

// hashesOf returns the SHA-256 of the files that settings name, by path. Other things have names
// too, such as evaluations: those are no files.
func hashesOf(settings any, rules oware.Rules) (map[string]string, error) {
	found := map[string]string{}
	var err error
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer, reflect.Interface:
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				tag, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("toml"), ",")
				if slices.Contains(namesFiles, tag) {
					err = errors.Join(err, addHashes(found, v.Field(i).String(), rules))
					continue
				}
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(settings))
	return found, err
}

// addHashes adds the hash of a file, or of the endgame table in a folder.
func addHashes(to map[string]string, path string, rules oware.Rules) error {
	info, err := vfs.Stat(path)
	if path == "" || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if info.IsDir() {
		return addHashes(to, endgame.File(path, rules), rules)
	}
	to[path], err = datasets.FileHash(path)
	return err
}

// checkNamed refuses to go on from a stage whose files are others now.
func (r *StageRecord) checkNamed(now map[string]string) error {
	if r == nil {
		return nil
	}
	for path, then := range r.Named {
		switch got := now[path]; got {
		case then:
		case "":
			return fmt.Errorf("%s, which the configuration names, is not there any more (SHA-256 %s): put it back, or start a new run", path, then)
		default:
			return fmt.Errorf("%s, which the configuration names, was changed since it was used (SHA-256 %s, the manifest says %s): put it back, or start a new run", path, got, then)
		}
	}
	return nil
}
