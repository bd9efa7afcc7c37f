//go:build unix

package wording

import (
	"os/exec"
	"testing"

	"kroo/internal/testkit"
)

func TestAShellReadsQuotedWords(t *testing.T) {
	sh := testkit.Must(exec.LookPath("sh"))(t)
	for word, want := range map[string]string{
		"file.ogn": "file.ogn", "--a=b": "--a=b", "": "''", "two words": "'two words'", "it's": `'it'\''s'`,
		"a;rm -rf b": "'a;rm -rf b'", "$HOME": "'$HOME'", "`id`": "'`id`'", "a\nb": "'a\nb'", "=ls": "'=ls'", "~": "'~'", "ä": "'ä'", "a^b": "'a^b'",
	} {
		got := ShellQuote(word)
		testkit.Equal(t, got, want, "%q is quoted as", word)
		out, err := exec.Command(sh, "-c", "printf %s "+got).Output()
		if err != nil || string(out) != word {
			t.Errorf("a shell reads %s as %q, %v", got, out, err)
		}
	}
}
