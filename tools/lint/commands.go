package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// commands are the commands of the program by path ("train book expand"), as listed in
// docs/reference.md, which a test of package commands keeps up to date.
type commands map[string]*command

type command struct {
	flags    map[string]bool // "--name" and "-n"; true if it takes a value
	operands bool            // the usage line has operands
	groups   bool            // it has subcommands
}

var (
	flagLine = regexp.MustCompile(`^ +(?:(-\w), )?(--[\w-]+)( \S+)?(?: |$)`)
	operand  = regexp.MustCompile(`[A-Z]{2}|=`)
)

func commandTree(root string) (commands, error) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "reference.md"))
	if err != nil {
		return nil, err
	}
	tree := parseReference(string(text))
	if len(tree) < 10 || tree["train"] == nil {
		return nil, fmt.Errorf("docs/reference.md: %d commands: expected train and more: go test ./commands -run Reference -update writes it", len(tree))
	}
	return tree, nil
}

func parseReference(text string) commands {
	tree := commands{}
	var c *command
	path := ""
	for _, line := range strings.Split(text, "\n") {
		if heading, ok := strings.CutPrefix(line, "## "); ok {
			path, c = heading, &command{flags: map[string]bool{}}
			tree[path] = c
			if cut := strings.LastIndex(path, " "); cut > 0 && tree[path[:cut]] != nil {
				tree[path[:cut]].groups = true
			}
			continue
		}
		if c == nil {
			continue
		}
		if usage, ok := strings.CutPrefix(line, path+" "); ok && strings.HasSuffix(usage, "[flags]") && operand.MatchString(usage) {
			c.operands = true
		}
		if m := flagLine.FindStringSubmatch(line); m != nil {
			takes := m[3] != "" && !strings.Contains(m[3], "[=")
			c.flags[m[2]] = takes
			if m[1] != "" {
				c.flags[m[1]] = takes
			}
		}
	}
	return tree
}

// wrongWith checks the names of commands and flags. Values and operands may be placeholders.
func (tree commands) wrongWith(args []string) string {
	path := "train"
	for len(args) > 0 && tree[path+" "+args[0]] != nil {
		path, args = path+" "+args[0], args[1:]
	}
	if path == "train" && len(args) > 0 && args[0] == "help" {
		return ""
	}
	c := tree[path]
	for i := 0; i < len(args); i++ {
		word := args[i]
		if strings.HasPrefix(word, "[") || word == "-" { // part of a usage line, or standard input
			continue
		}
		if !strings.HasPrefix(word, "-") {
			if c.groups && !c.operands {
				return "no command " + word
			}
			continue
		}
		name, _, given := strings.Cut(word, "=")
		takes, known := tree.flag(path, name)
		if !known {
			return "no flag " + word
		}
		if takes && !given {
			i++
		}
	}
	return ""
}

// flag looks up a flag of a command or its parents.
func (tree commands) flag(path, name string) (takes, known bool) {
	for ; path != ""; path = path[:max(0, strings.LastIndex(path, " "))] {
		if takes, known = tree[path].flags[name]; known {
			return takes, true
		}
	}
	return false, false
}
