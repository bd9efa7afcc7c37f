package serve

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
	"kroo/run"
)

// A new run has the configuration of a preset and a folder of its own; another one has to
// wait.
func TestANewRunBegins(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "runs") // which is made
	s := testServer(t, Config{Dir: dir})
	if code, text := post(s, "/api/run/new?name=first-1&preset=quick"); code != 200 {
		t.Fatalf("new: %d %s", code, text)
	}
	want := testkit.Must(run.Preset("quick"))(t)
	if got, err := os.ReadFile(filepath.Join(dir, "first-1", run.ConfigFile)); err != nil || string(got) != want {
		t.Errorf("configuration %q, %v", got, err)
	}
	testkit.Equal(t, s.worker.current(), "first-1", "s.worker.current")
	if code, text := post(s, "/api/run/new?name=second&preset=quick"); code != 400 || !strings.Contains(text, "another run") {
		t.Errorf("a second one: %d %s", code, text)
	}
	if _, err := os.Stat(filepath.Join(dir, "second")); err == nil {
		t.Error("a run that may not begin has a folder")
	}
	if code, text := post(s, "/api/run/stop?name=first-1"); code != 200 {
		t.Errorf("stop: %d %s", code, text)
	}
	s.worker.wait()
	if code, text := post(s, "/api/run/new?name=first-1&preset=quick"); code != 400 || !strings.Contains(text, "already") {
		t.Errorf("the same name again: %d %s", code, text)
	}
}

func TestANewRunIsRefused(t *testing.T) {
	dir := t.TempDir()
	served, outside := filepath.Join(dir, "served"), filepath.Join(dir, "outside")
	for _, d := range []string{served, outside, filepath.Join(served, "empty")} {
		testkit.NoError(t, os.Mkdir(d, 0o777))
	}
	if err := os.Symlink(outside, filepath.Join(served, "link")); err != nil {
		t.Skip(err)
	}
	s := testServer(t, Config{Dir: served})
	for _, query := range []string{
		"", "name=a", "preset=quick", "name=a&preset=none", "name=a&preset=../quick", "name=../a&preset=quick", "name=a/b&preset=quick", "name=.a&preset=quick", "name=-a&preset=quick",
		"name=A&preset=quick", "name=a%00&preset=quick", "name=a%0a&preset=quick", "name=" + strings.Repeat("a", 41) + "&preset=quick", "name=link&preset=quick", "name=empty&preset=quick",
	} {
		if code, text := post(s, "/api/run/new?"+query); code != 400 || strings.Contains(text, dir) {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
	r := request(http.MethodPost, "/api/run/new?name=a&preset=quick", nil)
	r.Header.Set("Origin", "http://evil.example")
	if code, _, _ := ask(s, r); code != 403 {
		t.Errorf("by way of another site: %d", code)
	}
	if code, _, _ := get(s, "/api/run/new?name=a&preset=quick"); code == 200 {
		t.Error("a GET begins a run")
	}
	if list, err := os.ReadDir(served); err != nil || len(list) != 2 || s.worker.current() != "" {
		t.Errorf("in the folder: %v, %v; in work: %q", list, err, s.worker.current())
	}
	if list, err := os.ReadDir(outside); err != nil || len(list) != 0 {
		t.Errorf("outside: %v, %v", list, err)
	}
}

// The page says of every preset how long it takes.
func TestEveryPresetIsDescribed(t *testing.T) {
	for _, p := range presets() {
		if p.Text == "" {
			t.Errorf("preset %s has no description", p.Name)
		}
	}
}
