// Command lint checks what the compiler and staticcheck do not, once for each change:
//
//	go run -C tools/lint . [-root FOLDER] [names|files|errors|documents|words|prose|windows ...]
//
// It prints one line for each finding and exits with 1 if there are any.
//
//	names      exported names that no other package uses
//	files      calls of package os that internal/vfs has, which tests make fail
//	errors     errors that begin with the name of their package
//	documents  dead links, tests that do not exist, results that only the README has
//	words      odd words in documents, pages and comments
//	prose      packed statements, and functions named by participles
//	windows    what does not compile on Windows
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
)

// A check returns its findings in the module under a folder.
type check struct {
	name string
	find func(root string) (findings []string, err error)
}

var checks = []check{
	{"errors", errorTexts}, {"files", fileCalls}, {"documents", documents}, {"words", oddTexts}, {"prose", packedCode},
	{"names", exportedNames}, {"windows", windowsTypes},
}

func main() {
	root := flag.String("root", "../..", "folder of the module")
	flag.Parse()
	for _, name := range flag.Args() {
		if !slices.ContainsFunc(checks, func(c check) bool { return c.name == name }) {
			fmt.Fprintf(os.Stderr, "lint: no check %q: expected names, files, errors, documents, words, prose or windows\n", name)
			os.Exit(2)
		}
	}
	clean := true
	for _, c := range checks {
		if flag.NArg() > 0 && !slices.Contains(flag.Args(), c.name) {
			continue
		}
		findings, err := c.find(*root)
		if err != nil {
			fmt.Fprintf(os.Stderr, "lint: %s: %v\n", c.name, err)
			os.Exit(1)
		}
		for _, f := range findings {
			clean = false
			fmt.Println(f)
		}
	}
	if !clean {
		os.Exit(1)
	}
}
