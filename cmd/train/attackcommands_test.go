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

	"kroo/internal/testkit"
)

// attacked is a command under attack.
type attacked struct {
	name, line string
	journal    string // file of finished work, if any
	again      string // command line that resumes, "" for the same line
	counts     bool   // its results count only its own work, which is less if it resumes

	// For a command that runs until it is interrupted, or needs another one:
	companion string   // companion command; when it ends, the command is interrupted
	visits    []string // pages to request; then the command is interrupted
}

// attackSetup makes the files that the commands read.
var attackSetup = []string{
	"sample --method uniform --n 60 --seed 1 -o positions.parquet",
	"label positions.parquet -o labels.parquet --nodes 200 --hash 1 --weights captures --tables none",
	"features labels.parquet -o features.parquet --set thesis4",
	"convert features.parquet -o features.arrow",
	"fit features.parquet -o weights.json",
	"match --a weights.json --b captures --pairs 1 --nodes 50 --hash 1 -o games.ogn",
	"match --a weights.json --b captures --pairs 1 --opening-plies 2 --max-plies 8 --nodes 50 --hash 1 -o short.ogn",
	"book expand --weights captures --expansions 3 --nodes 50 --hash 1 -o book.bin",
	"book expand --weights captures --expansions 5 --nodes 80 --side north --hash 1 -o north.bin",
	"endgame build --rules awari --seeds 3 -o small",
}

// attackedCommands are all commands that read or write files. Each writes the same bytes every time,
// in a second or less (run takes longer). Those with a journal run hundreds of times, without default
// weights and tables, which take time to unpack. ADDRESS is a free address.
var attackedCommands = []attacked{
	{name: "sample", line: "sample --method games --n 200 --nodes 50 --split 0.5 --weights captures --tables none -o out.parquet", journal: "out.parquet.journal"},
	{name: "pps", line: "sample --method pps --n 60 -o out.arrow"},
	{name: "file", line: "sample --method file --from games.ogn --split 0.5 -o out.parquet"},
	{name: "mix", line: "sample --method mix --shares games=0.5,uniform=0.5 --n 40 --nodes 50 --weights captures --tables none -o out.parquet", journal: "out.parquet.journal"},
	{name: "label", line: "label positions.parquet -o out.parquet --nodes 200 --hash 1 --weights captures --tables none", journal: "out.parquet.journal"},
	{name: "engine", line: "label positions.parquet -o out.parquet --nodes 200 --workers 1 --engine cmd=./engine", journal: "out.parquet.journal"},
	{name: "theirgames", line: "sample --method games --n 60 --nodes 50 --workers 1 --engine cmd=./engine -o out.parquet", journal: "out.parquet.journal"},
	{name: "theirbook", line: "book expand --engine cmd=./engine --expansions 3 --nodes 60 --workers 1 -o out.bin", journal: "out.bin.log"},
	{name: "theirs", line: "analyse short.ogn --nodes 100 --workers 1 --engine cmd=./engine -o out.ogn", journal: "out.ogn.journal"},
	{name: "tune", line: "tune tune.toml --player cmd=./engine --iterations 3 --nodes 30 --workers 1 -o out.json", journal: "out.json.log"},
	{name: "where", line: "convert labels.parquet -o out.parquet --where phase>20"},
	{name: "features", line: "features labels.parquet -o out.parquet --set thesis4"},
	{name: "csv", line: "convert labels.parquet -o out.csv"},
	{name: "adopt", line: "adopt features.arrow -o out.parquet"},
	{name: "split", line: "ogn split games.ogn out"},
	{name: "fit", line: "fit features.parquet -o out.json"},
	{name: "patterns", line: "fit labels.parquet -o out.weights --set store+houses --ridge 5", journal: "out.weights.journal"},
	{name: "cv", line: "fit labels.parquet -o out.weights --set store+houses --ridge cv --folds 2", journal: "out.weights.journal"},
	{name: "evaluate", line: "evaluate weights.json labels.parquet --json"},
	{name: "export", line: "weights export weights.json -o out.json"},
	{name: "source", line: "weights export weights.json --format c -o out.c"},
	{name: "match", line: "match --a weights.json --b book=book.bin --pairs 2 --nodes 50 --hash 1 --tables none -o out.ogn", journal: "out.ogn.log"},
	{name: "tournament", line: "match tournament captures weights.json book=book.bin --pairs 1 --nodes 50 --hash 1 -o out.ogn"},
	{name: "openings", line: "match openings --plies 2 --bound 400 --nodes 100 --hash 1 --weights captures --tables none -o out.ogn"},
	{name: "expand", line: "book expand --weights weights.json --expansions 4 --nodes 100 --hash 1 --tables none -o out.bin", journal: "out.bin.log"},
	{name: "deepen", line: "book deepen book.bin --loss 2 --total-loss 4 --round 3 --weights weights.json --nodes 300 --hash 1 --tables none -o out.bin", journal: "out.bin.log"},
	{name: "book", line: "book verify book.bin"},
	{name: "query", line: "book query book.bin"},
	{name: "bookstats", line: "book stats book.bin --json"},
	{name: "draw", line: "book stats book.bin --plots out"},
	{name: "merge", line: "book merge book.bin north.bin -o out.bin"},
	{name: "prune", line: "book prune book.bin --plies 2 --loss 1 -o out.bin"},
	{name: "dump", line: "book dump book.bin"},
	{name: "build", line: "endgame build --rules awari --seeds 4 -o tables"},
	{name: "verify", line: "endgame verify small --rules awari"},
	{name: "stats", line: "endgame stats small --rules awari --json"},
	{name: "plots", line: "endgame stats small --rules awari --plots out"},
	{name: "figure", line: "study lamosca --plots out"},
	{name: "ask", line: "endgame query --table small --rules awari --json 0-0-0-0-0-1-0-1-0-0-0-0-22-24-S"},
	{name: "inspect", line: "inspect labels.parquet --compare features.parquet --html out.html"},
	{name: "games", line: "inspect games.ogn"},
	{name: "analyse", line: "analyse short.ogn --nodes 100 --hash 1 --weights captures --tables none -o out.ogn", journal: "out.ogn.journal"},
	{name: "othello", line: "sample --game othello --rules 6x6 --n 60 -o out.parquet"},
	{name: "chess", line: "match --game chess --pairs 1 --nodes 40 --hash 1 --max-plies 20 -o out.ogn", journal: "out.ogn.log"},
	{name: "scale", line: "weights calibrate games.ogn --json"},
	{name: "llr", line: "match llr --sprt 0,5 --pairs 1,2,3,2,1"},
	{name: "coordinator", line: "label positions.parquet -o out.parquet --nodes 200 --hash 1 --weights captures --tables none --farm embedded --farm-config ../ADDRESS.toml", journal: "out.parquet.journal", companion: "farm worker nats://ADDRESS --cache ../cache --threads 1"},
	{name: "worker", counts: true, line: "farm worker nats://ADDRESS --cache cache --threads 1", companion: "label positions.parquet -o out.parquet --nodes 200 --hash 1 --weights weights.json --farm embedded --farm-config ../ADDRESS.toml"},
	{name: "serve", line: "serve --dir . --hash 1 --nodes 1000 --listen ADDRESS", visits: visits},
	attackedRun,
}

// attackedRun needs none of the files.
var attackedRun = attacked{name: "run", line: "run --config run.toml --dir out", again: "run --resume --dir out"}

// visits are pages for each kind of file.
var visits = []string{
	"/", "/api/books", "/api/book?name=book.bin", "/api/book/node?name=book.bin&moves=F", "/api/book/diff?name=book.bin&other=north.bin",
	"/api/datasets", "/api/dataset?name=labels.parquet", "/api/dataset/rows?name=labels.parquet&n=5",
	"/api/weights", "/api/weights/info?name=weights.json", "/api/runs",
}

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
			if s := cmd.ProcessState; s.ExitCode() != 0 && !isKilledBy(s, syscall.SIGINT) {
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

// isKilledBy reports whether a signal killed a process, because it had not begun to catch it.
func isKilledBy(s *os.ProcessState, signal syscall.Signal) bool {
	w, ok := s.Sys().(syscall.WaitStatus)
	return ok && w.Signaled() && w.Signal() == signal
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
