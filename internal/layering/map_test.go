package layering

// permissions lists what the source files of one folder may import. Test files may import
// anything, and every file may import the standard library except unsafe and C.
type permissions struct {
	ours  []string // folders of this module; "…" is any folder outside cmd
	third []string // third-party modules, with all their packages
	why   string
}

// layers is the map of the module. A folder or import that is not in it fails the test, and so
// does an unused permission. docs/architecture.md has the same table; "go test
// ./internal/layering -update" writes its last two columns.
var layers = map[string]permissions{
	"book": {
		ours: []string{"games", "games/oware", "internal/atomicfile", "internal/doc", "internal/mapfile", "internal/scc", "internal/spec", "internal/vfs", "internal/wording"},
		why:  "keys are positions",
	},
	"cmd/kroo-farm": {
		third: []string{"github.com/nats-io/nats-server/v2"},
		why:   "the server of `--farm embedded`, a separate program: it is a large part of a build, and would slow the start of every command",
	},
	"cmd/train": {
		ours: []string{"commands"},
		why:  "the program: everything is in commands, which other programs can import",
	},
	"commands": {
		ours:  []string{"…"},
		third: []string{"github.com/spf13/cobra", "github.com/schollz/progressbar/v3", "github.com/spf13/pflag", "golang.org/x/term"},
		why:   "the command tree: it may import anything, and only it uses a terminal",
	},
	"datasets": {
		ours:  []string{"games", "internal/atomicfile", "internal/checksum", "internal/doc", "internal/parallel", "internal/strict", "internal/vfs", "internal/wording"},
		third: []string{"github.com/apache/arrow/go/v15", "github.com/google/flatbuffers", "github.com/apache/thrift/lib/go/thrift"}, // which hold schemas of Arrow and Parquet
		why:   "only this folder knows Arrow; decoding the key of a row checks the row",
	},
	"regress/profile": {
		ours:  []string{"datasets", "features", "games", "internal/agreement", "internal/doc", "internal/parallel", "internal/vfs", "regress", "report"},
		third: []string{"gonum.org/v1/gonum"},
		why:   "describes rows and compares them with an evaluation; fits features as regress does",
	},
	"dropout": {
		ours: []string{"book", "engine", "engine/search", "farm", "games", "games/oware", "internal/atomicfile", "internal/doc", "internal/journal", "internal/parallel", "internal/revision", "internal/spec"},
		why:  "expands positions into book entries; a farm runs engine's jobs",
	},
	"endgame": {
		ours: []string{"games/oware", "internal/atomicfile", "internal/checksum", "internal/doc", "internal/mapfile", "internal/memory", "internal/parallel", "internal/scc", "internal/vfs"},
		why:  "tables know positions; the search uses them as a Prober, which it does not import",
	},
	"endgame/check": {
		why: "checks tables with its own rules, index and reader",
	},
	"engine": {
		ours:  []string{"book", "endgame", "engine/search", "engine/uci/client", "features", "features/chess", "features/othello", "features/oware", "features/tictactoe", "games", "games/chess", "games/othello", "games/oware", "games/tictactoe", "internal/memory", "internal/parallel", "internal/spec", "internal/wording"},
		third: []string{"github.com/kballard/go-shellquote"},
		why:   "what plays; never imports datasets or regress",
	},
	"engine/search": {
		ours: []string{"internal/memory"},
		why:  "generic: games implement its interface without importing it",
	},
	"engine/uci": {
		ours: []string{"engine", "engine/search", "engine/uci/client", "games", "games/oware", "internal/memory", "internal/vfs", "internal/wording"},
		why:  "serves an engine; the game's kit opens what a client asks for; the arena is for oware",
	},
	"engine/uci/client": {
		ours: []string{"engine/search", "games", "internal/checksum", "internal/vfs"},
		why:  "drives other programs: positions, and scores in the units of the engine",
	},
	"engine/uci/check": {
		ours: []string{"engine", "engine/search", "engine/uci/client", "games", "internal/parallel"},
		why:  "asks a program through the client, and the engine's search for the side that is ahead",
	},
	"farm": {
		ours: []string{"engine", "engine/search", "games", "internal/checksum", "internal/parallel", "internal/strict", "internal/vfs"},
		why:  "messages and scheduling of searches and other tasks for workers on other machines",
	},
	"farm/natspool": {
		ours:  []string{"farm", "internal/atomicfile", "internal/checksum", "internal/doc", "internal/parallel", "internal/revision", "internal/spec", "internal/strict", "internal/vfs", "internal/wording"},
		third: []string{"github.com/nats-io/nats.go", "github.com/nats-io/nkeys"},
		why:   "only this folder knows NATS: it carries tasks and answers without reading them",
	},
	"features": {
		ours:  []string{"games", "internal/agreement", "internal/atomicfile", "internal/doc", "internal/strict", "internal/vfs"},
		third: []string{"github.com/klauspost/compress"}, // Zstandard, and a faster DEFLATE
		why:   "feature sets and models for any game; the search uses a model as an Evaluator, which it does not import",
	},
	"features/chess": {
		ours: []string{"features", "games/chess"},
		why:  "chess's features and LaMoSca's evaluation, as sets of package features",
	},
	"features/oware": {
		ours: []string{"features", "games", "games/oware", "internal/memory", "internal/parallel"},
		why:  "patterns over oware's houses; the search uses them as an Evaluator, which it does not import",
	},
	"features/othello": {
		ours: []string{"features", "games/othello"},
		why:  "Othello's features and published weights",
	},
	"features/tictactoe": {
		ours: []string{"features", "games/tictactoe"},
		why:  "as features/chess, for tic-tac-toe",
	},
	"games": {
		why: "the interface between games and everything else: a leaf that knows neither",
	},
	"games/gametest": {
		ours: []string{"games"},
		why:  "what every game's tests require of its description",
	},
	"games/chess": {
		ours: []string{"games"},
		why:  "as games/oware: implements the search's interface without importing it",
	},
	"games/oware": {
		ours: []string{"games"},
		why:  "rules that other programs can reuse: they depend on nothing but the description",
	},
	"games/othello": {
		ours: []string{"games"},
		why:  "as games/oware: rules only",
	},
	"games/tictactoe": {
		ours: []string{"games"},
		why:  "as games/oware: implements the search's interface without importing it",
	},
	"engine/analysis": {
		ours: []string{"engine", "engine/search", "games", "internal/atomicfile", "internal/doc", "internal/journal", "internal/parallel"},
		why:  "grades moves with an engine; terminal and browser show them",
	},
	"run/inspect": {
		ours: []string{"book", "datasets", "endgame", "features", "features/oware", "games", "games/oware", "internal/doc", "internal/journal", "internal/vfs", "internal/wording", "match", "match/tune", "regress/profile", "run"},
		why:  "identifies the kind of a file; the folder of that kind describes it",
	},
	"internal/agreement": {
		third: []string{"gonum.org/v1/gonum"},
		why:   "a leaf: weights files, both fits, profiles and figures use the same statistics",
	},
	"internal/atomicfile": {
		ours: []string{"internal/vfs"},
		why:  "locks files while it writes them",
	},
	"internal/journal": {
		ours: []string{"internal/atomicfile", "internal/doc", "internal/strict", "internal/vfs", "internal/wording"},
		why:  "a write-ahead log of strictly decoded pieces",
	},
	"internal/journal/journaltest": {
		ours: []string{"internal/journal", "internal/testenv", "internal/testkit", "internal/vfs"},
		why:  "tests only: work with a journal survives crashes",
	},
	"internal/layering": {
		why: "a test: reads sources and imports nothing of ours",
	},
	"internal/mapfile": {
		ours:  []string{"internal/vfs"},
		third: []string{"github.com/edsrzf/mmap-go", "github.com/klauspost/compress"},
		why:   "the one place that maps files, and unpacks embedded ones: packing saves 5 MB",
	},
	"internal/wording": {
		why: "a leaf",
	},
	"internal/strict": {
		ours:  []string{"internal/vfs", "internal/wording"},
		third: []string{"github.com/BurntSushi/toml"},
		why:   "files come from anywhere: nesting and size are limited",
	},
	"internal/memory": {
		third: []string{"unsafe"}, // to pass an array to the system
		why:   "a leaf",
	},
	"internal/parallel": {
		why: "a leaf: the one worker loop",
	},
	"internal/checksum": {
		ours: []string{"internal/vfs"},
		why:  "hashes files",
	},
	"internal/revision": {
		ours: []string{"internal/checksum"},
		why:  "identifies a build, by the hash of its file if necessary",
	},
	"internal/scc": {
		why: "a leaf: the one search for cycles in graphs",
	},
	"internal/doc": {
		why: "a leaf: packages describe their files with it",
	},
	"internal/vfs": {
		third: []string{"golang.org/x/sys"}, // locks of Windows
		why:   "a leaf: the one place that calls the file system, so that tests can make any call fail",
	},
	"internal/vfs/faults": {
		ours: []string{"internal/vfs"},
		why:  "tests only",
	},
	"internal/testenv": {
		why: "a leaf, tests only",
	},
	"internal/testkit": {
		why: "shared by tests; imports none of ours, so that the tests of every package can use it",
	},
	"internal/spec": {
		ours:  []string{"internal/strict", "internal/wording"},
		third: []string{"github.com/spf13/pflag"},
		why:   "a struct with tags gives flags, a file and a record; knows the settings of no package",
	},
	"match/tune": {
		ours: []string{"engine", "engine/search", "engine/uci/client", "internal/atomicfile", "internal/doc", "internal/journal", "internal/parallel", "internal/spec", "internal/strict", "internal/vfs", "internal/wording", "match", "match/elo", "report"},
		why:  "tunes options by games that match plays",
	},
	"match": {
		ours: []string{"engine", "engine/search", "engine/uci/client", "farm", "games", "internal/atomicfile", "internal/doc", "internal/journal", "internal/memory", "internal/parallel", "internal/spec", "internal/strict", "internal/vfs", "internal/wording", "match/elo"},
		why:  "plays searchers and other programs against each other",
	},
	"match/elo": {
		third: []string{"gonum.org/v1/gonum"},
		why:   "statistics of results; knows no board and no player",
	},
	"engine/play": {
		ours: []string{"engine", "engine/search", "games"},
		why:  "a person against an engine; terminal and browser draw it",
	},
	"regress": {
		ours:  []string{"datasets", "engine/search", "features", "games", "internal/agreement", "internal/atomicfile", "internal/checksum", "internal/doc", "internal/journal", "internal/memory", "internal/parallel", "internal/revision", "internal/spec", "internal/wording"},
		third: []string{"gonum.org/v1/gonum"},
		why:   "fits weights to rows; splits them by position",
	},
	"report": {
		ours:  []string{"book", "games", "games/oware", "internal/agreement", "internal/atomicfile", "internal/doc"},
		third: []string{"gonum.org/v1/plot", "maragu.dev/gomponents"},
		why:   "draws what it is given; runs nothing and reads no other folder's files",
	},
	"run": {
		ours: []string{"book", "datasets", "dropout", "endgame", "engine", "farm", "features", "features/oware", "games", "games/oware", "internal/atomicfile", "internal/doc", "internal/journal", "internal/parallel", "internal/revision", "internal/spec", "internal/strict", "internal/vfs", "internal/wording", "match", "match/elo", "regress", "report", "sampler"},
		why:  "puts the stages together; reads their configuration and reports their results",
	},
	"sampler": {
		ours:  []string{"datasets", "engine", "engine/search", "engine/uci/client", "farm", "games", "games/oware", "internal/checksum", "internal/journal", "internal/parallel", "internal/revision", "internal/spec", "internal/vfs", "internal/wording"},
		third: []string{"gonum.org/v1/gonum"},
		why:   "draws positions, writes them and has a farm label them",
	},
	"serve": {
		ours:  []string{"book", "datasets", "endgame", "engine", "engine/analysis", "engine/play", "engine/search", "features", "features/oware", "games", "games/oware", "internal/doc", "internal/parallel", "internal/strict", "internal/vfs", "internal/wording", "regress/profile", "report", "run", "run/inspect"},
		third: []string{"maragu.dev/gomponents"},
		why:   "pages for what other folders compute; only the command line imports it",
	},
	"engine/study": {
		ours:  []string{"endgame", "engine", "engine/search", "features/othello", "games", "games/chess", "games/othello", "games/oware", "games/tictactoe", "internal/doc", "internal/parallel", "report"},
		third: []string{"golang.org/x/sys", "gonum.org/v1/gonum"},
		why:   "textbook searches next to the engine's, accuracy in endgames",
	},
}
