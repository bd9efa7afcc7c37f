package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"kroo/inspect"
	"kroo/internal/vfs"
)

// outFlag is -o, with --force to replace a file of another kind.
func outFlag(cmd *cobra.Command, out *string, usage string) {
	cmd.Flags().StringVarP(out, "output", "o", "", usage)
	forceFlag(cmd)
}

func forceFlag(cmd *cobra.Command) {
	cmd.Flags().Bool("force", false, "replace the output also if it holds something of another kind")
}

func needOut(out string) error {
	if out == "" {
		return usagef("no output file: give -o FILE")
	}
	return nil
}

// output is a file that a command is to write.
type output struct {
	path  string // "" for none
	holds inspect.Kind
}

// checkOutputs refuses, before the work, an output that is one of the inputs, by
// whatever name, and one that would replace a file of another kind. Inputs may be
// names of other things than files.
func checkOutputs(cmd *cobra.Command, outputs []output, inputs ...string) error {
	force, err := cmd.Flags().GetBool("force")
	if err != nil {
		return err
	}
	for _, out := range outputs {
		there, err := vfs.Stat(out.path)
		if out.path == "" || errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for _, in := range inputs {
			if info, err := vfs.Stat(in); err == nil && os.SameFile(there, info) {
				return usagef("the output %s is the input %s: name another file", out.path, in)
			}
		}
		if err := out.checkKind(there, force); err != nil {
			return err
		}
	}
	return nil
}

// checkKind refuses to replace a file of another kind. What is no file at all is
// refused where the work begins.
func (o output) checkKind(there fs.FileInfo, force bool) error {
	if force || !there.Mode().IsRegular() {
		return nil
	}
	kind, err := inspect.KindOf(o.path)
	if err != nil {
		return err
	}
	if kind != o.holds && kind != inspect.KindEmpty {
		return fmt.Errorf("%s holds %s, not %s: name another file, or replace it with --force", o.path, kind, o.holds)
	}
	return nil
}
