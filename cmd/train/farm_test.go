package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"kroo/farm/natspool"
	"kroo/internal/testkit"
)

// freeAddress returns an address without a listener.
func freeAddress(t *testing.T) string {
	t.Helper()
	l := testkit.Must(net.Listen("tcp", "127.0.0.1:0"))(t)
	defer l.Close()
	return l.Addr().String()
}

// process is a started program. It is killed at the end of the test.
type process struct {
	*exec.Cmd
	t     *testing.T
	mu    sync.Mutex
	text  bytes.Buffer // both outputs
	ended chan error
}

func (p *process) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.Write(b)
}

func (p *process) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.text.String()
}

func start(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{Cmd: cmd, t: t, ended: make(chan error, 1)}
	cmd.Stdout, cmd.Stderr = p, p
	testkit.NoError(t, cmd.Start())
	go func() {
		p.ended <- cmd.Wait()
		close(p.ended)
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may have ended
		<-p.ended
	})
	return p
}

// until waits for a text in the output.
func (p *process) until(text string) {
	p.t.Helper()
	for end := time.Now().Add(60 * time.Second); !strings.Contains(p.output(), text); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("%v did not print %q but %q", p.Args, text, p.output())
		}
	}
}

// wait waits for the end, which must be a success.
func (p *process) wait() {
	p.t.Helper()
	select {
	case err := <-p.ended:
		if err != nil {
			p.t.Fatalf("%v: %v: %s", p.Args, err, p.output())
		}
	case <-time.After(90 * time.Second):
		p.t.Fatalf("%v does not end: %s", p.Args, p.output())
	}
}

func (p *process) kill() {
	p.t.Helper()
	testkit.NoError(p.t, p.Process.Kill())
	<-p.ended
}

func joinFarm(t *testing.T, address string) *process {
	t.Helper()
	return start(t, command(t.TempDir(), "farm", "worker", "nats://"+address, "--threads", "1", "--cache", "cache"))
}

const labelling = "label positions.parquet --nodes 3000 --hash 1"

// farmed returns a folder with n positions and their labels by a local run.
func farmed(t *testing.T, n string) (dir string) {
	t.Helper()
	return copyOf(t, "", "sample --method uniform --n "+n+" --seed 4 -o positions.parquet", labelling+" -o local.parquet")
}

// labelFar labels the positions on a farm, given by more flags.
func labelFar(t *testing.T, dir string, more ...string) *process {
	t.Helper()
	args := append(strings.Fields(labelling+" -o far.parquet"), more...)
	return start(t, command(dir, args...))
}

// listenAt writes a farm's configuration with the address of an embedded server to a folder.
func listenAt(t *testing.T, dir, address string) (path string) {
	t.Helper()
	path = filepath.Join(dir, address+".toml")
	testkit.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "listen = %q\n", address), 0o644))
	return path
}

func embeddedAt(t *testing.T, address string) []string {
	return []string{"--farm", "embedded", "--farm-config", listenAt(t, t.TempDir(), address)}
}

// labelled waits for the end of a labelling, and compares the labels with the local ones.
func (p *process) labelled() {
	p.t.Helper()
	p.wait()
	sameFile(p.t, p.Dir, "local.parquet", "far.parquet")
}

func sameFile(t *testing.T, dir, a, b string) {
	t.Helper()
	one := testkit.Read(t, filepath.Join(dir, a))
	two := testkit.Read(t, filepath.Join(dir, b))
	if !bytes.Equal(one, two) {
		t.Errorf("%s and %s differ", a, b)
	}
}

// halfway waits until some labels are finished.
func (p *process) halfway() {
	p.t.Helper()
	const some = 1000 // bytes of its journal
	path := filepath.Join(p.Dir, "far.parquet.journal")
	for end := time.Now().Add(60 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		if info, err := os.Stat(path); err == nil && info.Size() > some {
			return
		}
		if time.Now().After(end) {
			p.t.Fatalf("%s does not grow: %s", path, p.output())
		}
	}
}

// atWork returns a labelling of n positions with an embedded server, half done, and its only worker.
func atWork(t *testing.T, n string) (label, worker *process, address string) {
	t.Helper()
	dir, address := farmed(t, n), freeAddress(t)
	worker = joinFarm(t, address)
	label = labelFar(t, dir, embeddedAt(t, address)...)
	label.halfway()
	return label, worker, address
}

// farmServer starts a server that loses everything when it is killed.
func farmServer(t *testing.T, address string) *process {
	t.Helper()
	cmd := exec.Command("kroo-farm")
	cmd.Env = append(os.Environ(), "TMPDIR="+t.TempDir())
	in, err := cmd.StdinPipe()
	testkit.NoError(t, err)
	p := start(t, cmd)
	_, err = fmt.Fprintf(in, `{"listen": %q, "jetstream": {}}`+"\n", address)
	testkit.NoError(t, err)
	p.until(address)
	return p
}

// The only worker is killed, and another comes later: the labels are those of a local run.
func TestAKilledWorkerLosesNothing(t *testing.T) {
	t.Parallel()
	label, worker, address := atWork(t, "600")
	worker.kill()
	label.until("waiting for workers")
	joinFarm(t, address)
	label.labelled()
}

// A killed coordinator resumes from its journal, with the same worker.
func TestAKilledCoordinatorResumes(t *testing.T) {
	t.Parallel()
	label, worker, address := atWork(t, "600")
	label.kill()
	worker.until("lost the connection")
	again := labelFar(t, label.Dir, embeddedAt(t, address)...)
	again.labelled()
	if strings.Contains(again.output(), " 600 tasks done") {
		t.Errorf("it started over: %s", again.output())
	}
	worker.until("session from")
	_ = worker.Process.Signal(syscall.SIGINT) // it may have ended
	worker.wait()
	worker.until("tasks done, 0 failed")
}

// A killed server loses all its data; another one replaces it.
func TestAKilledServerLosesNothing(t *testing.T) {
	t.Parallel()
	dir, address := farmed(t, "600"), freeAddress(t)
	first := farmServer(t, address)
	joinFarm(t, address)
	label := labelFar(t, dir, "--farm", "nats://"+address)
	label.halfway()
	first.kill()
	label.until("lost the connection to the server")
	farmServer(t, address)
	label.until("reconnected to the server")
	label.labelled()
}

// Commands with --farm write the same files as a local run.
func TestFarmsMakeTheFilesOfALocalRun(t *testing.T) {
	t.Parallel()
	dir, address := t.TempDir(), freeAddress(t)
	farmServer(t, address)
	joinFarm(t, address)
	joinFarm(t, address)
	far := " --farm nats://" + address
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "short.toml"), []byte(shortRun), 0o644))
	for _, c := range []struct{ line, out string }{
		{"book expand --weights captures --expansions 12 --nodes 300 --hash 1 -o %", "a.bin b.bin"},
		{"match --a weights=captures,book=a.bin,bookloss=0.5 --b weights=default,vary=on --pairs 4 --nodes 100 --hash 1 --adjudicate-tables -o %", "a.ogn b.ogn"},
		{"match tournament captures name=x,nodes=50 --pairs 2 --nodes 60 --hash 1 -o %", "ta.ogn tb.ogn"},
		{"run --config short.toml --dir %", "runa runb"},
	} {
		names := strings.Fields(c.out)
		good(t, dir, strings.Fields(strings.Replace(c.line, "%", names[0], 1))...)
		good(t, dir, strings.Fields(strings.Replace(c.line, "%", names[1], 1)+far)...)
		if info, err := os.Stat(filepath.Join(dir, names[0])); err == nil && info.IsDir() {
			sameFiles(t, folder(t, filepath.Join(dir, names[1])), folder(t, filepath.Join(dir, names[0])))
			continue
		}
		sameFile(t, dir, names[0], names[1])
	}
	var st natspool.Status
	if err := json.Unmarshal([]byte(good(t, dir, strings.Fields("farm status --json nats://"+address)...)), &st); err != nil || len(st.Workers) != 2 {
		t.Errorf("status %+v, %v: want two workers", st, err)
	}
	out := good(t, dir, strings.Fields("farm status nats://"+address)...)
	testkit.Contains(t, out, "busy")
	for _, w := range st.Workers {
		testkit.Contains(t, out, w.ID[:6])
	}
}
