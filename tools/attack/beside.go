package main

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

// accompany does what a command needs beside it, from its start on: it runs the command
// beside, or visits the pages, and then interrupts the process. Once the process has
// ended, the function that it returns ends all of it, and adds to the result what went
// wrong beside.
func (a *attack) accompany(ctx context.Context, dir string, c command, process *os.Process) (end func(r *result), err error) {
	if c.beside == "" && c.visits == nil {
		return func(*result) {}, nil
	}
	ctx, cancel := context.WithCancel(ctx)
	do := func() { visitAll(ctx, dir, c.visits) }
	complaint, beside := new(bytes.Buffer), new(exec.Cmd)
	if c.beside != "" {
		beside = exec.CommandContext(ctx, a.train, words(c.beside)...)
		beside.Dir, beside.Stderr, beside.WaitDelay = dir, complaint, patience
		beside.Cancel = func() error { return beside.Process.Signal(os.Interrupt) }
		if err := beside.Start(); err != nil {
			cancel()
			return nil, err
		}
		do = func() { beside.Wait() }
	}
	over := make(chan struct{})
	go func() {
		defer close(over)
		do()
		process.Signal(os.Interrupt)
	}()
	return func(r *result) {
		cancel()
		<-over
		if s := beside.ProcessState; s != nil && s.ExitCode() != 0 && !interrupted(s) && r.code == 0 {
			r.code, r.complaint = s.ExitCode(), r.complaint+"\nbeside: "+complaint.String()
		}
	}, nil
}

// interrupted tells whether a process ended by the signal that asks it to, which it is too
// early to catch if the command ends at once.
func interrupted(s *os.ProcessState) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == syscall.SIGINT
}

// visitAll asks a server for pages and keeps the answers, until the server ends.
func visitAll(ctx context.Context, dir string, pages []string) {
	if os.MkdirAll(filepath.Join(dir, visitsFolder), 0o777) != nil {
		return
	}
	client := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for i, page := range pages {
		answer, err := visit(ctx, &client, page)
		for err != nil && ctx.Err() == nil { // it has not begun to listen
			time.Sleep(10 * time.Millisecond)
			answer, err = visit(ctx, &client, page)
		}
		name := filepath.Join(dir, visitsFolder, strconv.Itoa(i))
		if err != nil || os.WriteFile(name, answer, 0o666) != nil {
			return
		}
	}
}

// visit is the status and the body of a page; of a stream the last event, since how many
// tell of progress depends on time. Its name is the status then.
func visit(ctx context.Context, client *http.Client, page string) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+serveAddress+page, nil)
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

// refused tells whether a file is the answer to a visit that says what is wrong.
func refused(name string, answer []byte) bool {
	status, said, _ := strings.Cut(string(answer), "\n")
	return filepath.Dir(name) == visitsFolder && (status == "failed" || status >= "400" && status < "600") && strings.TrimSpace(said) != ""
}
