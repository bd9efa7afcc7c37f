package commands

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"kroo/internal/testkit"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// visitsFolder has the responses of a server.
const visitsFolder = "visits"

// accompany runs the companion command, or requests the pages of the server, and then interrupts the
// process. The returned function stops that after the process has ended, and returns the companion's
// error.
func (a *attack) accompany(ctx context.Context, dir, address string, process *os.Process) (end func() (complaint string)) {
	if a.companion == "" && a.visits == nil {
		return func() string { return "" }
	}
	ctx, cancel := context.WithCancel(ctx)
	do := func() string { visitAll(ctx, dir, address, a.visits); return "" }
	if a.companion != "" {
		cmd := exec.CommandContext(ctx, os.Args[0], strings.Fields(strings.ReplaceAll(a.companion, "ADDRESS", address))...)
		var errs bytes.Buffer
		cmd.Dir, cmd.Stderr, cmd.WaitDelay, cmd.Env = dir, &errs, time.Minute, command(dir).Env
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		testkit.NoError(a, cmd.Start())
		do = func() string {
			cmd.Wait() // the exit code is checked
			if s := cmd.ProcessState; s.ExitCode() != 0 && !interruptedEarly(s) {
				return errs.String()
			}
			return ""
		}
	}
	over := make(chan string, 1)
	go func() {
		complaint := do()
		process.Signal(os.Interrupt)
		over <- complaint
	}()
	return func() string {
		cancel()
		return <-over
	}
}

// interruptedEarly reports whether a process was killed by the interrupt because it had not started
// to catch it.
func interruptedEarly(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGINT
}

// visitAll requests pages from a server and keeps the responses, until the server ends.
func visitAll(ctx context.Context, dir, address string, pages []string) {
	if os.MkdirAll(filepath.Join(dir, visitsFolder), 0o777) != nil {
		return
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for i, page := range pages {
		answer, err := visit(ctx, &client, "http://"+address+page)
		for err != nil && ctx.Err() == nil { // it does not listen yet
			time.Sleep(10 * time.Millisecond)
			answer, err = visit(ctx, &client, "http://"+address+page)
		}
		name := filepath.Join(dir, visitsFolder, strconv.Itoa(i))
		if err != nil || os.WriteFile(name, answer, 0o666) != nil {
			return
		}
	}
}

// visit returns the status and body of a page. Of a stream it returns the last event, whose name is
// the status: the number of progress events depends on time.
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

// refusedVisit reports whether a file is an error response.
func refusedVisit(name string, answer []byte) bool {
	status, text, _ := strings.Cut(string(answer), "\n")
	return filepath.Dir(name) == visitsFolder && (status == "failed" || status >= "400" && status < "600") && strings.TrimSpace(text) != ""
}
