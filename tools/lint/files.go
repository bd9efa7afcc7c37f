package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// byVFS are the functions of package os that internal/vfs wraps.
var byVFS = []string{"Open", "OpenFile", "Create", "ReadFile", "WriteFile", "ReadDir", "Stat", "Lstat", "Mkdir", "MkdirAll", "Remove", "RemoveAll", "Rename", "Truncate", "Chmod"}

// ownFiles are folders that may use package os: information about the system, the program's own
// file, temporary folders, test helpers, tools.
var ownFiles = []string{"internal/vfs/", "internal/memory/", "internal/revision/", "internal/testenv/", "internal/testkit/", "internal/journal/journaltest/",
	"cmd/kroo-farm/", "farm/natspool/server.go", "tools/"}

// fileCalls finds files that are opened, written or removed without internal/vfs, where tests
// can inject failures.
func fileCalls(root string) (findings []string, err error) {
	list, err := code(root)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		if slices.ContainsFunc(ownFiles, func(own string) bool { return strings.HasPrefix(s.path, own) }) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), s.path, s.text, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.SelectorExpr)
			if !ok || !slices.Contains(byVFS, call.Sel.Name) {
				return true
			}
			if x, ok := call.X.(*ast.Ident); ok && x.Name == "os" {
				findings = append(findings, s.at(int(n.Pos())-1)+": calls os."+call.Sel.Name+": call vfs."+call.Sel.Name+", which tests make fail")
			}
			return true
		})
	}
	return findings, nil
}
