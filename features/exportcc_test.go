//go:build cc

package features

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// The C exported for another program's columns compiles without warnings for any names, keeps the
// names, and evaluates like the weights.
func TestExportedCOfColumnsEvaluatesAsTheWeights(t *testing.T) {
	w := &Weights{Rules: "abapa", Columns: []string{}}
	var want []string
	feature, sum := "", 0.0
	for i, name := range []string{"mobility", `a "quoted" \ one`, "ends */ here", "begins /* here", "what??/", "%d", "mil\u00e9sime", "\\"} {
		points := []float64{1, -2.5, 1e-300, 1e300, 1.0 / 3, 0, -0.1, 41.67}[i]
		w.Features, w.Points = append(w.Features, name), append(w.Points, points)
		value := float64(i - 3)
		if points == 1e300 {
			value = 0
		}
		feature += fmt.Sprintf("%g,", value)
		want, sum = append(want, name), sum+points*value
	}
	var c bytes.Buffer
	testkit.NoError(t, w.writeC(&c))
	c.WriteString(`#include <stdio.h>
int main(void) {
    double f[] = {` + feature + `};
    for (int i = 0; i < kroo_features; i++)
        puts(kroo_names[i]);
    printf("%.17g\n", kroo_evaluate(f));
    return 0;
}
`)
	dir := t.TempDir()
	source, program := filepath.Join(dir, "columns.c"), filepath.Join(dir, "columns")
	testkit.NoError(t, os.WriteFile(source, c.Bytes(), 0o644))
	if out, err := exec.Command("cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-o", program, source).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s\n%s", err, out, c.String())
	}
	out := testkit.Must(exec.Command(program).Output())(t)
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	testkit.Equal(t, strings.Join(lines[:len(lines)-1], "\n"), strings.Join(want, "\n"), "names")
	if got, err := strconv.ParseFloat(lines[len(lines)-1], 64); err != nil || math.Abs(got-sum) > 1e-9 {
		t.Errorf("%g, error %v, want %g", got, err, sum)
	}
}
