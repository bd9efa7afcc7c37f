package natspool

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"
	"testing"
	"time"

	"kroo/farm"
	"kroo/internal/testkit"
)

// A coordinator whose server is killed ends with an error, and removes the server's storage.
func TestACallEndsWithItsServer(t *testing.T) {
	t.Parallel()
	n := testkit.Must(Dial(t.Context(), Config{URL: Embedded, Listen: "127.0.0.1:0"}))(t)
	s := open(t, n, farm.Work{})
	testkit.NoError(t, n.server.cmd.Process.Kill())
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	const want = "the server kroo-farm ended: start again"
	if err := s.do(ctx, tasks(1, anything)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v: want %q in it", err, want)
	}
	if _, err := os.Stat(n.server.folder); err != nil {
		t.Error(err)
	}
	if err := n.Close(); err == nil {
		t.Error("the network closes as if its server had ended well")
	}
	if _, err := os.Stat(n.server.folder); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder of the server: %v: want none", err)
	}
}

// A server ends with the program that has started it, however that ends, and leaves nothing.
func TestAServerEndsWithItsProgram(t *testing.T) {
	t.Parallel()
	p := testkit.Must(startServer(t.Context(), Config{Listen: "127.0.0.1:0"}))(t)
	if err := p.in.Close(); err != nil { // as the system does for a program that is killed
		t.Fatal(err)
	}
	<-p.ended
	if _, err := os.Stat(p.folder); p.err != nil || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the server ends with %v, its folder: %v: want none", p.err, err)
	}
}

// Without the server's program, a toolchain or the source the error names what to do.
func TestMissingServer(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Dial(t.Context(), Config{URL: Embedded, Listen: "127.0.0.1:0"})
	testkit.Refused(t, err, "in a clone of the source `go build -o ")
}
