package main

import "strings"

// command is a command under attack.
type command struct {
	name, line string
	journal    string // file of finished work, "" for none
	again      string // what goes on from an interruption, "" for the same line
}

// setupLines make the files that the commands read.
var setupLines = []string{
	"sample --method uniform --n 60 --seed 1 -o positions.parquet",
	"label positions.parquet -o labels.parquet --nodes 200 --hash 1",
	"features labels.parquet -o features.parquet --set thesis4",
	"fit features.parquet -o weights.json",
	"match --a weights.json --b captures --pairs 1 --nodes 50 --hash 1 -o games.ogn",
	"book expand --weights captures --expansions 3 --nodes 50 --hash 1 -o book.bin",
}

// commands are attacked. Each writes the same bytes whenever it runs, in a second or
// less. A new command that writes or reads files belongs here.
var commands = []command{
	{name: "sample", line: "sample --method games --n 60 --nodes 50 --split 0.3 -o out.parquet", journal: "out.parquet.journal"},
	{name: "label", line: "label positions.parquet -o out.parquet --nodes 200 --hash 1", journal: "out.parquet.journal"},
	{name: "features", line: "features labels.parquet -o out.parquet --set thesis4"},
	{name: "fit", line: "fit features.parquet -o out.json"},
	{name: "patterns", line: "fit labels.parquet -o out.weights --set store+houses --ridge 5"},
	{name: "evaluate", line: "evaluate weights.json labels.parquet --json"},
	{name: "export", line: "weights export weights.json --format csv -o out.csv"},
	{name: "match", line: "match --a weights.json --b book=book.bin --pairs 2 --nodes 50 --hash 1 -o out.ogn", journal: "out.ogn.log"},
	{name: "openings", line: "match openings --plies 2 --bound 400 --nodes 100 --hash 1 -o out.ogn", journal: "out.ogn.journal"},
	{name: "expand", line: "book expand --weights weights.json --expansions 4 --nodes 100 --hash 1 -o out.bin", journal: "out.bin.log"},
	{name: "book", line: "book verify book.bin"},
	{name: "query", line: "book query book.bin"},
	{name: "build", line: "endgame build --rules awari --seeds 4 -o tables", journal: "tables/awari.endgame.journal"},
	{name: "inspect", line: "inspect labels.parquet --weights weights.json --html out.html"},
	{name: "games", line: "inspect games.ogn"},
	{name: "llr", line: "match llr --sprt 0,5 --pairs 1,2,3,2,1"},
	{name: "run", line: "run --config run.toml --dir out", again: "run --resume --dir out"},
}

// runConfig is the configuration of the run.
const runConfig = `
rules = "abapa"
seed = 3
workers = 2
[training]
method = "uniform"
n = 120
[validation]
method = "pps"
n = 100
[label]
nodes = 100
hash_mb = 1
[features]
set = "thesis4"
[fit]
select = "backward"
tolerance = 0.004
ridge = 0.0
[match]
pairs = 2
opening_plies = 4
nodes = 50
hash_mb = 1
[book]
expansions = 4
sides = "both"
omega = 2.0
nodes = 50
hash_mb = 1
[book_play]
pairs = 1
opening_plies = 2
nodes = 50
hash_mb = 1
`

func words(line string) []string { return strings.Fields(line) }
