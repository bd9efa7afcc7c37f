package main

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
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
	for _, name := range unusedNames(list) {
		findings = append(findings, name+": no other package uses it: begin it with a small letter, or delete it")
	}
	return findings, nil
}

// names are the exported names of packages: "kroo/book.Open", "kroo/book.Header.Rules".
type names struct {
	places  map[string]string       // where each is declared
	objects map[string]types.Object // the object of each
	used    map[string]bool
	asked   map[string]bool // methods of interfaces
}

// unusedNames lists exported names that are unused: not by another package, by an example, or in
// the type of a used name. Methods also count as used if an interface has their name. If one
// constant of a type is used, all are.
func unusedNames(list []*packages.Package) (unused []string) {
	n := names{
		places: map[string]string{}, objects: map[string]types.Object{}, used: map[string]bool{},
		asked: map[string]bool{"Unwrap": true}, // package errors uses it
	}
	for _, p := range list {
		n.addDeclared(p)
		n.addInterfaces(p)
	}
	for _, p := range list {
		n.addUses(p)
	}
	for _, name := range slices.Sorted(maps.Keys(n.objects)) {
		if f, ok := n.objects[name].(*types.Func); ok && f.Signature().Recv() != nil && n.asked[f.Name()] {
			n.use(f)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(n.places)) {
		if !n.used[name] {
			unused = append(unused, n.places[name]+": "+name)
		}
	}
	return unused
}

// addDeclared adds the exported names that a package declares outside its tests.
func (n *names) addDeclared(p *packages.Package) {
	for _, o := range p.TypesInfo.Defs {
		name := nameOf(o)
		if name == "" {
			continue
		}
		at := p.Fset.Position(o.Pos())
		if strings.HasSuffix(at.Filename, "_test.go") {
			continue
		}
		n.places[name] = fmt.Sprintf("%s:%d", at.Filename, at.Line)
		n.objects[name] = o
	}
}

// addInterfaces adds the methods of all interfaces that a package declares or refers to.
func (n *names) addInterfaces(p *packages.Package) {
	interfaceMethods(p.Types, n.asked, map[*types.Package]bool{})
	for _, file := range p.Syntax {
		for node := range ast.Preorder(file) {
			i, ok := node.(*ast.InterfaceType)
			if !ok {
				continue
			}
			for _, m := range i.Methods.List {
				for _, name := range m.Names {
					n.asked[name.Name] = true
				}
			}
		}
	}
}

// addUses marks the names that a package uses of other packages, and its examples of any.
func (n *names) addUses(p *packages.Package) {
	own := strings.TrimSuffix(p.Types.Path(), "_test")
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			isExample := isFunc && strings.HasPrefix(f.Name.Name, "Example")
			for node := range ast.Preorder(d) {
				id, ok := node.(*ast.Ident)
				if !ok {
					continue
				}
				if o := p.TypesInfo.Uses[id]; o != nil && o.Pkg() != nil && (o.Pkg().Path() != own || isExample) {
					n.use(o)
				}
			}
		}
	}
}

// nameOf returns the full name of an exported type, function, variable, constant or method of
// this module, "" for other objects. All constants of a type have one name.
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
	if c, ok := o.(*types.Const); ok {
		if named, ok := c.Type().(*types.Named); ok && nameOf(named.Obj()) != "" {
			return "constants of " + nameOf(named.Obj())
		}
	}
	return path + "." + o.Name()
}

// typeNames matches the names of this module's types in the text of a type.
var typeNames = regexp.MustCompile(`kroo/[\w/-]+\.[A-Z]\w*`)

// use marks a name, and the names of types in its declaration.
func (n *names) use(o types.Object) {
	if f, ok := o.(*types.Func); ok {
		o = f.Origin()
	}
	text := types.TypeString(o.Type(), nil)
	if v, ok := o.(*types.Var); ok && v.IsField() {
		text = types.TypeString(v.Origin().Type(), nil)
	} else if name := nameOf(o); name == "" || n.used[name] {
		return
	} else {
		n.used[name] = true
	}
	if t, ok := o.(*types.TypeName); ok {
		if s, ok := t.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				if f.Exported() {
					text += " " + types.TypeString(f.Type(), nil)
				}
			}
		} else {
			text += " " + types.TypeString(t.Type().Underlying(), nil)
		}
	}
	for _, name := range typeNames.FindAllString(text, -1) {
		if o := n.objects[name]; o != nil {
			n.use(o)
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
