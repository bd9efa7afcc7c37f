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

// plainBash replaces the function of the package bash-completion that cobra's script calls. It
// splits the line at blanks only; bash also splits at = and :.
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

// completedFlags returns the values of flags without choices that shells complete. If no value
// matches, shells complete file names.
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

// evaluationsOf returns the named evaluations of the game on the command line so far.
func evaluationsOf(cmd *cobra.Command) []string {
	names := append([]string{engine.DefaultName}, gameOn(cmd).names().evaluations...)
	slices.Sort(names)
	return slices.Compact(names)
}

// gameOn returns the game on the command line so far, or the first game.
func gameOn(cmd *cobra.Command) game {
	asked := cmd.Flag("game")
	for _, g := range allGames {
		if asked != nil && asked.Value.String() == g.info().Name {
			return g
		}
	}
	return allGames[0]
}

// completeFlags registers the completion of flags of a command and its subcommands.
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
				return slices.DeleteFunc(slices.Clone(values(cmd)), func(v string) bool { return !strings.HasPrefix(v, word) }), cobra.ShellCompDirectiveDefault
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
