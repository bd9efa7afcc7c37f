package wording

import (
	"testing"

	"kroo/internal/testkit"
)

func TestAPathIsNotReadAsAFlag(t *testing.T) {
	for name, want := range map[string]string{"x": "x", "-x": "./-x", "./-x": "./-x", "-": "./-", "--my file": "'./--my file'"} {
		testkit.Equal(t, Path(name), want, "%s is written", name)
	}
}

func TestProgramIsTheCommandThatStartedIt(t *testing.T) {
	for name, want := range map[string]string{
		"train": "train", "./train": "./train", "/opt/my tools/train": "'/opt/my tools/train'",
		"/root/.cache/go-build/ab/abcd-d/train": "go run ./cmd/train", "/tmp/go-build123/b001/exe/train": "go run ./cmd/train",
	} {
		testkit.Equal(t, program(name), want, "%s is named", name)
	}
}
