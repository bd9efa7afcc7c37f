package layering

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// byVFS are the functions of package os that internal/vfs has too.
var byVFS = []string{"Open", "OpenFile", "Create", "ReadFile", "WriteFile", "ReadDir", "Stat", "Lstat", "Mkdir", "MkdirAll", "Remove", "RemoveAll", "Rename", "Truncate", "Chmod"}

// ownFiles are folders whose files are none of the work: descriptions of the system, the
// program's own, scratch folders, tools.
var ownFiles = []string{"internal/vfs", "internal/memory", "internal/revision", "internal/testenv", "cmd/kroo-farm/folder.go", "tools"}

// Faults of tests reach every call: all files go by internal/vfs.
func TestFilesGoByVFS(t *testing.T) {
	found, err := arrows(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range found {
		if a.imports != "os" || slices.ContainsFunc(ownFiles, func(own string) bool { return strings.HasPrefix(a.file, own) }) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(root, a.file), nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok && slices.Contains(byVFS, s.Sel.Name) {
				if x, ok := s.X.(*ast.Ident); ok && x.Name == "os" {
					t.Errorf("%s calls os.%s: call vfs.%[2]s, whose calls tests make fail", a.file, s.Sel.Name)
				}
			}
			return true
		})
	}
}
