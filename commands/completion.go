package commands

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/engine"
	"kroo/internal/spec"
)

func completionCommand() *cobra.Command {
	return withoutJSON(&cobra.Command{
		Use:   "completion bash|zsh|fish",
		Short: "print a completion script for a shell",
		Example: "  source <(train completion bash)\n  train completion zsh > \"${fpath[1]}/_train\"\n" +
			"  train completion fish > ~/.config/fish/completions/train.fish",
		Args:      exactArgs(1, "the name of a shell"),
		ValidArgs: []string{"bash", "zsh", "fish"},
	}, func(j *job) error {
		root, out := j.Root(), j.OutOrStdout()
		switch j.args[0] {
		case "bash":
			if err := root.GenBashCompletionV2(out, true); err != nil {
				return err
			}
			_, err := io.WriteString(out, plainBash)
			return err
		case "zsh":
			return root.GenZshCompletion(out)
		case "fish":
			return root.GenFishCompletion(out, true)
		}
		return usagef("no completion for %q: expected bash, zsh or fish", j.args[0])
	})
}

// plainBash finds the words of the line where the package bash-completion is missing:
// cobra's own way calls a function of that package. It splits at blanks alone, since bash
// also splits at = and :.
const plainBash = `
__train_init_completion()
{
    local line=${COMP_LINE:0:COMP_POINT}
    COMPREPLY=()
    read -r -a words <<<"$line"
    if [[ $line == *[[:space:]] ]]; then
        words+=("")
    fi
    cword=$((${#words[@]} - 1))
    cur=${words[cword]}
    prev=${words[cword - 1]}
}
`

// completedFlags are the flags without choices of their own whose values shells complete. A file is
// completed where no value begins as the word does.
var completedFlags = map[string]func(cmd *cobra.Command) []string{
	"level":   func(*cobra.Command) []string { return engine.LevelNames() },
	"game":    func(*cobra.Command) []string { return gameNames() },
	"weights": evaluationsOf,
	"rules":   func(cmd *cobra.Command) []string { return gameOn(cmd).info().Rules },
	"side": func(cmd *cobra.Command) []string {
		sides := gameOn(cmd).info().Sides
		return []string{strings.ToLower(sides[0]), strings.ToLower(sides[1])}
	},
	"engine": func(*cobra.Command) []string { return []string{"cmd="} },
	"player": func(*cobra.Command) []string { return []string{"cmd="} },
	"where":  func(*cobra.Command) []string { return []string{"phase>=", "phase<=", "label>=", "label<=", "depth>="} },
}

// evaluationsOf are the evaluations by name of the game that the line has so far.
func evaluationsOf(cmd *cobra.Command) []string {
	if names := gameOn(cmd).names().evaluations; !slices.Contains(names, engine.DefaultName) {
		return append([]string{engine.DefaultName}, names...)
	}
	return gameOn(cmd).names().evaluations
}

// gameOn is the game of the line so far; of a name that there is not, the first.
func gameOn(cmd *cobra.Command) game {
	asked := cmd.Flag("game")
	for _, g := range allGames {
		if asked != nil && asked.Value.String() == g.info().Name {
			return g
		}
	}
	return allGames[0]
}

// completeFlags has the flags of a command, and of all below it, complete their values.
func completeFlags(cmd *cobra.Command) {
	for _, set := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
		set.VisitAll(func(flag *pflag.Flag) {
			values := completedFlags[flag.Name]
			if choices := flag.Annotations[spec.Choices]; len(choices) > 0 {
				values = func(*cobra.Command) []string { return choices }
			}
			if values == nil || flag.Value.Type() != "string" {
				return
			}
			err := cmd.RegisterFlagCompletionFunc(flag.Name, func(cmd *cobra.Command, _ []string, word string) ([]string, cobra.ShellCompDirective) {
				return beginningWith(values(cmd), word), cobra.ShellCompDirectiveDefault
			})
			if err != nil {
				panic(fmt.Sprintf("%s --%s: %v", cmd.CommandPath(), flag.Name, err))
			}
		})
	}
	for _, sub := range cmd.Commands() {
		completeFlags(sub)
	}
}

func beginningWith(values []string, word string) []string {
	return slices.DeleteFunc(slices.Clone(values), func(v string) bool { return !strings.HasPrefix(v, word) })
}
