package commands

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// visitsFolder has the answers to the visits of a command.
const visitsFolder = "visits"

// accompany does what the command needs next to it, from its start on: it runs the command
// beside, or visits the pages, and then interrupts the process. Once the process has
// ended, the function that it returns ends all of it, and says what went wrong beside.
func (a *attack) accompany(ctx context.Context, dir, address string, process *os.Process) (end func() (complaint string)) {
	if a.beside == "" && a.visits == nil {
		return func() string { return "" }
	}
	ctx, cancel := context.WithCancel(ctx)
	do := func() string { visitAll(ctx, dir, address, a.visits); return "" }
	if a.beside != "" {
		cmd := exec.CommandContext(ctx, os.Args[0], strings.Fields(strings.ReplaceAll(a.beside, "ADDRESS", address))...)
		var errs bytes.Buffer
		cmd.Dir, cmd.Stderr, cmd.WaitDelay, cmd.Env = dir, &errs, time.Minute, command(dir).Env
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		if err := cmd.Start(); err != nil {
			a.Fatal(err)
		}
		do = func() string {
			cmd.Wait() // the exit code tells
			if s := cmd.ProcessState; s.ExitCode() != 0 && !interruptedEarly(s) {
				return errs.String()
			}
			return ""
		}
	}
	over := make(chan string, 1)
	go func() {
		said := do()
		process.Signal(os.Interrupt)
		over <- said
	}()
	return func() string {
		cancel()
		return <-over
	}
}

// interruptedEarly reports whether a process ended by the signal that asks it to, which it is
// too early to catch if the command ends at once.
func interruptedEarly(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGINT
}

// visitAll asks a server for pages and keeps the answers, until the server ends.
func visitAll(ctx context.Context, dir, address string, pages []string) {
	if os.MkdirAll(filepath.Join(dir, visitsFolder), 0o777) != nil {
		return
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for i, page := range pages {
		answer, err := visit(ctx, &client, "http://"+address+page)
		for err != nil && ctx.Err() == nil { // it has not begun to listen
			time.Sleep(10 * time.Millisecond)
			answer, err = visit(ctx, &client, "http://"+address+page)
		}
		name := filepath.Join(dir, visitsFolder, strconv.Itoa(i))
		if err != nil || os.WriteFile(name, answer, 0o666) != nil {
			return
		}
	}
}

// visit is the status and the body of a page; of a stream the last event, since how many
// describe progress depends on time. Its name is the status then.
func visit(ctx context.Context, client *http.Client, page string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, page, nil)
	if err != nil {
		return nil, err
	}
	r, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	const event = "event: "
	if at := bytes.LastIndex(body, []byte(event)); at >= 0 && r.Header.Get("Content-Type") == "text/event-stream" {
		return body[at+len(event):], err
	}
	return fmt.Appendf(nil, "%d\n%s", r.StatusCode, body), err
}

// refusedVisit reports whether a file is the answer to a visit that says what is wrong.
func refusedVisit(name string, answer []byte) bool {
	status, said, _ := strings.Cut(string(answer), "\n")
	return filepath.Dir(name) == visitsFolder && (status == "failed" || status >= "400" && status < "600") && strings.TrimSpace(said) != ""
}
