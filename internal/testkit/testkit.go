// Package testkit has helpers for tests. It imports no other package of Kroo, so that the tests
// of every package can use it.
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

// T is the part of [testing.TB] that helpers need, for use with other libraries.
type T interface {
	Helper()
	Errorf(format string, args ...any)
	Fatal(args ...any)
}

// NoError ends the test if any of errs is not nil.
func NoError(t T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

// Must ends the test if err is not nil, and otherwise returns v, as in Must(os.Getwd())(t).
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

// Write creates a file, and its parent folders.
func Write[Content string | []byte](t T, path string, content Content) {
	t.Helper()
	NoError(t, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(content), 0o666))
}

// File creates a file in a new folder and returns its path.
func File[Content string | []byte](t testing.TB, name string, content Content) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	Write(t, path, content)
	return path
}

// ErrorContains checks that err is not nil, and contains each of the texts.
func ErrorContains(t T, err error, texts ...string) {
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

// Equal checks that got equals want. The label is a format with its arguments.
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

// EqualSlices checks that got has the elements of want, in this order.
func EqualSlices[S ~[]E, E comparable](t T, got, want S, label string, args ...any) {
	if slices.Equal(got, want) {
		return
	}
	t.Helper()
	t.Errorf("%s: got %+v, want %+v", fmt.Sprintf(label, args...), got, want)
}

// Text returns the content of a file as a string.
func Text(t T, path string) string {
	t.Helper()
	return string(Read(t, path))
}

// Contains checks that a text contains each of the parts.
func Contains(t T, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("no %q in\n%s", part, text)
		}
	}
}
