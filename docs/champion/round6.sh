#!/bin/sh
# Round 6 of the champion: patterns by stage of the game, from self-play of round 5.
#
#   sh docs/champion/round6.sh ROUND5 OUT
#
# ROUND5 is a finished folder of round5.sh, OUT a folder for the results, TRAIN the
# program (default train). What is done is not done again, so the script can be
# stopped and started. It takes about an hour and a quarter on two quiet cores.
set -eu
old=$(cd "$1" && pwd)/champion.weights out=$2 train=${TRAIN:-train}
mkdir -p "$out"
cd "$out"

# sample NAME FLAGS...: positions of self-play
sample() {
	name=$1
	shift
	[ -f "$name.parquet" ] || $train sample "$@" --weights "$old" --nodes 400 --every 2 -o "$name.parquet"
}
sample a --method games --n 800000 --split 0.02 --seed 71
sample b --method mix --shares games=0.97,uniform=0.03 --n 1500000 --split 0.01 --seed 81
sample c --method mix --shares games=0.97,uniform=0.03 --n 1500000 --split 0.01 --seed 82
for part in a-validation a b c; do
	[ -f "$part-labels.parquet" ] || $train label $part.parquet --weights "$old" --nodes 8000 --hash 2 -o $part-labels.parquet
done
[ -f champion.weights ] || $train fit a-labels.parquet b-labels.parquet c-labels.parquet \
	--set store+phase+storephase+houses/4+pairs/4+triples/4+quads/4+sixes --loss chances --scale 300 \
	--ridge store=4,phase=4,storephase=4,houses=4,pairs=4,triples=4,quads=20,sixes=40 \
	--validate a-validation-labels.parquet --round 6 -o champion.weights
[ -f gate.ogn ] || $train match --a champion.weights --b "$old" --movetime 50ms --hash 16 --pairs 400 \
	--sprt 0,10 --opening-plies 6 --seed 902 --adjudicate-tables -o gate.ogn
