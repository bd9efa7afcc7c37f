package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// untimed are the games of a file without what no two matches have alike: who made them, and
// how long moves of programs took.
func untimed(t *testing.T, dir, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	games := regexp.MustCompile(`(?m)^\[Made .*\n`).ReplaceAllString(string(text), "")
	games = strings.Join(strings.Fields(games), " ") // lines end anywhere
	return regexp.MustCompile(` time [0-9.]+s`).ReplaceAllString(games, "")
}

// sameGames wants the same games in two files.
func sameGames(t *testing.T, dir, a, b string) {
	t.Helper()
	x, y := untimed(t, dir, a), untimed(t, dir, b)
	if x == y && strings.Contains(x, "nodes") {
		return
	}
	at := 0
	for at < min(len(x), len(y)) && x[at] == y[at] {
		at++
	}
	part := func(s string) string { return s[max(0, at-200):min(len(s), at+200)] }
	t.Errorf("%s has … %s …\n%s has … %s …", a, part(x), b, part(y))
}

// Programs that workers have play the games that they play here: against themselves with other
// options, against Kroo, and against each other where a worker has both. Others get nothing.
func TestWorkersPlayWithTheirPrograms(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := t.TempDir()
	const limits = " --nodes 200 --hash 1 --pairs 3 --seed 5 -o "
	play := func(out string, farmed bool, players ...string) []string {
		args := append(strings.Fields("match"+limits+out), players...)
		if farmed {
			args = append(args, "--farm", "nats://"+address)
		}
		return args
	}
	const contempt = ",option.Contempt=150"
	third := another(",option.Contempt=40")
	good(t, dir, play("self.ogn", false, "--a", another(",name=A"), "--b", another(contempt+",name=B"))...)
	good(t, dir, play("kroo.ogn", false, "--a", another(",name=A"), "--b", "captures")...)
	good(t, dir, play("both.ogn", false, "--a", another(",name=A"), "--b", third+",name=B")...)

	lacks := joinFarm(t, address)
	one := allowing(t, address, "theirs="+another(""))
	both := allowing(t, address, "theirs="+another(""), "third="+third)
	allowing(t, address, "theirs="+another(""), "third="+third)
	good(t, dir, play("far.ogn", true, "--a", "engine=theirs,name=A", "--b", "engine=third,name=B")...)
	sameGames(t, dir, "both.ogn", "far.ogn")
	one.until("wants the engine third: this worker has none by this name")
	differs := allowing(t, address, "theirs="+another(",option.MultiPV=2"), "third="+third)
	good(t, dir, play("farself.ogn", true, "--a", "engine=theirs,name=A", "--b", "engine=theirs,name=B"+contempt)...)
	sameGames(t, dir, "self.ogn", "farself.ogn")
	good(t, dir, play("farkroo.ogn", true, "--a", "engine=theirs,name=A", "--b", "captures")...)
	sameGames(t, dir, "kroo.ogn", "farkroo.ogn")

	both.until("a session of")
	for _, p := range []*process{lacks, differs} {
		if strings.Contains(p.said(), "a session of") {
			t.Errorf("%v: %s: want no session", p.Args, p.said())
		}
	}
	lacks.until(": this worker has none by this name")
	differs.until("wants the engine theirs: this worker has another program by this name")
	log := good(t, dir, "inspect", "farself.ogn.log")
	for _, want := range []string{`player_A.engine`, `theirs: [`, "SHA-256", "with Contempt=150"} {
		if !strings.Contains(log, want) {
			t.Errorf("%s: want %q", log, want)
		}
	}
	_, said, code := train(t, dir, play("x.ogn", true, "--a", "captures", "--b", "engine=theirs,option.Nothing=1")...)
	if code != 1 || !strings.Contains(said, "engine=theirs: option.Nothing: the workers let coordinators set no such option: expected one of") {
		t.Errorf("code %d: %s", code, said)
	}
}

// A worker that is killed in a match, and a coordinator that is, lose the games in play alone.
// Games of another build do not join those that were played.
func TestAMatchOfTheWorkersProgramGoesOn(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := t.TempDir()
	match := func(out string, players ...string) []string {
		return append(strings.Fields("match --nodes 2000 --hash 1 --pairs 12 -o "+out), players...)
	}
	far := match("far.ogn", "--a", "engine=theirs,name=A", "--b", "engine=theirs,name=B,option.Contempt=150", "--farm", "nats://"+address)
	good(t, dir, match("near.ogn", "--a", another(",name=A"), "--b", another(",name=B,option.Contempt=150"))...)

	w := allowing(t, address, "theirs="+another(""))
	first := start(t, command(dir, far...))
	grows := func(size int64) {
		t.Helper()
		for end := time.Now().Add(time.Minute); ; time.Sleep(5 * time.Millisecond) {
			if at, err := os.Stat(filepath.Join(dir, "far.ogn.log")); err == nil && at.Size() > size {
				return
			}
			if time.Now().After(end) {
				t.Fatalf("no game is finished: %s%s", first.said(), w.said())
			}
		}
	}
	grows(3000)
	w.kill()
	first.until("is gone; what it was at goes to others")
	first.kill()
	other := allowing(t, address, "theirs="+another(",option.MultiPV=2"))
	_, said, code := train(t, dir, far...)
	if code != 1 || !strings.Contains(said, "it belongs to other settings, player A.engine is") {
		t.Errorf("code %d: %s", code, said)
	}
	other.kill()
	allowing(t, address, "theirs="+another(""))
	good(t, dir, far...)
	sameGames(t, dir, "near.ogn", "far.ogn")
}

// Options of a program that workers have are tuned as those of one here: to the same values.
func TestWorkersTuneTheirPrograms(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "p.toml"), []byte("[[parameter]]\noption = \"Contempt\"\nmin = -200\nmax = 200\nc_end = 50\nr_end = 0.05\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	tuning := func(out string, more ...string) []string {
		return append(strings.Fields("tune p.toml --iterations 12 --nodes 100 --hash 1 --ahead 3 --verify 2 -o "+out), more...)
	}
	far := []string{"--player", "engine=theirs", "--farm", "nats://" + address}
	allowing(t, address, "theirs="+another(""))
	allowing(t, address, "theirs="+another(""))
	near := good(t, dir, tuning("near.json", "--player", another(""))...)
	if got := good(t, dir, tuning("far.json", far...)...); got[strings.Index(got, "\n"):] != near[strings.Index(near, "\n"):] {
		t.Errorf("the farm has %s, this machine %s", got, near)
	}
	record := good(t, dir, "inspect", "far.json")
	if !strings.Contains(record, "games of theirs: [") || !strings.Contains(record, "SHA-256") || strings.Contains(record, os.Args[0]) {
		t.Errorf("%s: want the program as workers tell of it", record)
	}
	if again := good(t, dir, tuning("far.json", far...)...); !strings.Contains(again, "Contempt") {
		t.Errorf("again: %s", again)
	}
	text := "[[parameter]]\noption = \"Weights\"\nmin = -200\nmax = 200\nc_end = 50\n"
	if err := os.WriteFile(filepath.Join(dir, "p.toml"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, said, code := train(t, dir, tuning("x.json", far...)...); code != 1 || !strings.Contains(said, `p.toml: the program has no option "Weights" that may be set: expected one of`) {
		t.Errorf("code %d: %s", code, said)
	}
}

// Positions at which the program of the workers fails are left out if that is allowed, as many
// as those at which it fails here; labels are made again, and their noise is measured.
func TestWorkersProgramsMayFail(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := copyOf(t, "", positioned("60"))
	script := "while read -r line; do\ncase \"$line\" in \"position fen 0-\"*) exit;; esac\necho \"$line\"\ndone | " + os.Args[0] + " uci --weights captures --tables none\n"
	if err := os.WriteFile(filepath.Join(dir, "flaky.sh"), []byte(script), 0o666); err != nil {
		t.Fatal(err)
	}
	flaky := "cmd=sh " + filepath.Join(dir, "flaky.sh")
	label := func(out string, more ...string) []string {
		return append(strings.Fields("label positions.parquet --depth 2 -o "+out), more...)
	}
	at := []string{"--farm", "nats://" + address, "--engine"}
	near := good(t, dir, label("near.csv", "--engine", flaky+",faults=50")...)
	w := allowing(t, address, "flaky="+flaky, "theirs="+another(""))

	_, said, code := train(t, dir, label("far.csv", append(at, "name=flaky")...)...)
	if code != 1 || !strings.Contains(said, "sh failed 3 times: crashed") || !strings.Contains(said, "This tries again, and goes on") {
		t.Errorf("code %d: %s", code, said)
	}
	far := good(t, dir, label("far.csv", append(at, "name=flaky,faults=50")...)...)
	rows := func(text string) (list []string) { return regexp.MustCompile(`row [0-9]+, `).FindAllString(text, -1) }
	if a, b := rows(near), rows(far); len(a) == 0 || strings.Join(a, "") != strings.Join(b, "") {
		t.Errorf("left out on the farm: %s\nhere: %s", far, near)
	}
	sameFile(t, dir, "near.csv", "far.csv")
	if strings.Contains(w.said(), "sent this worker away") {
		t.Error(w.said())
	}

	good(t, dir, label("once.csv", append(at, "name=theirs")...)...)
	good(t, dir, append(strings.Fields("label once.csv --again --where phase<30 --depth 4 -o again.csv"), append(at, "name=theirs")...)...)
	good(t, dir, append(strings.Fields("label once.csv --again --where phase<30 --depth 4 -o nearagain.csv --engine"), another(""))...)
	sameFile(t, dir, "again.csv", "nearagain.csv")
	const noise = "label positions.parquet --repeat 2 --positions 5 --nodes 300"
	if a, b := good(t, dir, append(strings.Fields(noise), append(at, "name=theirs")...)...), good(t, dir, append(strings.Fields(noise), "--engine", another(""))...); a != b {
		t.Errorf("noise on the farm: %s\nhere: %s", a, b)
	}
}

// A run whose [engine] names a program of the workers has the labels and the book of a run
// with that program here, keeps to it, and goes on.
func TestARunSearchesWithTheWorkersProgram(t *testing.T) {
	t.Parallel()
	address := freeAddress(t)
	farmServer(t, address)
	dir := t.TempDir()
	config := strings.Replace(attackedRun, "[training]", "[engine]\nprogram = \"name=theirs\"\n[training]", 1)
	if err := os.WriteFile(filepath.Join(dir, "far.toml"), []byte(config), 0o666); err != nil {
		t.Fatal(err)
	}
	good(t, dir, "run", "--config", "far.toml", "--engine", another(""), "--dir", "near")
	far := []string{"--farm", "nats://" + address}
	first := start(t, command(dir, append(strings.Fields("run --config far.toml --dir far"), far...)...))
	first.until("no worker has the engine theirs: there are no workers")
	joinFarm(t, address)
	w := allowing(t, address, "theirs="+another(""))
	first.wait()
	for _, file := range []string{"labels", "labels-validation"} {
		good(t, dir, "convert", "near/"+file+".parquet", "near.csv")
		good(t, dir, "convert", "far/"+file+".parquet", "far.csv")
		sameFile(t, dir, "near.csv", "far.csv")
		for _, name := range []string{"near.csv", "far.csv", "near.csv.manifest.json", "far.csv.manifest.json"} {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
		}
	}
	if near, far := good(t, dir, "book", "dump", "near/book.bin"), good(t, dir, "book", "dump", "far/book.bin"); near != far || near == "" {
		t.Errorf("the book of the farm has %q, the one made here %q", far, near)
	}
	if record := good(t, dir, "inspect", "far/labels.parquet"); !strings.Contains(record, "theirs: [") || strings.Contains(record, os.Args[0]) {
		t.Errorf("%s: want the program as workers tell of it", record)
	}
	if _, said, code := train(t, dir, "run", "--resume", "--dir", "far"); code != 1 || !strings.Contains(said, "expected --farm") {
		t.Errorf("without the farm: code %d: %s", code, said)
	}
	good(t, dir, append(strings.Fields("run --resume --dir far"), far...)...)
	w.kill()
	allowing(t, address, "theirs="+another(",option.MultiPV=2"))
	if _, said, code := train(t, dir, append(strings.Fields("run --resume --dir far"), far...)...); code != 1 || !strings.Contains(said, "far was begun with the program theirs: [") {
		t.Errorf("another program: code %d: %s", code, said)
	}
}
