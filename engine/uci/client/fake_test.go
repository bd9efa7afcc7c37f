package client

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"kroo/internal/testenv"
)

// TestMain turns the test binary into a program that speaks the protocol and breaks it in the way of
// its argument. Tests mostly wait for such programs, so many run in parallel.
func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asFake {
		fake(os.Args[2])
		return
	}
	testenv.SideBySide(16)
	m.Run()
}

const asFake = "fake"

// fakeCommand runs this test as a program with a fault.
func fakeCommand(fault string) Command {
	return Command{Path: os.Args[0], Args: []string{asFake, fault}, StartUp: 20 * time.Second, Hang: 20 * time.Second}
}

// fake runs a program with a fault.
func fake(fault string) {
	out := func(format string, args ...any) { fmt.Printf(format+"\n", args...) }
	if how, bot := strings.CutPrefix(fault, "cg "); bot {
		fakeBot(how)
		return
	}
	switch fault {
	case "parent":
		parent()
	case "dies at once":
		fmt.Fprintln(os.Stderr, "cannot find my book")
		os.Exit(3)
	case "says nothing":
		time.Sleep(time.Hour)
	case "reads nothing":
		out("uciok")
		out("readyok")
		time.Sleep(time.Hour)
	case "banner":
		for range 1000 {
			out("Welcome to the best program, \a\x01 ever")
		}
	case "xboard":
		out("Max 5\nError (unknown command): uci")
		os.Exit(1)
	case "another program":
		out("usage: other FILE\n\x1b[1mno file")
		os.Exit(1)
	case "flood at start":
		for {
			out("hello")
		}
	}
	in := bufio.NewScanner(os.Stdin)
	news := "info string no news"
	for in.Scan() {
		words := strings.Fields(in.Text())
		switch words[0] {
		case "uci":
			out("id name Fake 1\nid author nobody\noption name Hash type spin default 1 min 1 max 9\noption name Clear Hash type button\nuciok")
		case "isready":
			out("readyok")
		case "setoption":
			fmt.Fprintln(os.Stderr, in.Text())
		case "ucinewgame":
			if fault == "iterations" {
				news = "info string new game"
			}
		case "go":
			if fault == "iterations" {
				out("info depth 1 score cp 4 nodes 9 pv B\ninfo depth 1 score cp 5 nodes 10 pv A\ninfo depth 2 score cp 8 nodes 30 pv Ff\ninfo depth 3 score cp 9 nodes 40 pv F nonsense\n%s\nbestmove F", news)
				news = "info string no news"
				break
			}
			answer(fault, out)
		case "stop":
			if strings.HasSuffix(fault, "late") {
				out("bestmove F")
			}
		case "quit":
			if fault == "ignores quit" {
				time.Sleep(time.Hour)
			}
			return
		}
	}
	if fault == "ignores quit" {
		time.Sleep(time.Hour)
	}
}

// parent is a program that starts another, prints its process number and hangs.
func parent() {
	p, err := run(fakeCommand("says nothing"))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(p.cmd.Process.Pid)
	time.Sleep(time.Hour)
}

// answer answers go.
func answer(fault string, out func(string, ...any)) {
	switch fault {
	case "crash":
		fmt.Fprintln(os.Stderr, "panic: index out of range")
		os.Exit(2)
	case "closes its output":
		os.Stdout.Close()
		time.Sleep(time.Hour)
	case "hang":
		time.Sleep(time.Hour)
	case "late":
		return
	case "begins and hangs", "begins and is late":
		out("info depth 1 score cp 1\ninfo depth 2 score cp 2")
	case "thinks":
		time.Sleep(50 * time.Millisecond)
		out("bestmove F")
	case "illegal":
		out("bestmove f")
	case "no move":
		out("bestmove (none)")
	case "nonsense":
		out("bestmove e2e4")
	case "bare bestmove":
		out("bestmove")
	case "flood":
		for {
			out("thinking very hard")
		}
	case "flood of info":
		for {
			out("info depth 1")
		}
	case "endless line":
		for {
			fmt.Print("info depth 1 ")
		}
	case "long lines":
		out("info string %s", strings.Repeat("y", maxLine))
		out("info depth 4 score cp 7 pv F%s nodes 9", strings.Repeat(" F", maxLine))
		out("%s", strings.Repeat("thinking ", maxLine))
		out("bestmove F ponder f%s", strings.Repeat(" f", maxLine))
	case "binary":
		out("bestmove \x00\xff")
	case "odd bytes":
		out("info string na\xefve \x00\ninfo depth 1 \xff score cp 7\n\x1b[31mthinking\x1b[0m\nreadyok \xe9\nbestmove F ponder \xff")
	case "debugging prints":
		for i := range maxForeign {
			out("node %d", i)
		}
		out("bestmove F")
	case "answers twice":
		out("bestmove F")
		out("bestmove A")
	case "leaves a child":
		child := exec.Command("sleep", "1000")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if child.Start() == nil {
			out("info string %d", child.Process.Pid)
			fmt.Fprintln(os.Stderr, child.Process.Pid)
		}
		out("bestmove F")
	default:
		out("info depth 7 score cp 123 nodes 4567 pv FfEe depth 99")
		out("info multipv 2 depth 9 score cp -50")
		out("info string depth 3")
		out("info depth x score cp y nodes")
		out("bestmove F ponder f")
	}
}

// fakeBot is a program of the arena that plays house 0 first, 1 then, and so on, or has
// a fault.
func fakeBot(how string) {
	in := bufio.NewScanner(os.Stdin)
	for turn := 0; in.Scan(); turn++ {
		switch how {
		case "babbles":
			fmt.Println("I think 3")
		case "far":
			fmt.Println("6")
		case "binary":
			fmt.Println("\x00\xff")
		case "empty house":
			fmt.Println("5")
		case "dies":
			os.Exit(4)
		case "hangs":
			time.Sleep(time.Hour)
		case "talks early":
			fmt.Println("1\n2")
		case "endless line":
			for {
				fmt.Print("1111111111111111111111111111111111111111111111111111111111111111")
			}
		default:
			fmt.Println(turn)
		}
	}
}
