//go:build netns

package natspool

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kroo/farm"
)

// lineWorker is set for the test binary as a worker in the other namespace: the
// server's address and the file of credentials.
const lineWorker = "KROO_LINE_WORKER"

// run runs a command of the system and returns what it says if it fails.
func run(line string) error {
	words := strings.Fields(line)
	if out, err := exec.Command(words[0], words[1:]...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", line, err, out)
	}
	return nil
}

// A server and a coordinator here, two workers in a namespace of their own, and between
// them a line with delay and loss, as root, on a kernel with netem. KROO_QDISC is another
// line: 'tbf rate 2mbit burst 5k latency 20ms' is a narrow one that drops what does not
// fit, and "none" a plain one.
func TestALineWithDelayAndLoss(t *testing.T) {
	if text := os.Getenv(lineWorker); text != "" {
		address, credentials, _ := strings.Cut(text, " ")
		_, err := Work(t.Context(), WorkerConfig{
			Config: Config{URL: "nats://" + address, Credentials: credentials}, Threads: 2, Engine: someEngine, Cache: t.TempDir(),
			Open: func(farm.Work, farm.Files, int) (farm.Doer, error) { return doing(upper), nil },
		})
		t.Fatal(err)
	}
	qdisc := cmp.Or(os.Getenv("KROO_QDISC"), "netem delay 50ms loss 2%")
	const (
		name = "kroo-line"
		here = "10.203.87.1"
		port = "42229"
	)
	t.Cleanup(func() {
		if err := run("ip netns del " + name); err != nil {
			t.Error(err)
		}
	})
	for _, line := range []string{
		"ip netns add " + name,
		"ip link add kroo-here type veth peer name kroo-there netns " + name,
		"ip addr add " + here + "/30 dev kroo-here",
		"ip link set kroo-here up",
		"ip netns exec " + name + " ip addr add 10.203.87.2/30 dev kroo-there",
		"ip netns exec " + name + " ip link set kroo-there up",
	} {
		if err := run(line); err != nil {
			t.Fatal(err)
		}
	}
	if qdisc != "none" {
		for _, line := range []string{"tc qdisc add dev kroo-here root " + qdisc, "ip netns exec " + name + " tc qdisc add dev kroo-there root " + qdisc} {
			if err := run(line); err != nil {
				t.Fatalf("does the kernel have such a line? %v", err)
			}
		}
	}
	token := file(t, "token", []byte("a-token-of-this-farm"))
	n, told := dial(t, Config{Listen: here + ":" + port, Credentials: token})
	for range 2 {
		w := exec.Command("ip", "netns", "exec", name, os.Args[0], "-test.run", "TestALineWithDelayAndLoss")
		w.Env = append(os.Environ(), lineWorker+"="+here+":"+port+" "+token)
		if err := w.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			_ = w.Process.Kill() // it does not end by itself
			_ = w.Wait()
		})
	}
	s := open(t, n, farm.Work{})
	begin := time.Now()
	for range 5 {
		do(t, s, 4000)
	}
	dropped, err := exec.Command("tc", "-s", "qdisc", "show", "dev", "kroo-here").Output()
	if err != nil {
		t.Error(err)
	}
	t.Logf("20000 tasks in %s: %+v; told %q\n%s", time.Since(begin).Round(time.Millisecond), counts(s), told.list, dropped)
}
