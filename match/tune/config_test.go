package tune

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"kroo/engine/uci/client"
	"kroo/internal/testkit"
)

// announced are options of a program.
var announced = []client.Spec{
	{Name: "Contempt", Kind: "spin", Default: "24", Min: -100, Max: 100},
	{Name: "Margin", Kind: "string", Default: "0.5"},
	{Name: "Style", Kind: "combo", Default: "wild"},
	{Name: "Path", Kind: "string", Default: "<empty>"},
}

// read reads a file with a table of this text.
func read(t *testing.T, text string) ([]Parameter, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.toml")
	testkit.NoError(t, os.WriteFile(path, []byte(text), 0o666))
	return ReadParameters(path)
}

func TestParametersDefaultToAnnouncedValues(t *testing.T) {
	t.Parallel()
	list, err := read(t, `
[[parameter]]
option = "contempt"
c_end = 10
[[parameter]]
option = "Contempt2"
c_end = 1
[[parameter]]
option = "Margin"
start = 0.25
min = 0
max = 1
c_end = 0.1
r_end = 0.01`)
	testkit.NoError(t, err)
	list = append(list[:1], list[2])
	got, err := resolved(list, announced)
	want := []parameter{
		{Option: "Contempt", Whole: true, Start: 24, Min: -100, Max: 100, Step: 10, Learning: defaultLearning},
		{Option: "Margin", Start: 0.25, Max: 1, Step: 0.1, Learning: 0.01},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, error %v: want %+v", got, err, want)
	}
}

func TestParametersThatCannotBe(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fields, want string }{
		{"", "1 to 100"},
		{`option = ""` + "\nc_end = 1", "expected the name"},
		{`option = "Contempt"`, "c_end is 0"},
		{`option = "Contempt"` + "\nc_end = nan", "c_end = nan: expected a number"},
		{`option = "Contempt"` + "\nc_end = 0.2", "0.5 or more"},
		{`option = "Contempt"` + "\nc_end = 101", "at most half"},
		{`option = "Contempt"` + "\nc_end = 1\nr_end = 2", "r_end is 2"},
		{`option = "Contempt"` + "\nc_end = 1\nmin = 5\nmax = 5", "expected a range"},
		{`option = "Contempt"` + "\nc_end = 1\nmax = 101", "within -100 to 100"},
		{`option = "Contempt"` + "\nc_end = 1\nmin = 30", "start 24: expected 30 to 100"},
		{`option = "Contempt"` + "\nc_end = 1\nstart = 1.5", "whole numbers"},
		{`option = "Margin"` + "\nc_end = 0.1", "expected min and max"},
		{`option = "Margin"` + "\nc_end = 0.1\nmin = 0\nmax = inf", "max = inf: expected a number"},
		{`option = "Style"` + "\nc_end = 1", "expected an option that is a number"},
		{`option = "Path"` + "\nc_end = 1", "expected an option that is a number"},
		{`option = "None"` + "\nc_end = 1", "expected one of Contempt, Margin, Style, Path"},
	} {
		text := c.fields
		if text != "" {
			text = "[[parameter]]\n" + text
		}
		list, err := read(t, text)
		if err == nil {
			_, err = resolved(list, announced)
		}
		testkit.Refused(t, err, c.want)
	}
	_, err := read(t, strings.Repeat("[[parameter]]\noption = \"Contempt\"\nc_end = 1\n", 2))
	testkit.Refused(t, err, "twice")
}
