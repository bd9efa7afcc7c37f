// Release builds the archives of a release: the program for Linux, macOS and Windows on
// amd64 and arm64, each with the licence texts of everything that is linked into it, and
// their checksums.
//
//	go run ./tools/release -version v1.0.0 -o dist
//
// Run it at the root of a clone. The same commit, version of Go and -version give the same
// bytes on any machine: paths are trimmed, and every file has the time of the commit.
// -targets builds fewer.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A target is a system that the program is built for.
type target struct{ system, processor string }

func (t target) String() string { return t.system + "/" + t.processor }

// targets are all that are released.
var targets = []target{
	{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}, {"windows", "arm64"},
}

func main() {
	version := flag.String("version", "", "name of the release, such as v1.0.0 (default the commit's first twelve digits)")
	out := flag.String("o", "dist", "folder for the archives")
	some := flag.String("targets", "", "systems, such as linux/amd64,windows/arm64 (default all six)")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := release(ctx, *version, *out, *some); err != nil {
		fmt.Fprintf(os.Stderr, "release: %v\n", err)
		os.Exit(1)
	}
}

// release makes the archives and their checksums in a folder.
func release(ctx context.Context, version, out, some string) error {
	list, err := parseTargets(some)
	if err != nil {
		return err
	}
	when, err := commitTime(ctx)
	if err != nil {
		return err
	}
	if version == "" {
		if version, err = run(ctx, nil, "git", "rev-parse", "--short=12", "HEAD"); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	var names []string
	for _, t := range list {
		name, err := pack(ctx, t, version, when, out)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		fmt.Println(filepath.Join(out, name))
		names = append(names, name)
	}
	return writeSums(out, names)
}

func parseTargets(some string) ([]target, error) {
	if some == "" {
		return targets, nil
	}
	var list []target
	for _, name := range strings.Split(some, ",") {
		found := false
		for _, t := range targets {
			if t.String() == name {
				list, found = append(list, t), true
			}
		}
		if !found {
			return nil, fmt.Errorf("unknown target %q: expected some of %v, joined by commas", name, targets)
		}
	}
	return list, nil
}

// pack builds the program for a target and writes its archive.
func pack(ctx context.Context, t target, version string, when time.Time, out string) (name string, err error) {
	files, err := texts(ctx, t)
	if err != nil {
		return "", err
	}
	binary, err := build(ctx, t)
	if err != nil {
		return "", err
	}
	program := "train"
	if t.system == "windows" {
		program += ".exe"
	}
	files = append(files, entry{name: program, data: binary, program: true})
	folder := fmt.Sprintf("kroo-%s-%s-%s", version, t.system, t.processor)
	name, data, err := archive(folder, t, files, when)
	if err != nil {
		return "", err
	}
	return name, os.WriteFile(filepath.Join(out, name), data, 0o666)
}

// build compiles the program so that nothing of this machine is in it.
func build(ctx context.Context, t target) ([]byte, error) {
	dir, err := os.MkdirTemp("", "kroo-release")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "train")
	if _, err := run(ctx, t.environment(), "go", "build", "-trimpath", "-buildvcs=true", "-ldflags=-s -w -buildid=", "-o", path, "./cmd/train"); err != nil {
		return nil, err
	}
	return os.ReadFile(path)
}

// environment asks Go for a target, and for nothing that a C compiler has to do with.
func (t target) environment() []string {
	return []string{"GOOS=" + t.system, "GOARCH=" + t.processor, "CGO_ENABLED=0", "GOAMD64=v1", "GOARM64=v8.0", "GOFLAGS=-mod=readonly", "GOWORK=off"}
}

// commitTime is the time of the commit.
func commitTime(ctx context.Context) (time.Time, error) {
	text, err := run(ctx, nil, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	seconds, err := strconv.ParseInt(text, 10, 64)
	return time.Unix(seconds, 0).UTC(), err
}

// run returns what a command prints.
func run(ctx context.Context, environment []string, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), environment...)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(complaint.String()))
	}
	return strings.TrimSpace(string(out)), nil
}
