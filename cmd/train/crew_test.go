package main

import (
	"context"
	"encoding/gob"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"kroo/commands"
)

// manyCommands is the value of [asCommand] with which the test binary runs one command after the other. Most
// commands of the tests take less time than the start of a process.
const manyCommands = "many"

// order is a command for a process of manyCommands.
type order struct {
	Dir   string   // to run in
	Args  []string // of the program
	Env   []string
	Input string // the file that is standard input, such as os.DevNull
	Files string // a folder for the files stdout and stderr
}

// games are made once, not for each command.
var games = commands.Games()

// runMany runs the commands that standard input asks for, and prints their exit codes. What the program keeps
// from one command to the next, such as default weights, must not change what a command does.
func runMany() {
	orders := gob.NewDecoder(os.Stdin)
	codes := gob.NewEncoder(os.Stdout)
	for {
		var o order
		if orders.Decode(&o) != nil {
			return // the tests have ended
		}
		code, err := o.run()
		if err == nil {
			err = codes.Encode(code)
		}
		if err != nil {
			panic(err)
		}
	}
}

// run runs the command in this process and returns its exit code.
func (o order) run() (code int, err error) {
	os.Clearenv()
	for _, v := range append(o.Env, asCommand+"=1", "PWD="+o.Dir) {
		name, value, _ := strings.Cut(v, "=")
		if err := os.Setenv(name, value); err != nil {
			return 0, err
		}
	}
	if err := os.Chdir(o.Dir); err != nil {
		return 0, err
	}
	in, err := os.Open(o.Input)
	if err != nil {
		return 0, err
	}
	defer in.Close()
	out, err := os.Create(filepath.Join(o.Files, "stdout"))
	if err != nil {
		return 0, err
	}
	defer out.Close()
	errs, err := os.Create(filepath.Join(o.Files, "stderr"))
	if err != nil {
		return 0, err
	}
	defer errs.Close()
	os.Args = append([]string{"train"}, o.Args...)
	os.Stdin, os.Stdout, os.Stderr = in, out, errs
	return commands.Main(games...), nil
}

// worker is a process of manyCommands.
type worker struct {
	cmd   *exec.Cmd
	to    *gob.Encoder
	codes *gob.Decoder
	files string
}

// crew holds the workers that are free. A nil one has not been started.
var crew = make(chan *worker, 6)

// startWorker starts a process with a folder for its output.
func startWorker() (*worker, error) {
	files, err := os.MkdirTemp(madeIn, "worker-")
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), asCommand+"="+manyCommands)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	return &worker{cmd, gob.NewEncoder(in), gob.NewDecoder(out), files}, cmd.Start()
}

// run sends the order and waits for the exit code. The end of the context kills the worker.
func (w *worker) run(ctx context.Context, o order) (code int, err error) {
	defer context.AfterFunc(ctx, func() { w.cmd.Process.Kill() })()
	if err := w.to.Encode(o); err != nil {
		return 0, err
	}
	if err := w.codes.Decode(&code); err != nil {
		w.cmd.Wait() // the decoder's error is reported
		return 0, err
	}
	return code, nil
}

// runInCrew runs the program in a worker. An error is the worker's end, such as by a panic of the command.
func runInCrew(ctx context.Context, o order) (stdout, stderr string, code int, err error) {
	w := <-crew
	defer func() { crew <- w }()
	if w == nil {
		if w, err = startWorker(); err != nil {
			return "", "", 0, err
		}
	}
	o.Files = w.files
	if o.Dir, err = filepath.Abs(o.Dir); err != nil {
		return "", "", 0, err
	}
	code, err = w.run(ctx, o)
	if err != nil {
		w = nil
		return "", "", 0, fmt.Errorf("train %s: the process ended: %w", strings.Join(o.Args, " "), err)
	}
	out, err := os.ReadFile(filepath.Join(o.Files, "stdout"))
	if err != nil {
		return "", "", 0, err
	}
	errs, err := os.ReadFile(filepath.Join(o.Files, "stderr"))
	return string(out), string(errs), code, err
}

// hireCrew makes room for all workers, and dismiss ends those that were started.
func hireCrew() (dismiss func()) {
	for range cap(crew) {
		crew <- nil
	}
	return func() {
		for range cap(crew) {
			if w := <-crew; w != nil {
				w.cmd.Process.Kill()
				w.cmd.Wait()
			}
		}
	}
}
