package layering

// row says what the source files of one folder may import. Test files are free.
type row struct {
	folder string
	own    []string // folders of this module; "games/…" is games and every game, "…" any folder but cmd
	third  []string // modules of others, all their packages
	leaves bool     // also internal/atomicfile, internal/wal and internal/mapfile, which import nothing of ours
	why    string
}

var leaves = []string{"internal/atomicfile", "internal/wal", "internal/mapfile", "internal/memory", "internal/revision", "internal/strictjson", "internal/journal", "internal/parallel"}

var table = []row{
	{folder: "games", why: "the seam between the games and the rest: a leaf that knows neither"},
	{folder: "games/gametest", own: []string{"games"}, why: "what every game's tests ask of its description"},
	{folder: "games/oware", own: []string{"games"}, why: "rules that anyone can take away: they describe themselves to the rest, and know nothing of it"},
	{folder: "games/tictactoe", own: []string{"games"}, why: "as games/oware: it satisfies the search's interface without importing it"},
	{folder: "internal/atomicfile", why: "a leaf"},
	{folder: "internal/wal", why: "a leaf"},
	{folder: "internal/journal", leaves: true, why: "over the log and the strict decode"},
	{folder: "internal/parallel", why: "a leaf: the one worker loop"},
	{folder: "internal/strictjson", why: "a leaf: the one strict JSON decode"},
	{folder: "internal/mapfile", third: []string{"github.com/edsrzf/mmap-go"}, why: "a leaf: the one place that maps files"},
	{folder: "internal/memory", why: "a leaf"},
	{folder: "internal/revision", why: "a leaf"},
	{folder: "internal/layering", why: "a test; it reads sources and imports nothing of ours"},
	{
		folder: "book", own: []string{"games/…"}, leaves: true,
		why: "keys are positions; a big book is mapped, not read",
	},
	{
		folder: "endgame", own: []string{"games/…"}, leaves: true,
		why: "tables know positions; the search sees them as a Prober it never imports",
	},
	{
		folder: "features", own: []string{"games/…"}, leaves: true,
		why: "features count seeds; the search sees the result as an Evaluator it never imports",
	},
	{
		folder: "features/oware", own: []string{"games/oware"}, leaves: true,
		why: "patterns over oware's houses; the search sees the result as an Evaluator it never imports",
	},
	{
		folder: "engine", own: []string{"games", "games/…", "engine/search", "features", "features/…", "book", "endgame"}, leaves: true,
		why: "what plays; it never sees datasets or regress",
	},
	{
		folder: "engine/search",
		why:    "generic over games, which satisfy its interface without importing it",
	},
	{
		folder: "engine/uci", own: []string{"games", "engine", "engine/search"},
		why: "the service plays with an engine; the game's kit opens what a client asks for",
	},
	{
		folder: "engine/uci/client", own: []string{"games", "engine/search"},
		why: "the other end of the protocol knows positions, and scores as the engine gives them",
	},
	{
		folder: "datasets", own: []string{"games/…"}, leaves: true,
		third: []string{"github.com/apache/arrow/go/v15"},
		why:   "the only folder that knows Arrow; rows are checked by decoding their keys",
	},
	{
		folder: "sampler", own: []string{"games/…", "datasets", "engine", "engine/search", "endgame", "farm"}, leaves: true,
		why: "draws positions and writes them",
	},
	{
		folder: "regress", own: []string{"games/…", "features", "features/oware", "regress/sparse", "datasets"}, leaves: true,
		third: []string{"gonum.org/v1/gonum"},
		why:   "fits weights to rows; splits them by position",
	},
	{folder: "regress/sparse", why: "fits any rows; it knows no features and no games"},
	{
		folder: "farm", own: []string{"games/…", "engine", "engine/search", "features/oware"}, leaves: true,
		why: "runs searches of positions",
	},
	{
		folder: "dropout", own: []string{"games/…", "book", "farm", "engine", "engine/search", "features/oware"}, leaves: true,
		why: "expands positions by way of a farm, whose jobs are made of engine's types, into book entries",
	},
	{
		folder: "match", own: []string{"games/…", "engine", "engine/search", "features/oware", "engine/uci/client", "book", "endgame", "farm"}, leaves: true,
		why: "plays searchers, and other programs, against each other",
	},
	{
		folder: "play", own: []string{"games", "engine", "engine/search"},
		why: "a person against the engine; whoever draws the game imports it",
	},
	{
		folder: "study", own: []string{"games", "games/…", "engine", "engine/search", "report"}, leaves: true,
		why: "textbook searches beside the engine's; a result knows how it is drawn",
	},
	{
		folder: "report", leaves: true,
		own:   []string{"games/…", "engine", "datasets", "regress", "features", "book", "dropout", "match", "endgame"},
		third: []string{"gonum.org/v1/plot"},
		why:   "draws what the data folders hold; it starts no work, so not farm or sampler",
	},
	{
		folder: "run", own: []string{"…"}, leaves: true,
		third: []string{"github.com/BurntSushi/toml"},
		why:   "puts the stages together; reads their configuration",
	},
	{
		folder: "inspect", own: []string{"games/…", "book", "datasets", "features", "match", "run"},
		why: "reads every file format",
	},
	{
		folder: "cmd/train", own: []string{"…"}, leaves: true,
		third: []string{"github.com/spf13/cobra", "github.com/schollz/progressbar/v3", "golang.org/x/term"},
		why:   "the command tree; the only folder that talks to a terminal",
	},
}
