package commands

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/run/inspect"
)

// fileKinds are the kinds of the files that words of usage lines and flags stand for.
var fileKinds = map[string][]inspect.Kind{
	"BOOK":            {inspect.KindBook},
	"FEATURES":        {inspect.KindDataset},
	"GAMES.ogn":       {inspect.KindGames},
	"IN":              {inspect.KindDataset},
	"LABELS":          {inspect.KindDataset},
	"PARAMETERS.toml": {inspect.KindConfig},
	"POSITIONS":       {inspect.KindDataset},
	"TABLE":           {inspect.KindTable},
	"WEIGHTS":         {inspect.KindWeights},
	"WEIGHTS.json":    {inspect.KindWeights},
	"--book":          {inspect.KindBook},
	"--config":        {inspect.KindConfig},
	"--cover":         {inspect.KindGames},
	"--farm-config":   {inspect.KindConfig},
	"--from":          {inspect.KindGames, inspect.KindDataset}, // or a list of boards, whose kind is unknown
	"--games":         {inspect.KindGames},
	"--labels":        {inspect.KindDataset},
	"--on":            {inspect.KindDataset},
	"--openings":      {inspect.KindGames, inspect.KindDataset}, // or a list of boards
	"--prior":         {inspect.KindWeights},
	"--table":         {inspect.KindTable},
	"--tables":        {inspect.KindTable},
	"--validate":      {inspect.KindDataset},
	"--weights":       {inspect.KindWeights},
}

// checkKinds returns an error for an operand or flag that names a file of another kind than it is for.
func checkKinds(cmd *cobra.Command, args []string) error {
	_, usage, _ := strings.Cut(cmd.Use, " ")
	for i, path := range args {
		err := checkKind(path, "", operandKinds(usage, i)...)
		if err != nil {
			return fmt.Errorf("%w; %s takes %s", err, cmd.CommandPath(), usage)
		}
	}
	var err error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		kinds := fileKinds["--"+f.Name]
		if len(kinds) == 0 || isOutput(f) {
			return
		}
		for path := range strings.SplitSeq(f.Value.String(), ",") {
			if err == nil {
				err = checkKind(path, "--"+f.Name, kinds...)
			}
		}
	})
	return err
}

// operandKinds returns the kinds of files that the operand at an index may have by a usage line, none if it
// may be anything. An optional word may be left out: the operand may stand for the next one.
func operandKinds(usage string, index int) (kinds []inspect.Kind) {
	words := strings.Fields(usage)
	for i := min(index, len(words)-1); i >= 0 && i < len(words); i++ {
		optional := strings.HasPrefix(words[i], "[")
		kinds = append(kinds, fileKinds[strings.Trim(words[i], "[].")]...)
		if !optional {
			break
		}
	}
	return kinds
}

// checkKind returns an error for a file of another kind than expected. It leaves files of unknown kind, and
// names that are not files, to the command. what is the flag with the name, "" for an operand.
func checkKind(path, what string, expected ...inspect.Kind) error {
	info, err := vfs.Stat(path)
	if err != nil || !info.Mode().IsRegular() || len(expected) == 0 {
		return nil
	}
	kind, err := inspect.KindOf(path)
	if err != nil || kind == inspect.KindUnknown || slices.Contains(expected, kind) {
		return nil
	}
	var names []string
	for _, k := range expected {
		names = append(names, string(k))
	}
	if what != "" {
		what += ": "
	}
	if kind == inspect.KindUTF16 {
		return fmt.Errorf("%s%w", what, inspect.UTF16Error(path))
	}
	found := "contains " + string(kind)
	if kind == inspect.KindEmpty {
		found = "is empty"
	}
	return fmt.Errorf("%s%s %s: expected %s", what, path, found, wording.List(names, "or"))
}
