// Package testkit has what the tests of many packages need. It imports none of ours, so that
// the tests of every package can use it; what needs some is in packages below.
package testkit

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// T is what a test fails by: a [testing.TB] or another library's.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// NoError ends a test that has an error.
func NoError(t T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Must returns the result of a call that has to succeed, as in Must(os.Getwd())(t).
func Must[V any](v V, err error) func(t T) V {
	return func(t T) V {
		t.Helper()
		NoError(t, err)
		return v
	}
}

// Read returns the content of a file.
func Read(t T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	NoError(t, err)
	return data
}

// Write makes a file, and the folders above it.
func Write[Content string | []byte](t T, path string, content Content) {
	t.Helper()
	NoError(t, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666))
}

// File makes a file of this name in a new folder.
func File[Content string | []byte](t testing.TB, name string, content Content) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	Write(t, path, content)
	return path
}

// Refused checks that there is an error, and that it has each of some texts.
func Refused(t T, err error, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("error %v: want one with %q", err, text)
		}
	}
	if err == nil && len(texts) == 0 {
		t.Errorf("no error: want one")
	}
}

// Equal checks that a value is the one that is wanted. The label is a format with its arguments.
func Equal[V comparable](t T, got, want V, label string, args ...any) {
	if got == want {
		return
	}
	t.Helper()
	verb := "%+v"
	if _, text := any(got).(string); text {
		verb = "%q"
	}
	t.Errorf("%s: got "+verb+", want "+verb, fmt.Sprintf(label, args...), got, want)
}

// EqualSlices checks that a list has what is wanted, in this order.
func EqualSlices[S ~[]E, E comparable](t T, got, want S, label string, args ...any) {
	if slices.Equal(got, want) {
		return
	}
	t.Helper()
	t.Errorf("%s: got %+v, want %+v", fmt.Sprintf(label, args...), got, want)
}

// Text returns the content of a file.
func Text(t T, path string) string {
	t.Helper()
	return string(Read(t, path))
}

// Contains checks that a text has each of some parts.
func Contains(t T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
