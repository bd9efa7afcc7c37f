package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	_ "kroo/internal/ramdisk" // a sync costs nothing there
)

// The test binary is the command as well: with this variable set it does what
// its arguments say.
const asCommand = "KROO_TRAIN"

func TestMain(m *testing.M) {
	if mode := os.Getenv(asFault); mode != "" {
		os.Exit(beFault(mode, os.Args[1:]))
	}
	if os.Getenv(asCommand) != "" {
		end := failing()
		code := execute(os.Args[1:])
		end()
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// command is the command with these arguments, in a folder.
func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), asCommand+"=1")
	return cmd
}

// train runs the command to its end.
func train(t *testing.T, dir string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := command(dir, args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// good is a command that must work; it returns what it printed.
func good(t *testing.T, dir string, args ...string) string {
	t.Helper()
	out, errs, code := train(t, dir, args...)
	if code != exitDone {
		t.Fatalf("train %s: exit %d: %s", strings.Join(args, " "), code, errs)
	}
	return out
}

// stageFiles makes one file of each kind in a new folder, by the commands.
func stageFiles(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for _, line := range []string{
		"sample --method uniform --n 200 --seed 1 -o positions.parquet",
		"sample --method pps --n 150 --seed 2 --rules awari -o awari.parquet",
		"label positions.parquet -o labels.parquet --nodes 200 --hash 1",
		"sample --method games --n 150 --nodes 60 --split 0.3 -o games.parquet",
		"label games.parquet -o games-labels.parquet --nodes 200 --hash 1 --all-moves",
		"label games.parquet --repeat 2 --positions 30 --nodes 200 --hash 1",
		"sample --game tictactoe --method games --n 50 --nodes 40 -o ttt.parquet",
		"label ttt.parquet -o ttt-labels.parquet --depth 9 --full-width --hash 1",
		"sample --game chess --method games --n 400 --nodes 20 -o chess.parquet",
		"label chess.parquet -o chess-labels.parquet --nodes 20 --hash 1",
		"sample --game othello --size 8 --n 300 -o othello.parquet",
		"label othello.parquet -o othello-labels.parquet --nodes 100 --hash 1",
		"features labels.parquet -o features.parquet --set thesis4",
		"fit features.parquet -o weights.json --select backward",
		"label awari.parquet -o awari-labels.parquet --nodes 200 --hash 1",
		"features awari-labels.parquet -o awari-features.parquet --set thesis4",
		"fit awari-features.parquet -o awari-weights.json",
		"match --a weights.json --b captures --pairs 2 --nodes 100 --hash 1 -o match.ogn",
		"book expand --weights weights.json --expansions 6 --nodes 200 --hash 1 -o book.bin",
	} {
		good(t, dir, strings.Fields(line)...)
	}
	return dir
}

func TestTheTourOfTheReadme(t *testing.T) {
	t.Parallel()
	dir := stageFiles(t)
	for _, c := range []struct{ line, want string }{
		{"inspect positions.parquet", "200 positions of oware under abapa rules"},
		{"inspect labels.parquet --where phase>30 --head 1 --weights thesis4 --against positions.parquet", "positions.parquet has"},
		{"inspect features.parquet --html page.html --weights weights.json", "page in page.html"},
		{"inspect weights.json thesis4", "on 2000 random boards: correlation"},
		{"inspect ttt-labels.parquet", "stones"},
		{"fit labels.parquet -o p.weights --set store+houses --ridge 5,store=0 --loss chances --validate games-labels.parquet", "model"},
		{"fit labels.parquet -o cv.weights --set store+houses --ridge cv --folds 2 --diagnose", "effective degrees of freedom"},
		{"fit labels.parquet -o t.weights --set store+threats --ridge 5", "not compiled: compile: no table holds family threats"},
		{"evaluate p.weights labels.parquet --json", `"rmse"`},
		{"evaluate captures labels.parquet games-labels.parquet", "r_doubled"},
		{"evaluate p.weights --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "store   +0.0"},
		{"evaluate level ttt-labels.parquet", "stones"},
		{"weights info p.weights", "store+houses"},
		{"weights info quick4 --json", `"kind": "model"`},
		{"weights export p.weights --format c", "kroo_evaluate"},
		{"weights export weights.json --format csv -o w.csv", ""},
		{"weights export default --format csv -o default.csv", ""},
		{"match --a p.weights --b p.model --pairs 1 --nodes 50 --hash 1", "against"},
		{"features --list", "two neighbouring houses, round the board"},
		{"features --list --game tictactoe", "squares"},
		{"features ttt-labels.parquet --game tictactoe -o ttt-features.parquet", "set squares"},
		{"fit ttt-features.parquet --game tictactoe -o ttt.json", "open_two"},
		{"evaluate ttt.json ttt-labels.parquet", "mae, wins"},
		{"match --game tictactoe --a ttt.json --b ttt.json --pairs 1 --opening-plies 1 --depth 3 --hash 1", "against"},
		{"inspect chess-labels.parquet --head 1", "White to move"},
		{"features --list --game chess", "pieces by square"},
		{"features chess-labels.parquet --game chess --set pieces -o chess-features.parquet", "set pieces"},
		{"fit chess-features.parquet --game chess -o chess.json", "queen"},
		{"study lamosca --weights chess.json", "chess.json | LaMoSca as reconstructed"},
		{"study lamosca --plots figures --json", `"choice":"b1c3"`},
		{"evaluate chess.json chess-labels.parquet", "mae, pawns"},
		{"match --game chess --a chess.json --pairs 1 --opening-plies 2 --nodes 40 --hash 1 --max-plies 30", "against lamosca"},
		{"match --game chess --rules lamosca --pairs 1 --opening-plies 2 --nodes 40 --hash 1 --max-plies 30 -o c.ogn", "lamosca against lamosca"},
		{"study depth --game chess --depth 3 --positions 4", "hundredths of a pawn"},
		{"features --list --game othello", "three by three squares in the corners"},
		{"features othello-labels.parquet -o othello-features.parquet", "set squares"},
		{"fit othello-features.parquet -o squares.json", "train match --game othello --a squares.json"},
		{"study othello squares.json", "Correlation over the 60 squares"},
		{"study othello squares.json --json", `"published":9`},
		{"fit othello-labels.parquet -o othello.weights --set corners/2+mobility --ridge 5", "discs), RMSE"},
		{"inspect othello.weights", "mobility"},
		{"evaluate othello.weights othello-labels.parquet", "mae, discs"},
		{"weights info othello.weights", "corners/2+mobility"},
		{"match --game othello --a othello.weights --b squares.json --pairs 1 --nodes 50 --hash 1", "against"},
		{"match --game othello --size 6 --pairs 1 --depth 1 --hash 1", "greedy against greedy"},
		{"study algorithms --game othello --size 6 --depth 3 --hash 1", "discs"},
		{"inspect --json features.parquet", `"own_captures"`},
		{"inspect weights.json", "captures"},
		{"inspect match.ogn", "4 games"},
		{"inspect book.bin", "6 entries"},
		{"book query book.bin", "F "},
		{"book query book.bin --json", `"best": [`},
		{"book info book.bin", "6 entries, rules abapa"},
		{"book info default --json", `"checksummed": true`},
		{"book stats book.bin", "drop-out diagram for the player of N"},
		{"book stats book.bin --json", `"leaves": [`},
		{"book diff book.bin default", "6 entries, "},
		{"book diff book.bin book.bin --json", `"same": 6`},
		{"book merge book.bin default -o merged.bin", "next: train book verify merged.bin"},
		{"book verify merged.bin", "no faults"},
		{"book info merged.bin", "Merged with: "},
		{"book prune merged.bin --plies 1 -o pruned.bin", "1 of "},
		{"book info pruned.bin", "Pruned: from "},
		{"book verify book.bin", "no faults"},
		{"book expand --rules simple-to-end --expansions 3 --nodes 200 --hash 1 -o to-end.bin", "3 entries"},
		{"book verify to-end.bin", "no faults"},
		{"book verify book.bin --tables none --json", `"ok": true`},
		{"book dump --format ogn book.bin", `[Event "opening book"]`},
		{"book export book.bin", "15187160556680,4-4-4-4-4-4-4-4-4-4-4-4-0-0-S,"},
		{"book export --format json book.bin", `"key":15187160556680`},
		{"match --json --pairs 1 --nodes 50 --hash 1 --a book=book.bin", `"elo_bar"`},
		{"match --a weights=weights.json,nodes=30,name=weak --b weights=captures,nodes=60 --pairs 1 --hash 1", "weak against"},
		{"match tournament captures weights.json weights=captures,nodes=10,name=hasty --pairs 2 --nodes 60 --hash 1 -o t.ogn", "hasty"},
		{"match tournament --json --gauntlet 1 captures weights.json weights=captures,nodes=10,name=hasty --pairs 1 --nodes 60 --hash 1", `"against":[{`},
		{"inspect t.ogn", "12 games"},
		{"endgame build --rules awari --seeds 6 -o tables", "tables/awari.endgame"},
		{"endgame build --bounds crude --seeds 5 -o tables", "tables/abapa.endgame"},
		{"endgame stats tables/awari.endgame --plots figures", "5698   1548    5130"},
		{"endgame stats --json tables --rules awari", `{"seeds":4,"positions":1365,"wins":580,"draws":143,"losses":642,"exact":1365,"mean_gap":0`},
		{"endgame verify tables --rules abapa --games 50", "against the engine: no problems"},
		{"endgame verify tables --rules awari --games 50", "against the engine: no problems"},
		{"endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S", "S to move: +5; with the stores +4"},
		{"endgame query --json --table tables --rules awari 0-1-0-0-2-0-1-0-0-0-0-0-21-23-S", `"exact":true`},
		{"match --pairs 2 --nodes 50 --hash 1 --adjudicate-tables -o adjudicated.ogn", "default "},
		{"study algorithms --depth 3 --plots figures", "233"},
		{"study branching --positions 10 --depth 3 --json", `"name":"minimal tree"`},
		{"study table --positions 2 --depth 5 --sizes 16", "5 newest only"},
		{"study depth --positions 10 --depth 4", "same move a ply deeper"},
		{"study scale match.ogn --plots figures", "seeds of final difference"},
		{"study scale match.ogn --json --player captures", `"positions":`},
		{"study book book.bin --weights captures --nodes 2000 --player-nodes 200 --positions 3 --hash 1 --plots figures", "the book's are better by"},
		{"study book book.bin --weights captures --nodes 2000 --positions 2 --hash 1 --json", `"choosers":`},
		{"study noise book.bin --weights captures --nodes 40000 --positions 3 --hash 1 --plots figures", "mean of 3"},
		{"study noise book.bin --weights captures --nodes 40000 --positions 3 --hash 1 --json", `"jump":`},
		{"match llr --wins 36433 --losses 36027 --draws 68692 --sprt 0,2 --model normalized", "\n0.9233\n"},
		{"match llr --pairs 10,20,40,90,50 --sprt 0,10 --model logistic", "H1 accepted"},
		{"match openings --plies 2 --bound 200 --nodes 300 -o openings.ogn", "openings in openings.ogn"},
		{"match --openings openings.ogn --pairs 2 --nodes 50 --hash 1 --max-plies 40", "pairs [0 0 2 0 0]"},
		{"match --b vary=on --opening-plies 0 --pairs 3 --nodes 60 --hash 1 --json", `"distinct":1`},
		{"match --game tictactoe --opening-plies 1 --pairs 9 --depth 9 --hash 1 --a full_width=true --b full_width=true -o draws.ogn", "level against level: +0 =18 -0 (50.0 %)"},
		{"match tournament --game tictactoe --opening-plies 2 --pairs 4 --hash 1 name=a name=b,nodes=9", "score"},
		{"match openings --game tictactoe --plies 2 --bound 0 --depth 9 -o t.ogn2", "openings in t.ogn2"},
		{"match --a weights.json --pairs 200 --sprt 0,100 --nodes 100 --hash 1", "accepted"},
		{"run --preset thesis --print-config", "movetime   = \"200ms\""},
	} {
		if out := good(t, dir, strings.Fields(c.line)...); !strings.Contains(out, c.want) {
			t.Errorf("train %s: printed %q: want %q in it", c.line, out, c.want)
		}
	}
}

func TestPerftPrintsTheCountLast(t *testing.T) {
	out := good(t, t.TempDir(), "perft", "--rules", "abapa", "--depth", "6")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != 7 || lines[6] != "27332" {
		t.Errorf("printed %q: want six moves and 27332", out)
	}
}

func TestPerftWithEveryMoveMade(t *testing.T) {
	out := good(t, t.TempDir(), "perft", "--no-bulk", "--depth", "6")
	if !strings.HasSuffix(out, "\n27332\n") {
		t.Errorf("printed %q: want 27332 last", out)
	}
}

// typed runs a command that reads what a person types, and returns what it
// printed.
func typed(t *testing.T, input string, args ...string) string {
	t.Helper()
	cmd := command(t.TempDir(), args...)
	cmd.Stdin = strings.NewReader(input)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("train %s: %v", strings.Join(args, " "), err)
	}
	return string(out)
}

func TestPlayAgainstTheEngine(t *testing.T) {
	out := typed(t, "x\nf\nundo\nhint\nA\nquit\n", "play", "--nodes", "200", "--hash", "1")
	for _, want := range []string{"no move", "engine: ", "the engine would play", "S to move"} {
		if !strings.Contains(out, want) {
			t.Errorf("printed %q: want %q in it", out, want)
		}
	}
}

// Refused moves change nothing; c1 closes the row.
func TestPlayTicTacToeToTheEnd(t *testing.T) {
	out := typed(t, "z9\na1\nC1\n", "play", "--game", "tictactoe", "--nodes", "2000", "--hash", "1", "--position", "XX.OO....")
	for _, want := range []string{"is no square", "illegal move a1", "game over (three in a row): X wins\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("printed %q: want %q in it", out, want)
		}
	}
}

// Refused moves change nothing; d8h4 is mate.
func TestPlayChessToTheEnd(t *testing.T) {
	out := typed(t, "e7e6\nd8h9\nd8h4\n", "play", "--game", "chess", "--side", "black", "--nodes", "200", "--hash", "1",
		"--position", "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2")
	for _, want := range []string{"no piece of Black is on e7", "is no square", "game over (checkmate): Black wins\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("printed %q: want %q in it", out, want)
		}
	}
}

func TestPerftOfChess(t *testing.T) {
	for rules, want := range map[string]string{"full": "197281", "lamosca": "197742"} {
		out := good(t, t.TempDir(), "perft", "--game", "chess", "--rules", rules, "--depth", "4")
		if !strings.HasSuffix(out, "\n"+want+"\n") {
			t.Errorf("%s: printed %q: want %s last", rules, out, want)
		}
	}
}

func TestResigningEndsTheGame(t *testing.T) {
	out := typed(t, "resign\n", "play", "--game", "tictactoe", "--side", "o", "--nodes", "2000", "--hash", "1")
	if !strings.Contains(out, "game over (resignation): X wins\n") || strings.Count(out, "engine: ") != 1 {
		t.Errorf("printed %q", out)
	}
}

func TestPerftOfTicTacToe(t *testing.T) {
	out := good(t, t.TempDir(), "perft", "--game", "tictactoe", "--depth", "9", "--no-bulk")
	if !strings.HasSuffix(out, "\n127872\n") {
		t.Errorf("printed %q: want 127872 last", out)
	}
}

func TestStudyOfTicTacToeFindsADrawByEverySearch(t *testing.T) {
	out := good(t, t.TempDir(), "study", "algorithms", "--game", "tictactoe", "--depth", "9", "--hash", "1", "--budget", "1m", "--json")
	if n := strings.Count(out, `{"depth":9,"score":0,`); n != 5 {
		t.Errorf("%d of 5 searches find a draw: %s", n, out)
	}
}

func TestUCIService(t *testing.T) {
	for game, want := range map[string]string{"oware": "bestmove ", "tictactoe": "bestmove c1", "chess": "bestmove "} {
		moves := map[string]string{"oware": "Ff", "tictactoe": "a1 b2 b1 c3", "chess": "f2f3 e7e5 g2g4"}[game]
		out := typed(t, "uci\nposition startpos moves "+moves+"\ngo depth 4\nisready\nquit\n", "uci", "--game", game, "--hash", "1")
		for _, want := range []string{"id name Kroo", "uciok", want} {
			if !strings.Contains(out, want) {
				t.Errorf("%s: printed %q: want %q in it", game, out, want)
			}
		}
	}
}

// Wrong command lines exit with 2 and say in one line what is allowed.
func TestWrongCommandLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, c := range []struct{ line, want string }{
		{"nonsense", "--help"},
		{"benhc", "did you mean bench?"},
		{"book nonsense", "`train book --help` lists the commands"},
		{"book verfy x", "did you mean verify?"},
		{"endgame foo", "build, query, stats or verify"},
		{"study foo", "`train study --help` lists the commands"},
		{"match foo", "llr, openings or tournament"},
		{"match tournamnt captures captures", "did you mean tournament?"},
		{"run --bogus", "--bogus"},
		{"run --preset huge", "quick or thesis or full"},
		{"run --resume --config x", "--resume"},
		{"run --preset quick --config x", "give one"},
		{"sample --method all -o x.parquet", "expected uniform, pps, games"},
		{"sample --method file -o x.parquet", "expected a file"},
		{"sample --method mix -o x.parquet", "games=0.7"},
		{"sample --game go -o x.parquet", "expected oware"},
		{"sample --game tictactoe --rules abapa -o x.parquet", "standard"},
		{"sample --split 0.7 -o x.parquet", "0 to 0.5"},
		{"label a --repeat 1", "labelled 1 times"},
		{"sample --n -3 -o x.parquet", "1 to"},
		{"sample --n many -o x.parquet", "--n"},
		{"sample --rules chess -o x.parquet", "abapa, awari, simple or simple-to-end"},
		{"sample", "-o FILE"},
		{"label -o x.parquet", "dataset of positions"},
		{"label a b -o x.parquet", "dataset of positions"},
		{"label a -o x.parquet --nodes -1", "none negative"},
		{"label a -o x.parquet --movetime soon", "--movetime"},
		{"label a -o x.parquet --hash 0 --nodes 1", "1 to 65536"},
		{"label a -o x.parquet --workers -1", "0 to 1024"},
		{"features a -o x.parquet --set all", "thesis"},
		{"fit a -o x.json --select all", "none or backward or least-weight"},
		{"fit a -o x.json --ridge NaN", "--ridge"},
		{"fit -o x.json", "datasets of labels"},
		{"features --list --game go", "oware or tictactoe"},
		{"evaluate captures", "--explain"},
		{"evaluate", "weights and datasets"},
		{"weights info", "a weights file"},
		{"weights export captures --format xml", "json or csv or c"},
		{"inspect a --head -1", "0 to 10000"},
		{"match --pairs 0", "0 pairs"},
		{"study depth --depth 1", "2 to 40"},
		{"study table --sizes 0", "4194304"},
		{"study scale", "games with scores"},
		{"study book", "the book"},
		{"study book default --positions 0", "--positions 0"},
		{"study noise", "the book"},
		{"study noise default --nodes 19999", "at least 20000"},
		{"study book default --game tictactoe", "--game"},
		{"endgame build --seeds 25 -o x", "0 to 24"},
		{"endgame build --seeds 3", "-o DIR"},
		{"endgame build --rules awari --bounds crude -o x", "exact"},
		{"endgame query 1-2-3", "board"},
		{"endgame stats --game tictactoe", "oware only"},
		{"book query --game tictactoe book.bin", "oware only"},
		{"endgame nonsense", "build, query, stats or verify"},
		{"endgame stats a b", "at most one table"},
		{"endgame verify a b", "at most one table"},
		{"match --a node=5", "node: unknown"},
		{"match --a cmd=x,weights=y", "not for a program"},
		{"match tournament captures", "2 to 64"},
		{"match tournament captures name=a,nodes=x", "nodes"},
		{"match --sprt 5,0", "such as 0,5"},
		{"match --sprt 0,5 --model bayes", "normalized"},
		{"match --tc soon", "10s+100ms"},
		{"match --adjudicate-win 0", "SCORE:MOVES"},
		{"match --max-plies -1", "at most -1 plies"},
		{"match llr", "--sprt"},
		{"match llr --sprt 0,5", "--pairs"},
		{"match llr --sprt 0,5 --pairs 1,2", "five counts"},
		{"match openings --plies 99 -o x.ogn", "0 to 8"},
		{"perft --depth 99", "0 to 40"},
		{"perft --position 4-4", "--position"},
		{"book expand --side east -o b.bin", "south, north or both"},
		{"book expand --omega NaN -o b.bin", "omega NaN"},
		{"book expand --window -1 -o b.bin", "window -1"},
		{"book expand --width -1 -o b.bin", "width of -1"},
		{"book expand --expansions 0 -o b.bin", "expected a number of expansions, evaluations or nodes"},
		{"book expand --time -3s -o b.bin", "a time of -3s"},
		{"book expand --preset huge -o b.bin", "default, night or thesis"},
		{"book expand --cover x.ogn --cover-plies 0 -o b.bin", "--cover-plies"},
		{"book export b.bin --format xml", "csv or json or ogn"},
		{"book query", "a book"},
		{"book query default 4-4", "expected 15"},
		{"book diff default", "two books"},
		{"book diff default default --largest -1", "--largest"},
		{"book merge default default", "-o FILE"},
		{"book prune default -o b.bin", "nothing to drop"},
		{"book prune default -o b.bin --plies -1", "--plies -1"},
		{"book prune default -o b.bin --plies 3 --side east", "both or south or north"},
		{"play --book-variety odd", "book variety"},
		{"play --book-margin -1", "book margin"},
		{"play --side west", "south or north"},
		{"play --game tictactoe --side south", "x or o"},
		{"play --game go", "expected oware"},
		{"perft --game tictactoe --rules abapa", "expected standard"},
		{"perft --game tictactoe --position 4-4", "--position"},
		{"study depth --game go", "expected oware"},
		{"uci --game tictactoe --rules awari", "expected standard"},
		{"match --farm embedded --a algorithm=minimax,depth=2", "algorithm=minimax: a farm's workers search as the engine does"},
		{"match tournament --farm embedded captures cmd=./other", "./other: a farm's workers start no programs"},
		{"bench --game tictactoe", "for oware only"},
		{"study orders --game othello", "expected oware or tictactoe"},
		{"study orders --size 6", "unknown flag: --size"},
		{"study book default --rules 8x8", "expected abapa"},
		{"perft --game othello --size 7", "8 or 6"},
		{"perft --game othello --size 6 --rules 6x6", "one of --rules and --size"},
		{"perft --size 6", "abapa, awari, simple or simple-to-end"},
		{"uci --hash 0", "1 to 65536"},
		{"bench now", "no operands"},
		{"inspect", "a file"},
		{"evaluate captures labels.parquet --rules awari", "--rules does nothing with datasets of labels"},
		{"evaluate captures labels.parquet --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N", "a position to explain, or datasets"},
	} {
		out, errs, code := train(t, dir, strings.Fields(c.line)...)
		if code != exitUsage || out != "" || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, c.want) {
			t.Errorf("train %s: exit %d, printed %q and %q: want exit 2 and one line with %q", c.line, code, out, errs, c.want)
		}
	}
	if list, _ := os.ReadDir(dir); len(list) > 0 {
		t.Errorf("wrong command lines left %v", list)
	}
}

// spoil writes damaged copies of a file: empty, cut in half, one byte flipped,
// each with the manifest of the good one if it has any.
func spoil(t *testing.T, dir, name string) (names []string) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	manifest, err := os.ReadFile(filepath.Join(dir, name+".manifest.json"))
	hasManifest := err == nil
	flipped := bytes.Clone(data)
	flipped[len(flipped)*2/3] ^= 0x20
	for kind, bad := range map[string][]byte{"empty": nil, "cut": data[:len(data)/2], "flipped": flipped} {
		copied := kind + "-" + name
		if err := os.WriteFile(filepath.Join(dir, copied), bad, 0o644); err != nil {
			t.Fatal(err)
		}
		if hasManifest {
			text := strings.ReplaceAll(string(manifest), `"`+name+`"`, `"`+copied+`"`)
			if err := os.WriteFile(filepath.Join(dir, copied+".manifest.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		names = append(names, copied)
	}
	return names
}

// Damaged, wrong and missing files exit with 1, are named in one line, and
// nothing is written over what was there.
func TestBadFiles(t *testing.T) {
	t.Parallel()
	dir := stageFiles(t)
	const kept = "old content\n"
	outputs := []string{"out.parquet", "out.json", "out.bin", "out.ogn"} // a .json with that content is of no kind: --force
	for _, name := range outputs {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(kept), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// Each use of a file, with IN in its place.
	uses := map[string][]string{
		"positions.parquet": {"label IN -o out.parquet --nodes 100", "inspect IN"},
		"labels.parquet":    {"features IN -o out.parquet", "inspect IN"},
		"features.parquet":  {"fit IN -o out.json --force", "fit features.parquet -o out.json --force --validate IN", "inspect IN"},
		"weights.json": {"label positions.parquet -o out.parquet --nodes 100 --weights IN", "match --a IN --pairs 1 --nodes 50 -o out.ogn",
			"match --b IN --pairs 1 --nodes 50", "book expand --weights IN --expansions 1 --nodes 50 -o out.bin", "uci --weights IN", "play --weights IN", "inspect IN"},
		"book.bin": {"book query IN", "book export IN", "book dump --format ogn IN", "book verify IN", "book info IN", "book stats IN",
			"book diff IN default", "book diff default IN", "book merge IN default -o out.bin", "book prune IN --plies 2 -o out.bin", "match --a book=IN --pairs 1 --nodes 50", "uci --book IN", "play --book IN", "inspect IN"},
	}
	for name, lines := range uses {
		bad := append(spoil(t, dir, name), "missing-"+name)
		switch name { // other kinds, other rules
		case "positions.parquet":
			bad = append(bad, "labels.parquet", "weights.json", "book.bin", ".")
		case "labels.parquet":
			bad = append(bad, "features.parquet", "match.ogn", ".")
		case "features.parquet":
			bad = append(bad, "positions.parquet", ".")
		case "weights.json":
			bad = append(bad, "awari-weights.json", "positions.parquet", "book.bin", ".")
		case "book.bin":
			bad = append(bad, "weights.json", "positions.parquet", ".")
		}
		for _, line := range lines {
			for _, in := range bad {
				if strings.HasPrefix(line, "inspect") && !strings.HasPrefix(in, "empty-") && !strings.HasPrefix(in, "cut-") && !strings.HasPrefix(in, "flipped-") && !strings.HasPrefix(in, "missing-") && in != "." {
					continue // a good file of another kind
				}
				checkRefused(t, dir, strings.ReplaceAll(line, "IN", in), in)
			}
		}
	}
	checkRefused(t, dir, "fit features.parquet -o out.json --force --validate awari-features.parquet", "awari-features.parquet")
	checkRefused(t, dir, "fit ttt-labels.parquet -o out.weights", "ttt-labels.parquet")
	checkRefused(t, dir, "fit labels.parquet --game tictactoe -o out.weights", "labels.parquet")
	checkRefused(t, dir, "evaluate weights.json awari-labels.parquet", "weights.json")
	checkRefused(t, dir, "evaluate captures positions.parquet", "positions.parquet")
	checkRefused(t, dir, "inspect labels.parquet --where seeds>3", "seeds")
	checkRefused(t, dir, "inspect labels.parquet --against awari.parquet", "awari")
	checkRefused(t, dir, "weights info thesis5", "thesis4")
	checkRefused(t, dir, "weights export book.bin", "book.bin")
	checkRefused(t, dir, "evaluate thesis4 --explain 4-4", "board")
	checkRefused(t, dir, "book query book.bin --rules awari", "book.bin")
	checkRefused(t, dir, "study scale match.ogn book.bin", "book.bin")
	checkRefused(t, dir, "study scale missing.ogn", "missing.ogn")
	checkRefused(t, dir, "study scale match.ogn --player nobody", "match.ogn")
	checkRefused(t, dir, "run --config weights.json --dir r", "weights.json")
	checkRefused(t, dir, "run --config missing.toml --dir r", "missing.toml")
	checkRefused(t, dir, "run --resume --dir nowhere", "nowhere")
	checkRefused(t, dir, "sample --n 150 -o nowhere/x.parquet", "nowhere/x.parquet")
	for _, name := range outputs {
		if text, _ := os.ReadFile(filepath.Join(dir, name)); string(text) != kept {
			t.Errorf("%s was overwritten", name)
		}
	}
}

func checkRefused(t *testing.T, dir, line, names string) {
	t.Helper()
	_, errs, code := train(t, dir, strings.Fields(line)...)
	if code != exitFailed || strings.Count(errs, "\n") != 1 || !strings.Contains(errs, names) {
		t.Errorf("train %s: exit %d, printed %q: want exit 1 and one line that names %s", line, code, errs, names)
	}
}
