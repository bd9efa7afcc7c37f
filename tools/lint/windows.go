package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// windowsTypes finds what does not compile on Windows. It checks types from source, which takes a
// tenth of the time of a build for another system. Of other modules it needs the declarations only.
func windowsTypes(root string) (findings []string, err error) {
	ours, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	ours += string(filepath.Separator)
	config := &packages.Config{
		Dir: root, Env: append(os.Environ(), "GOOS=windows"), BuildFlags: []string{"-pgo=off"},
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps |
			packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo,
		ParseFile: func(files *token.FileSet, name string, src []byte) (*ast.File, error) {
			file, err := parser.ParseFile(files, name, src, parser.SkipObjectResolution)
			if err == nil && !strings.HasPrefix(name, ours) {
				removeBodies(file)
			}
			return file, err
		},
	}
	list, err := packages.Load(config, "./...")
	if err != nil {
		return nil, err
	}
	for _, p := range list {
		for _, e := range p.Errors {
			findings = append(findings, e.Pos+": on Windows: "+e.Msg)
		}
	}
	return findings, nil
}

// removeBodies leaves the declarations of a file.
func removeBodies(file *ast.File) {
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok {
			f.Body = nil
		}
	}
}
