#!/bin/sh
# The champion for awari, from nothing.
#
#   sh docs/champion/awari.sh OUT
#
# OUT is a folder for the results, TRAIN the program (default train). What is done is
# not done again, so the script can be stopped and started. It takes about an hour on two
# quiet cores.
set -eu
here=$(cd "$(dirname "$0")" && pwd) out=$1 train=${TRAIN:-train}
mkdir -p "$out"
cd "$out"

label() { # NAME WEIGHTS NODES
	for part in "$1-validation" "$1"; do
		[ -f "$part-labels.parquet" ] || $train label "$part.parquet" --weights "$2" --nodes "$3" --hash 2 -o "$part-labels.parquet"
	done
}

# Round 1: houses, from games that count captures.
[ -f round1/round1.weights ] || $train run --config "$here/awari.toml" --dir round1

# Round 2: pairs and triples.
[ -f w2.parquet ] || $train sample --rules awari --method mix --shares games=0.9,uniform=0.1 --weights round1/round1.weights \
	--n 250000 --nodes 400 --every 2 --split 0.04 --seed 2 -o w2.parquet
label w2 round1/round1.weights 4000
[ -f w2.weights ] || $train fit w2-labels.parquet --set store+phase+storephase+houses+pairs+triples \
	--loss chances --scale 400 --ridge 2 --round 2 -o w2.weights

# Round 3: all that six tables hold.
[ -f w3.parquet ] || $train sample --rules awari --method mix --shares games=0.95,uniform=0.05 --weights w2.weights \
	--n 500000 --nodes 400 --every 2 --split 0.03 --seed 3 -o w3.parquet
label w3 w2.weights 6000
[ -f w3.weights ] || $train fit w2-labels.parquet w3-labels.parquet \
	--set store+phase+storephase+houses+pairs+triples+quads+sixes --loss chances --scale 300 \
	--ridge store=4,phase=4,storephase=4,houses=4,pairs=4,triples=4,quads=20,sixes=40 \
	--validate w3-validation-labels.parquet --round 3 -o w3.weights

# Round 4: what depends on few houses by stage of the game.
[ -f w4.parquet ] || $train sample --rules awari --method mix --shares games=0.97,uniform=0.03 --weights w3.weights \
	--n 1500000 --nodes 400 --every 2 --split 0.01 --seed 4 -o w4.parquet
label w4 w3.weights 8000
[ -f w4.weights ] || $train fit w4-labels.parquet \
	--set store+phase+storephase+houses/4+pairs/4+triples/4+quads/4+sixes --loss chances --scale 300 \
	--ridge store=4,phase=4,storephase=4,houses=4,pairs=4,triples=4,quads=20,sixes=40 \
	--validate w4-validation-labels.parquet --round 4 -o w4.weights
[ -f gate.ogn ] || $train match --rules awari --a w4.weights --b w3.weights --movetime 50ms --hash 16 --pairs 400 \
	--sprt 0,10 --opening-plies 6 --seed 901 --adjudicate-tables -o gate.ogn
