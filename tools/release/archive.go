package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An entry is a file of an archive.
type entry struct {
	name    string
	data    []byte
	program bool // may be executed
}

func (e entry) mode() int64 {
	if e.program {
		return 0o755
	}
	return 0o644
}

// archive packs the files into a folder of a zip file for Windows and of a compressed tar
// file for others. The same files and time give the same bytes.
func archive(folder string, t target, files []entry, when time.Time) (name string, data []byte, err error) {
	slices.SortFunc(files, func(a, b entry) int { return cmp.Compare(a.name, b.name) })
	var b bytes.Buffer
	write, ending := writeTar, ".tar.gz"
	if t.system == "windows" {
		write, ending = writeZip, ".zip"
	}
	if err := write(&b, folder, files, when); err != nil {
		return "", nil, err
	}
	return folder + ending, b.Bytes(), nil
}

func writeTar(b *bytes.Buffer, folder string, files []entry, when time.Time) error {
	zipped, err := gzip.NewWriterLevel(b, gzip.BestCompression)
	if err != nil {
		return err
	}
	out := tar.NewWriter(zipped)
	for _, f := range files {
		h := &tar.Header{Name: folder + "/" + f.name, Size: int64(len(f.data)), Mode: f.mode(), ModTime: when, Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		if err := out.WriteHeader(h); err != nil {
			return err
		}
		if _, err := out.Write(f.data); err != nil {
			return err
		}
	}
	if err := out.Close(); err != nil {
		return err
	}
	return zipped.Close()
}

func writeZip(b *bytes.Buffer, folder string, files []entry, when time.Time) error {
	out := zip.NewWriter(b)
	for _, f := range files {
		h := &zip.FileHeader{Name: folder + "/" + f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(os.FileMode(f.mode()))
		w, err := out.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.data); err != nil {
			return err
		}
	}
	return out.Close()
}

// sumsFile holds the checksums of the archives, as sha256sum -c reads them.
const sumsFile = "SHA256SUMS"

func writeSums(dir string, names []string) error {
	var b strings.Builder
	for _, name := range names {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&b, "%x  %s\n", sha256.Sum256(data), name)
	}
	return os.WriteFile(filepath.Join(dir, sumsFile), []byte(b.String()), 0o666)
}
