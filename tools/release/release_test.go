package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// Whatever is linked comes with its licence: licences fails on a module without one.
func TestEveryLinkedModuleHasALicence(t *testing.T) {
	t.Chdir("../..")
	for _, system := range []target{{"linux", "amd64"}, {"windows", "arm64"}, {"darwin", "arm64"}} {
		files, err := licences(context.Background(), system)
		if err != nil {
			t.Fatalf("%s: %v", system, err)
		}
		byName := map[string]string{}
		for _, f := range files {
			if byName[f.name] != "" || len(f.data) == 0 {
				t.Errorf("%s: %s comes twice, or is empty", system, f.name)
			}
			byName[f.name] = string(f.data)
		}
		for name, want := range map[string]string{
			"licences/go/LICENSE": "Go Authors",
			"licences/github.com/apache/arrow/go/v15@v15.0.2/LICENSE.txt":         "Apache License",
			"licences/github.com/apache/arrow/go/v15@v15.0.2/NOTICE.txt":          "Apache Arrow\nCopyright 2016",
			"licences/codeberg.org/go-fonts/liberation@v0.5.0/LICENSE-SIL":        "SIL OPEN FONT LICENSE",
			"licences/github.com/klauspost/compress@v1.20.3/LICENSE":              "Redistribution and use",
			"licences/gonum.org/v1/gonum@v0.17.0/THIRD_PARTY_LICENSES/Go-LICENSE": "Go Authors",
		} {
			if !strings.Contains(byName[name], want) {
				t.Errorf("%s: %s is %.60q, expected %q in it", system, name, byName[name], want)
			}
		}
	}
}

// The notice is that of the version of Arrow that is linked.
func TestEveryNoticeBelongsToALinkedModule(t *testing.T) {
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for module, file := range noticeOf {
		if _, err := notices.ReadFile("notices/" + file); err != nil || !bytes.Contains(mod, []byte(module+" ")) {
			t.Errorf("%s: %v; is it still in go.mod?", module, err)
		}
	}
}

func TestAModuleWithoutALicenceIsRefused(t *testing.T) {
	p := linked{Dir: t.TempDir()}
	p.Module = &struct {
		Path, Version, Dir string
		Main               bool
	}{Path: "example.org/m", Version: "v1.2.3", Dir: p.Dir}
	if err := os.WriteFile(filepath.Join(p.Dir, "AUTHORS"), []byte("Somebody"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := p.texts(map[string]bool{}); err == nil || !strings.Contains(err.Error(), "example.org/m@v1.2.3 has no licence text") {
		t.Errorf("got %v", err)
	}
}

var someFiles = []entry{{name: "train", data: []byte("program"), program: true}, {name: "LICENSE", data: []byte("text")}, {name: "licences/go/LICENSE", data: []byte("go")}}

func TestTheSameFilesGiveTheSameArchive(t *testing.T) {
	when := time.Unix(1_700_000_000, 0).UTC()
	for _, system := range targets {
		files := slices.Clone(someFiles)
		name, first, err := archive("kroo-v1", system, files, when)
		if err != nil {
			t.Fatal(err)
		}
		slices.Reverse(files)
		_, second, err := archive("kroo-v1", system, files, when)
		if err != nil || !bytes.Equal(first, second) {
			t.Errorf("%s: two archives of the same files differ, %v", name, err)
		}
		_, later, err := archive("kroo-v1", system, files, when.Add(time.Hour))
		if err != nil || bytes.Equal(first, later) {
			t.Errorf("%s does not tell its time, %v", name, err)
		}
	}
}

func TestArchivesHoldWhatWasPacked(t *testing.T) {
	when := time.Unix(1_700_000_000, 0).UTC()
	want := []string{"kroo-v1/LICENSE 644 text", "kroo-v1/licences/go/LICENSE 644 go", "kroo-v1/train 755 program"}
	name, data, err := archive("kroo-v1", target{"linux", "amd64"}, slices.Clone(someFiles), when)
	if got := untar(t, data); err != nil || name != "kroo-v1.tar.gz" || !slices.Equal(got, want) {
		t.Errorf("%s holds %q, expected %q; %v", name, got, want, err)
	}
	name, data, err = archive("kroo-v1", target{"windows", "amd64"}, slices.Clone(someFiles), when)
	if got := unzip(t, data); err != nil || name != "kroo-v1.zip" || !slices.Equal(got, want) {
		t.Errorf("%s holds %q, expected %q; %v", name, got, want, err)
	}
}

func untar(t *testing.T, data []byte) (list []string) {
	t.Helper()
	unzipped, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for in := tar.NewReader(unzipped); ; {
		h, err := in.Next()
		if errors.Is(err, io.EOF) {
			return list
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(in)
		if err != nil || h.ModTime.Unix() != 1_700_000_000 {
			t.Errorf("%s: %v, of %v", h.Name, err, h.ModTime)
		}
		list = append(list, fmt.Sprintf("%s %o %s", h.Name, h.Mode, text))
	}
}

func unzip(t *testing.T, data []byte) (list []string) {
	t.Helper()
	in, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range in.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, fmt.Sprintf("%s %o %s", f.Name, f.Mode().Perm(), text))
	}
	return list
}

func TestSumsAreThoseOfTheArchives(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.zip"), []byte("abc"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := writeSums(dir, []string{"a.zip"}); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(filepath.Join(dir, sumsFile))
	if want := fmt.Sprintf("%x  a.zip\n", sha256.Sum256([]byte("abc"))); err != nil || string(got) != want {
		t.Errorf("%q, expected %q; %v", got, want, err)
	}
}

func TestUnknownTargetsAreRefused(t *testing.T) {
	if got, err := parseTargets("linux/arm64,windows/amd64"); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	for _, bad := range []string{"linux", "plan9/amd64", "linux/amd64,"} {
		if _, err := parseTargets(bad); err == nil || !strings.Contains(err.Error(), "expected some of") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
