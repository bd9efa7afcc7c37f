package run

import (
	"errors"
	"fmt"
	"io/fs"

	"kroo/datasets"
	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/vfs"
)

// hashesOf returns the SHA-256 of the files named in settings, by path. They are not inputs of a
// stage, which are files of the run. Names of other things, such as evaluations, are ignored.
func hashesOf(settings []any, rules oware.Rules) (map[string]string, error) {
	found := map[string]string{}
	var err error
	for _, s := range settings {
		for _, name := range spec.Files(s) {
			err = errors.Join(err, addHashes(found, name, rules))
		}
	}
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

// checkNamed returns an error if files that the stage used have changed.
func (r *StageRecord) checkNamed(now map[string]string) error {
	if r == nil {
		return nil
	}
	for path, then := range r.Named {
		switch got := now[path]; got {
		case then:
		case "":
			return fmt.Errorf("%s, which the configuration names, no longer exists (SHA-256 %s): restore it, or start a new run", path, then)
		default:
			return fmt.Errorf("%s, which the configuration names, was changed since it was used (SHA-256 %s, in the manifest %s): restore it, or start a new run", path, got, then)
		}
	}
	return nil
}
