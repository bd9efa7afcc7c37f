package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// verbs are words that end like participles and are none.
var verbs = []string{"embed", "exceed", "feed", "need", "proceed", "seed", "speed"}

// packedCode finds what makes a reader stop, outside tests: a statement in the header of an if or
// switch that neither declares a variable nor assigns err alone, an assignment of three or more
// values at once, and a function named by a bare participle.
func packedCode(root string) (findings []string, err error) {
	list, err := code(root)
	if err != nil {
		return nil, err
	}
	for _, s := range list {
		file, err := parser.ParseFile(token.NewFileSet(), s.path, s.text, 0)
		if err != nil {
			return nil, err
		}
		report := func(n ast.Node, text string) {
			findings = append(findings, s.at(int(n.Pos())-1)+": "+text)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.IfStmt:
				reportHeader(n.Init, report)
			case *ast.SwitchStmt:
				reportHeader(n.Init, report)
			case *ast.AssignStmt:
				if len(n.Lhs) > 2 && len(n.Rhs) > 2 {
					report(n, "three or more assignments at once: write a statement for each, or a struct")
				}
			case *ast.FuncDecl:
				if isParticiple(n.Name.Name) {
					report(n.Name, "function "+n.Name.Name+" is a participle: name it by a verb, or a noun for what it returns")
				}
			}
			return true
		})
	}
	return findings, nil
}

// reportHeader reports the statement of a header unless it declares or assigns err.
func reportHeader(init ast.Stmt, report func(ast.Node, string)) {
	if init == nil {
		return
	}
	assignment, ok := init.(*ast.AssignStmt)
	if ok && assignment.Tok == token.DEFINE {
		return
	}
	if ok && len(assignment.Lhs) == 1 {
		if name, ok := assignment.Lhs[0].(*ast.Ident); ok && name.Name == "err" {
			return
		}
	}
	report(init, "a header with a statement that declares nothing: write it on a line of its own")
}

// isParticiple reports whether a name is a single word that ends in -ed.
func isParticiple(name string) bool {
	if strings.ToLower(name[1:]) != name[1:] || !strings.HasSuffix(name, "ed") {
		return false
	}
	for _, verb := range verbs {
		if strings.EqualFold(name, verb) {
			return false
		}
	}
	return true
}
