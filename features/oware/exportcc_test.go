//go:build cc

// The tests of this file need a C compiler, cc.

package oware

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

// cMain reads 14 counts a line, own side first, and prints values.
const cMain = `
#include <stdio.h>
int main(void)
{
    int b[14];
    for (;;) {
        for (int i = 0; i < 14; i++)
            if (scanf("%d", &b[i]) != 1)
                return 0;
        printf("%d\n", kroo_evaluate(b, b + 7));
    }
}
`

// The exported C compiles without a warning and gives the evaluator's values.
func TestExportedCEvaluatesTheSame(t *testing.T) {
	for _, spec := range exportSpecs {
		e := compiled(t, randomModel(t, spec, 50))
		var text, input, want bytes.Buffer
		testkit.NoError(t, e.writeC(&text))
		text.WriteString(cMain)
		for _, p := range randomPositions(t, 500) {
			own, opp := p.Words()
			for i := range 14 {
				w := own
				if i >= 7 {
					w = opp
				}
				fmt.Fprint(&input, w>>(8*(i%7))&63, " ")
			}
			fmt.Fprintln(&want, e.Evaluate(p))
		}
		dir := t.TempDir()
		source, program := filepath.Join(dir, "e.c"), filepath.Join(dir, "e")
		testkit.NoError(t, os.WriteFile(source, text.Bytes(), 0o644))
		if out, err := exec.Command("cc", "-std=c99", "-pedantic", "-Wall", "-Werror", "-o", program, source).CombinedOutput(); err != nil {
			t.Fatalf("%v: %.2000s", err, out)
		}
		run := exec.Command(program)
		run.Stdin = &input
		got, err := run.Output()
		if err != nil || string(got) != want.String() {
			t.Fatalf("%s: the program's values differ (error %v)", spec, err)
		}
	}
}
