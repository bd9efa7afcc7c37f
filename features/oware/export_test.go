package oware

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestJSONNamesEveryWeight(t *testing.T) {
	m := randomModel(t, "store+houses/2", 20)
	var b bytes.Buffer
	if err := m.WriteJSON(&b); err != nil {
		t.Fatal(err)
	}
	var got struct {
		Header Header
		Points map[string]float32
	}
	if err := json.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	for i, w := range m.Weights {
		if got.Points[m.Set.ColumnName(i)] != w {
			t.Fatalf("column %s: %v: want %v", m.Set.ColumnName(i), got.Points[m.Set.ColumnName(i)], w)
		}
	}
	if got.Header.Weights != m.Hash() || len(got.Points) >= len(m.Weights) {
		t.Errorf("header %+v, %d columns: want those that are not zero", got.Header, len(got.Points))
	}
}

func TestCSVHoldsEveryWeight(t *testing.T) {
	m := randomModel(t, "store+houses/2", 20)
	var b bytes.Buffer
	if err := m.WriteCSV(&b); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got := make([]float32, m.Set.Len())
	for _, l := range lines[1:] {
		i, _ := strconv.Atoi(l[0])
		x, err := strconv.ParseFloat(l[2], 32)
		if err != nil || l[1] != m.Set.ColumnName(i) {
			t.Fatalf("line %q, error %v", l, err)
		}
		got[i] = float32(x)
	}
	for i, w := range m.Weights {
		if got[i] != w {
			t.Fatalf("column %d: %v: want %v", i, got[i], w)
		}
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestExportsReportWriteErrors(t *testing.T) {
	m := randomModel(t, "store+houses", 20)
	for i, err := range []error{m.WriteJSON(broken{}), m.WriteCSV(broken{}), compiled(t, m).WriteC(broken{})} {
		if err == nil || !strings.Contains(err.Error(), "disk full") {
			t.Errorf("export %d: error %v", i, err)
		}
	}
}

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

// The exported C gives the evaluator's values, bit for bit. It needs the C
// compiler that the race detector needs as well.
func TestExportedCEvaluatesTheSame(t *testing.T) {
	cc, err := exec.LookPath("cc")
	if err != nil {
		t.Skip("no C compiler")
	}
	for _, spec := range []string{"store+houses/3", "store+houses/2+pairs"} {
		e := compiled(t, randomModel(t, spec, 50))
		var text, input, want bytes.Buffer
		if err := e.WriteC(&text); err != nil {
			t.Fatal(err)
		}
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
		if err := os.WriteFile(source, text.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(cc, "-std=c99", "-pedantic", "-Wall", "-Werror", "-o", program, source).CombinedOutput(); err != nil {
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
