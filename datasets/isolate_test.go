package datasets

import (
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"kroo/internal/testkit"
)

// Formats whose library fails in known ways. They are set in a variable, since a child becomes a
// decoder in init, which runs after variables are initialised.
var _ = func() bool {
	for ext, fail := range map[string]func(){
		".loop": func() { select {} },
		".spin": func() {
			for n := 0; n >= 0; n &= 1 {
			}
		},
		".panic": func() { go func() { panic("runtime error: index out of range [5] with length 3") }(); select {} },
		".hog": func() {
			for all := ([][]byte)(nil); ; {
				all = append(all, make([]byte, 1<<24))
				runtime.KeepAlive(all)
			}
		},
		".exit": func() { os.Exit(0) },
	} {
		formats[ext] = format{
			name: ext[1:], library: true,
			open: func(source, memory.Allocator) (contents, error) { return failing{fail: fail}, nil },
		}
	}
	return true
}()

// failing is a file on which a library fails.
type failing struct {
	contents
	fail func()
}

func (failing) describe() (description, error) {
	return description{Names: []string{"board", "label"}}, nil
}

func (f failing) cells(_ []string, each eachCells) error {
	err := each(": row 0", []string{startBoard, "1"})
	f.fail()
	return err
}

// A failing library ends only its own process, with an error that names the file.
func TestALibraryFailureIsAnErrorOfTheFile(t *testing.T) {
	patience := childTimeout
	defer func() { childTimeout = patience }()
	for ext, want := range map[string]string{
		".loop":  "made no progress for 2s; write the file again",
		".spin":  "made no progress for 2s; write the file again",
		".panic": "cannot be read (index out of range [5] with length 3): it is damaged, or of a kind",
		".hog":   "asks for more than 1024 MiB of memory",
		".exit":  "the process that decodes it ended early",
	} {
		t.Run(ext[1:], func(t *testing.T) {
			if childTimeout = patience; strings.Contains(want, "no progress for") {
				childTimeout = 2 * time.Second
			}
			path := filepath.Join(t.TempDir(), "theirs"+ext)
			testkit.Write(t, path, []byte("x"))
			_, _, err := labelsOf(t, path, Foreign{})
			wantError(t, err, path, want)
		})
	}
}

// The end of the context ends the child.
func TestCancellingTheContextEndsTheChild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.loop")
	testkit.Write(t, path, []byte("x"))
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(300*time.Millisecond, cancel)
	start := time.Now()
	var last error
	for _, err := range foreignRows(ctx, path, Foreign{}, new(Rejected)) {
		last = err
	}
	if !errors.Is(last, context.Canceled) || time.Since(start) > childTimeout/3 {
		t.Errorf("error %v after %v, expected %v soon", last, time.Since(start), context.Canceled)
	}
}

// A child exits when its input is closed, even in the middle of its work, so it cannot outlive its
// parent.
func TestAChildExitsWithItsParent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "theirs.spin")
	testkit.Write(t, path, []byte("x"))
	self, err := os.Executable()
	testkit.NoError(t, err)
	cmd := exec.CommandContext(t.Context(), self)
	cmd.Env = append(os.Environ(), decoderEnv+"=1")
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	testkit.NoError(t, err)
	testkit.NoError(t, gob.NewEncoder(in).Encode(request{Path: path, Names: []string{"board", "label"}, Memory: childMemory}))
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		t.Fatalf("it has ended by itself: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	in.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		t.Error("it is still running without an input")
	}
}

// Output that is not a message ends the child, and cells longer than any board are refused.
func TestChildMessagesAreLimited(t *testing.T) {
	for _, sent := range []string{"", "?", "\x03\xff\xff", "\xf8\xff\xff\xff\xff\xff\xff\xff\xff"} {
		from := gob.NewDecoder(strings.NewReader(sent))
		if _, err := messages(from, nil); !errors.Is(err, errTruncated) {
			t.Errorf("%q: error %v, expected %v", sent, err, errTruncated)
		}
	}
	path := filepath.Join(t.TempDir(), "theirs.csv")
	testkit.Write(t, path, []byte("a,b\nab,\n1\n"+strings.Repeat("x", maxCell+1)+",\n"))
	var sent bytes.Buffer
	_, err := request{Path: path, Names: []string{"a", "b"}}.serve(gob.NewEncoder(&sent))
	wantError(t, err, ":4: a text of 1048577 bytes")
	var got []string
	_, err = messages(gob.NewDecoder(&sent), func(place string, cells []string) error {
		got = append(got, fmt.Sprintf("%s %q", place, cells))
		return nil
	})
	if !errors.Is(err, errTruncated) || strings.Join(got, "|") != `:2 ["ab" ""]|:3 []` {
		t.Errorf("%q, error %v", got, err)
	}
}
