package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// notices are texts that belong to a module and that its zip file lacks: Arrow keeps its
// NOTICE at the root of a repository of which the module is a folder.
//
//go:embed notices
var notices embed.FS

// noticeOf names the file in notices of a module.
var noticeOf = map[string]string{"github.com/apache/arrow/go/v15": "github.com_apache_arrow_go_v15.NOTICE.txt"}

// inReadme are modules whose licence is a part of their README.
var inReadme = map[string]bool{"github.com/JohnCGriffin/overflow": true}

// licenceName are the files that have to go with a program: licences, and what they ask
// to be told.
var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents|authors|ofl|unlicense|copyright)([-._].*)?$`)

// licenceFolder are folders of such texts.
var licenceFolder = regexp.MustCompile(`(?i)^(third_party_)?licen[cs]es$`)

// A linked package, as go list tells of it.
type linked struct {
	Dir    string
	Module *struct {
		Path, Version, Dir string
		Main               bool
	}
}

// texts are the files of an archive besides the program.
func texts(ctx context.Context, t target) ([]entry, error) {
	var files []entry
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("%w: run at the root of the repository", err)
		}
		files = append(files, entry{name: name, data: data})
	}
	licences, err := licences(ctx, t)
	return append(files, licences...), err
}

// licences are the texts of Go itself, and of each module that is linked into the program
// for a target: those at the module's root, and in the folders of the linked packages.
func licences(ctx context.Context, t target) ([]entry, error) {
	root, err := run(ctx, nil, "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	files, err := textsIn(root, "go")
	if err != nil {
		return nil, err
	}
	plots, err := os.ReadFile("serve/web/uplot/LICENSE.txt") // a script of the pages, not a module
	if err != nil {
		return nil, err
	}
	files = append(files, entry{name: "uplot/LICENSE.txt", data: plots})
	list, err := run(ctx, t.environment(), "go", "list", "-deps", "-json=Dir,Module", "./cmd/train")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for in := json.NewDecoder(strings.NewReader(list)); ; {
		var p linked
		if err := in.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, err
		}
		if p.Module == nil || p.Module.Main {
			continue
		}
		more, err := p.texts(seen)
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	for i := range files {
		files[i].name = "licences/" + files[i].name
	}
	return files, nil
}

// texts are those of a package's module, and of the folders from there to the package, that
// are not seen yet.
func (p linked) texts(seen map[string]bool) (files []entry, err error) {
	name := p.Module.Path + "@" + p.Module.Version
	inside, err := filepath.Rel(p.Module.Dir, p.Dir)
	if err != nil {
		return nil, err
	}
	folder, to := p.Module.Dir, name
	for _, step := range append([]string{"."}, strings.Split(filepath.ToSlash(inside), "/")...) {
		folder, to = filepath.Join(folder, step), path.Join(to, step)
		if seen[folder] {
			continue
		}
		seen[folder] = true
		more, err := textsIn(folder, to)
		if err != nil {
			return nil, err
		}
		if to == name {
			if more, err = p.complete(more, name); err != nil {
				return nil, err
			}
		}
		files = append(files, more...)
	}
	return files, nil
}

// complete adds what a module's root lacks, and fails if there is no licence then.
func (p linked) complete(files []entry, name string) ([]entry, error) {
	if inReadme[p.Module.Path] {
		data, err := os.ReadFile(filepath.Join(p.Module.Dir, "README.md"))
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name: name + "/README.md", data: data})
	}
	if notice := noticeOf[p.Module.Path]; notice != "" {
		data, err := notices.ReadFile("notices/" + notice)
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name: name + "/NOTICE.txt", data: data})
	}
	if !slices.ContainsFunc(files, entry.grants) {
		return nil, fmt.Errorf("module %s has no licence text at %s: find out what its licence is, and say in tools/release where the text stands", name, p.Module.Dir)
	}
	return files, nil
}

// grants tells whether a text is a licence, and not only a list of names.
func (e entry) grants() bool {
	text := bytes.ToLower(e.data)
	return slices.ContainsFunc([]string{"permission is hereby granted", "redistribution and use", "apache license", "creative commons", "open font license", "permission to use, copy", "bsd-style license", "freetype license", "freetype project license"},
		func(s string) bool { return bytes.Contains(text, []byte(s)) })
}

// textsIn are the licence texts of a folder, and of its folders of licences.
func textsIn(folder, to string) (files []entry, err error) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		switch name := e.Name(); {
		case e.IsDir() && licenceFolder.MatchString(name):
			more, err := allIn(filepath.Join(folder, name), path.Join(to, name))
			if err != nil {
				return nil, err
			}
			files = append(files, more...)
		case !e.IsDir() && licenceName.MatchString(name):
			data, err := os.ReadFile(filepath.Join(folder, name))
			if err != nil {
				return nil, err
			}
			files = append(files, entry{name: path.Join(to, name), data: data})
		}
	}
	return files, nil
}

// allIn are all files of a folder of licences.
func allIn(folder, to string) (files []entry, err error) {
	list, err := os.ReadDir(folder)
	if err != nil {
		return nil, err
	}
	for _, e := range list {
		if e.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(folder, e.Name()))
		if err != nil {
			return nil, err
		}
		files = append(files, entry{name: path.Join(to, e.Name()), data: data})
	}
	return files, nil
}
