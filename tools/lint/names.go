package main

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// exportedNames finds exported names that no other package, test of another package or example
// uses. No package is exempt: the game in examples/kalah uses the names that importers need.
func exportedNames(root string) (findings []string, err error) {
	var list []*packages.Package
	games, err := filepath.Glob(filepath.Join(root, "examples", "*"))
	if err != nil {
		return nil, err
	}
	for _, dir := range append(games, root) {
		config := &packages.Config{Dir: dir, Tests: true, BuildFlags: []string{"-pgo=off"}, Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports |
			packages.NeedExportFile | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo}
		of, err := packages.Load(config, "./...")
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	for _, p := range list {
		for _, e := range p.Errors {
			return nil, e
		}
	}
	shown, err := inTemplates(root)
	if err != nil {
		return nil, err
	}
	for _, name := range unusedNames(list, shown) {
		findings = append(findings, name+": no other package uses it: begin it with a small letter, or delete it")
	}
	return findings, nil
}

// names are the exported names of packages: "kroo/book.Open", "kroo/book.Header.Rules".
type names struct {
	places  map[string]string       // where each is declared
	objects map[string]types.Object // the object of each
	used    map[string]bool
}

// unusedNames lists exported names that are unused: not by another package, by an example, or in
// the type of a used name. Methods also count as used if an interface or a template has their
// name. If one constant of a type is used, all are.
func unusedNames(list []*packages.Package, shown map[string]bool) (unused []string) {
	n := names{map[string]string{}, map[string]types.Object{}, map[string]bool{}}
	asked := shown
	asked["Unwrap"] = true // used by package errors
	for _, p := range list {
		for _, o := range p.TypesInfo.Defs {
			if name := nameOf(o); name != "" && !strings.HasSuffix(p.Fset.Position(o.Pos()).Filename, "_test.go") {
				at := p.Fset.Position(o.Pos())
				n.places[name], n.objects[name] = fmt.Sprintf("%s:%d", at.Filename, at.Line), o
			}
		}
		interfaceMethods(p.Types, asked, map[*types.Package]bool{})
		for _, file := range p.Syntax {
			ast.Inspect(file, func(node ast.Node) bool {
				if i, ok := node.(*ast.InterfaceType); ok {
					for _, m := range i.Methods.List {
						for _, name := range m.Names {
							asked[name.Name] = true
						}
					}
				}
				return true
			})
		}
	}
	for _, p := range list {
		own := strings.TrimSuffix(p.Types.Path(), "_test")
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				f, isFunc := d.(*ast.FuncDecl)
				example := isFunc && strings.HasPrefix(f.Name.Name, "Example")
				ast.Inspect(d, func(node ast.Node) bool {
					if id, ok := node.(*ast.Ident); ok {
						if o := p.TypesInfo.Uses[id]; o != nil && o.Pkg() != nil && (o.Pkg().Path() != own || example) {
							n.use(o)
						}
					}
					return true
				})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.objects)) {
		if f, ok := n.objects[name].(*types.Func); ok && f.Signature().Recv() != nil && asked[f.Name()] {
			n.use(f)
		}
	}
	n.useConstants()
	for _, name := range slices.Sorted(maps.Keys(n.places)) {
		if !n.used[name] {
			unused = append(unused, n.places[name]+": "+name)
		}
	}
	return unused
}

// nameOf returns the full name of an exported type, function, variable, constant or method of
// this module, "" for other objects.
func nameOf(o types.Object) string {
	if o == nil || o.Pkg() == nil || !o.Exported() || !strings.HasPrefix(o.Pkg().Path(), "kroo/") {
		return ""
	}
	path := strings.TrimSuffix(o.Pkg().Path(), "_test")
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if named, ok := t.(*types.Named); ok {
			return path + "." + named.Obj().Name() + "." + f.Name()
		}
		return ""
	}
	if o.Parent() != o.Pkg().Scope() {
		return ""
	}
	return path + "." + o.Name()
}

// use marks a name, and the names of types in its declaration.
func (n *names) use(o types.Object) {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	if v, ok := o.(*types.Var); ok && v.IsField() {
		n.useType(v.Origin().Type(), map[types.Type]bool{})
		return
	}
	name := nameOf(o)
	if name == "" || n.used[name] {
		return
	}
	n.used[name] = true
	seen := map[types.Type]bool{}
	if t, ok := o.(*types.TypeName); ok {
		n.useType(t.Type().Underlying(), seen)
	}
	n.useType(o.Type(), seen)
}

// useType marks the names of types in a type.
func (n *names) useType(t types.Type, seen map[types.Type]bool) {
	if t == nil || seen[t] {
		return
	}
	seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		n.use(t.Obj())
		n.useType(types.Unalias(t), seen)
	case *types.Named:
		n.use(t.Obj())
		for a := range t.TypeArgs().Types() {
			n.useType(a, seen)
		}
		for p := range t.TypeParams().TypeParams() {
			n.useType(p.Constraint(), seen)
		}
	case *types.Signature:
		n.useType(t.Params(), seen)
		n.useType(t.Results(), seen)
		for p := range t.TypeParams().TypeParams() {
			n.useType(p.Constraint(), seen)
		}
	case *types.Tuple:
		for v := range t.Variables() {
			n.useType(v.Type(), seen)
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() {
				n.useType(f.Type(), seen)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			n.useType(m.Type(), seen)
		}
		for e := range t.EmbeddedTypes() {
			n.useType(e, seen)
		}
	case *types.Union:
		for term := range t.Terms() {
			n.useType(term.Type(), seen)
		}
	case *types.Map:
		n.useType(t.Key(), seen)
		n.useType(t.Elem(), seen)
	case interface{ Elem() types.Type }: // pointer, slice, array, channel
		n.useType(t.Elem(), seen)
	}
}

// useConstants marks all constants of a type of which one is used.
func (n *names) useConstants() {
	typeOf := func(name string) string {
		c, ok := n.objects[name].(*types.Const)
		if !ok {
			return ""
		}
		if named, ok := c.Type().(*types.Named); ok {
			return nameOf(named.Obj())
		}
		return ""
	}
	of := map[string]bool{}
	for name := range n.objects {
		if n.used[name] {
			of[typeOf(name)] = true
		}
	}
	for name := range n.objects {
		if t := typeOf(name); t != "" && of[t] {
			n.used[name] = true
		}
	}
}

// interfaceMethods adds the methods of all exported interfaces of a package and its imports.
func interfaceMethods(p *types.Package, asked map[string]bool, seen map[*types.Package]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	for _, name := range p.Scope().Names() {
		if i, ok := p.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
			for m := range i.Methods() {
				asked[m.Name()] = true
			}
		}
	}
	for _, i := range p.Imports() {
		interfaceMethods(i, asked, seen)
	}
}

var inBraces = regexp.MustCompile(`\{\{[^}]*\}\}`)

// inTemplates returns the names that templates use, in files of their own or in source files.
func inTemplates(root string) (map[string]bool, error) {
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !slices.Contains([]string{".go", ".html", ".tmpl", ".svg"}, filepath.Ext(path)) {
			return err
		}
		text, err := os.ReadFile(path)
		for _, action := range inBraces.FindAllString(string(text), -1) {
			for _, word := range strings.FieldsFunc(action, func(r rune) bool { return !token.IsIdentifier("x" + string(r)) }) {
				found[word] = true
			}
		}
		return err
	})
	return found, err
}
