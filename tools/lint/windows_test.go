package main

import "testing"

func TestWindowsTypes(t *testing.T) {
	t.Setenv("GOFLAGS", "-mod=mod")
	findings(t, windowsTypes, map[string]string{
		"go.mod":         "module m\n\ngo 1.26\n",
		"a/a.go":         "package a\n\nimport \"syscall\"\n\nvar F = syscall.Flock\n",
		"b/b_windows.go": "package b\n\nvar N int = \"x\"\n",
		"b/b_linux.go":   "package b\n\nvar N = 1\n",
	}, "a/a.go:5:17: on Windows: undefined: syscall.Flock", "b/b_windows.go:3:13: on Windows: cannot use")
}
