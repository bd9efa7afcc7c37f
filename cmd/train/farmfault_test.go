package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"kroo/engine"
	"kroo/farm"
	"kroo/farm/natspool"
)

// The test binary is what a farm has to bear as well: with this variable set it is a
// server, a worker that lies, or a line that doubles messages.
const asFault = "KROO_FAULT"

// faultCommand is the test binary as one of them.
func faultCommand(dir, mode string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asFault+"="+mode)
	return cmd
}

// beFault is one of them, with a server's address.
func beFault(mode string, args []string) int {
	do, known := map[string]func(address string) error{
		"server": natsServer, "doubler": double, "nonsense": lie(nonsense), "score": lie(impossible),
	}[mode]
	if !known || len(args) != 1 {
		return exitUsage
	}
	if err := do(args[0]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailed
	}
	return exitDone
}

// natsServer is a NATS server that keeps nothing when it is killed.
func natsServer(address string) error {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp(".", "server-")
	if err != nil {
		return err
	}
	o := &server.Options{Host: host, NoLog: true, NoSigs: true, JetStream: true, StoreDir: dir}
	if _, err := fmt.Sscan(port, &o.Port); err != nil {
		return err
	}
	s, err := server.NewServer(o)
	if err != nil {
		return err
	}
	s.Start()
	if !s.ReadyForConnections(10 * time.Second) {
		return fmt.Errorf("no server at %s", address)
	}
	fmt.Println("ready")
	select {}
}

// lie is a worker that spoils what an honest one answers.
func lie(spoil func(answer []byte) []byte) func(string) error {
	return func(address string) error {
		_, err := natspool.Work(context.Background(), natspool.WorkerConfig{
			Config: natspool.Config{URL: "nats://" + address}, Threads: 1, Engine: engine.Signature(), Cache: os.TempDir(),
			Open: func(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
				honest, err := openWork(w, files, threads)
				return liar{honest, spoil}, err
			},
		})
		return err
	}
}

type liar struct {
	farm.Doer
	spoil func([]byte) []byte
}

func (l liar) Do(ctx context.Context, task []byte) ([]byte, error) {
	answer, err := l.Doer.Do(ctx, task)
	if err == nil {
		answer = l.spoil(answer)
	}
	return answer, err
}

func nonsense(answer []byte) []byte { return answer[:len(answer)/2] }

// impossible is a result with a score beyond all.
func impossible(answer []byte) []byte {
	return regexp.MustCompile(`"Score":-?\d+`).ReplaceAll(answer, []byte(`"Score":30000`))
}

// double sends every batch and every answer a second time.
func double(address string) error {
	conn, err := nats.Connect("nats://" + address)
	if err != nil {
		return err
	}
	var mu sync.Mutex
	seen := map[string]bool{}
	for _, subject := range []string{"kroo.tasks.>", "kroo.answers.>"} {
		_, err := conn.Subscribe(subject, func(m *nats.Msg) {
			mu.Lock()
			defer mu.Unlock()
			if text := fmt.Sprint(m.Header, m.Data); !seen[text] {
				seen[text] = true
				_ = conn.PublishMsg(&nats.Msg{Subject: m.Subject, Header: m.Header, Data: m.Data})
			}
		})
		if err != nil {
			return err
		}
	}
	fmt.Println("ready")
	select {}
}
