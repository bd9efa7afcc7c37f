package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// another is a program that speaks UCI, as --engine and --allow-engine take it.
func another(options string) string {
	return "cmd=" + os.Args[0] + " uci --weights captures --tables none,option.Hash=1" + options
}

// allowing joins a worker that has programs by names.
func allowing(t *testing.T, address string, allowed ...string) *process {
	t.Helper()
	args := []string{"worker", "--farm", "nats://" + address, "--threads", "1", "--cache", "cache"}
	for _, a := range allowed {
		args = append(args, "--allow-engine", a)
	}
	return start(t, command(t.TempDir(), args...))
}

// Labels and books of a program that workers have are those of the program here. Workers
// without it, and with another by its name, say so and get nothing.
func TestWorkersSearchWithTheirPrograms(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := copyOf(t, "", positioned("300"))
	const label = "label positions.parquet --nodes 800 -o "
	const expand = "book expand --expansions 8 --nodes 300 -o "
	near := []string{"--engine", another("")}
	far := []string{"--engine", "name=theirs", "--farm", "nats://" + address}
	with := func(line string, more []string) []string { return append(strings.Fields(line), more...) }

	lacks := joinFarm(t, address)
	first := start(t, command(dir, with(label+"far.csv", far)...))
	first.until("no worker has the engine theirs: without it are there")
	allowing(t, address, "theirs="+another(""))
	first.wait()
	allowing(t, address, "theirs="+another(""))
	allowing(t, address, "theirs="+another(""), "others="+another(",option.MultiPV=2"))
	differs := allowing(t, address, "theirs="+another(",option.MultiPV=2"))
	good(t, dir, with(label+"near.csv", near)...)
	good(t, dir, with(expand+"near.bin", near)...)
	good(t, dir, with(label+"again.csv", far)...)
	good(t, dir, with(expand+"far.bin", far)...)

	sameFile(t, dir, "near.csv", "far.csv")
	sameFile(t, dir, "near.csv", "again.csv")
	dump := func(book string) string { return good(t, dir, "book", "dump", book) }
	if near, far := dump("near.bin"), dump("far.bin"); near != far || near == "" {
		t.Errorf("the book of the farm has %q, the one made here %q", far, near)
	}
	record := good(t, dir, "inspect", "far.csv")
	for _, want := range []string{"theirs: [", "Hash=1", "SHA-256", "Kroo"} {
		if !strings.Contains(record, want) {
			t.Errorf("%s: want %q", record, want)
		}
	}
	if strings.Contains(record, os.Args[0]) {
		t.Errorf("%s: want no path of a worker", record)
	}
	lacks.until("wants the engine theirs: this worker has none by this name")
	differs.until("wants the engine theirs: this worker has another program by this name")
	if strings.Contains(lacks.said()+differs.said(), "a session of") {
		t.Errorf("%s%s: want no session", lacks.said(), differs.said())
	}
}

// A program whose file changes after its worker has told of it is not run.
func TestAProgramThatChangesIsRefused(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := copyOf(t, "", positioned("5"))
	script := filepath.Join(dir, "bot.sh")
	write := func(text string) {
		if err := os.WriteFile(script, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("#!/bin/sh\nexec " + os.Args[0] + " uci --tables none\n")
	w := allowing(t, address, "bot=cmd="+script)
	first := start(t, command(dir, "label", "positions.parquet", "--depth", "2", "-o", "a.csv", "--engine", "name=bot", "--farm", "nats://"+address))
	first.wait()
	write("#!/bin/sh\nexec " + os.Args[0] + " uci --tables none # new\n")
	_, said, code := train(t, dir, "label", "positions.parquet", "--depth", "2", "-o", "b.csv", "--engine", "name=bot", "--farm", "nats://"+address)
	if code != 1 || !strings.Contains(said, "have changed since this worker was started") {
		t.Errorf("code %d: %s", code, said)
	}
	w.until("have changed since this worker was started")
}

// Whoever coordinates names an engine, and a worker says what it is: nothing else goes.
func TestEnginesOfFarmsAreGivenByName(t *testing.T) {
	t.Parallel()
	dir := copyOf(t, "", positioned("5"))
	const far = "--farm nats://127.0.0.1:1"
	for line, want := range map[string]string{
		"label positions.parquet -o x.csv --engine name=theirs":                           "expected cmd=PROGRAM here, or a command with --farm",
		"label positions.parquet -o x.csv " + far + " --engine name=a.b":                  "1 to 40 letters, digits and hyphens",
		"label positions.parquet -o x.csv " + far + " --engine name=":                     "name: no value",
		"label positions.parquet -o x.csv " + far + " --engine cmd=sh":                    "workers run no command lines of others",
		"label positions.parquet -o x.csv " + far + " --hash 2 --engine name=theirs":      "--hash with --engine",
		"label positions.parquet -o x.csv " + far + " --engine name=theirs,unit=2":        "are for who starts its worker",
		"label positions.parquet -o x.csv " + far + " --engine name=theirs,option.Hash=2": "the workers that have the engine say its options",
		"match " + far + " --a cmd=sh":                                                    "workers run no command lines of others",
		"match --a engine=theirs":                                                         "expected a farm as well, or cmd=PROGRAM",
		"match " + far + " --a engine=a.b":                                                "1 to 40 letters, digits and hyphens",
		"match " + far + " --a engine=theirs,weights=captures":                            "are not for an engine of workers",
		"match " + far + " --a engine=theirs,cmd=sh":                                      "expected one of them",
		"match " + far + " --a engine=theirs,timeout=5s":                                  "are for who starts its worker",
		"tune p.toml -o x.json --player engine=theirs":                                    "expected a farm as well, or cmd=PROGRAM",
		"tune p.toml -o x.json " + far + " --player cmd=sh":                               "workers run no command lines of others",
		"run --engine name=theirs":                                                        "is one of a farm's workers: expected --farm",
		"run " + far + " --engine cmd=sh":                                                 "is one of this machine",
		"run --preset full " + far + " --engine name=theirs":                              "round 1: positions: games that positions are taken from",
		"worker " + far + " --allow-engine a=name=b":                                      "is no program of this machine",
		"sample --method games -o x.csv --engine name=theirs":                             "expected cmd=PROGRAM here, or a command with --farm",
		"worker " + far + " --allow-engine theirs":                                        "expected NAME=cmd=PROGRAM",
		"worker " + far + " --allow-engine th.eirs=cmd=sh":                                "1 to 40 letters, digits and hyphens",
		"worker " + far + " --allow-engine =cmd=sh":                                       "1 to 40 letters, digits and hyphens",
		"worker " + far + " --allow-engine a=cmd=sh --allow-engine a=cmd=sh":              "two engines a",
		"worker " + far + " --allow-engine a=cmd=sh,faults=3":                             "faults=3",
		"worker " + far + " --allow-engine a=cmd=sh,nodes=3":                              "their own place",
		"worker " + far + " --allow-engine a=weights=captures":                            "expected a program",
	} {
		if _, said, code := train(t, dir, strings.Fields(line)...); code != 2 || !strings.Contains(said, want) || bytes.Count([]byte(said), []byte("\n")) != 1 {
			t.Errorf("%s: code %d, %q: want %q", line, code, said, want)
		}
	}
	_, said, code := train(t, dir, "worker", "--farm", "nats://127.0.0.1:1", "--allow-engine", "a=cmd=./gone")
	if code != 1 || !strings.Contains(said, "--allow-engine a: ") || strings.Count(said, "\n") != 1 {
		t.Errorf("code %d, %q: want the engine named", code, said)
	}
}
