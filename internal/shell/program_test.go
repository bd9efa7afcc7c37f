package shell

import "testing"

func TestAPathIsNoFlag(t *testing.T) {
	for name, want := range map[string]string{"x": "x", "-x": "./-x", "./-x": "./-x", "-": "./-", "--my file": "'./--my file'"} {
		if got := Path(name); got != want {
			t.Errorf("%s is written %s, want %s", name, got, want)
		}
	}
}

func TestAProgramIsNamedAsItWasStarted(t *testing.T) {
	for name, want := range map[string]string{
		"train": "train", "./train": "./train", "/opt/my tools/train": "'/opt/my tools/train'",
		"/root/.cache/go-build/ab/abcd-d/train": "go run ./cmd/train", "/tmp/go-build123/b001/exe/train": "go run ./cmd/train",
	} {
		if got := program(name); got != want {
			t.Errorf("%s is named %s, expected %s", name, got, want)
		}
	}
}
