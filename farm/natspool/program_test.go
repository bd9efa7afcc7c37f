package natspool

import (
	"context"
	"strings"
	"testing"
	"time"

	"kroo/farm"
)

// A coordinator whose server is killed ends, and says so.
func TestACallEndsWithItsServer(t *testing.T) {
	t.Parallel()
	n, err := Dial(t.Context(), Config{URL: Embedded, Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	s := open(t, n, farm.Work{})
	if err := n.server.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	const want = "the server kroo-farm has ended: start again"
	if err := s.do(ctx, tasks(1, anything)); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v: want %q in it", err, want)
	}
	if err := n.Close(); err == nil {
		t.Error("the network closes as if its server had ended well")
	}
}

// Without the server's program, a toolchain or the source the error names what to do.
func TestAServerThatIsNotThere(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Dial(t.Context(), Config{URL: Embedded, Listen: "127.0.0.1:0"})
	if err == nil || !strings.Contains(err.Error(), "in a clone of the source `go build -o ") {
		t.Errorf("error %v: want what to do", err)
	}
}
