#!/bin/sh
# Round 5 of the champion, from the rows of round 4 and the champion of that round.
#
#   sh docs/champion/round5.sh RUN OUT
#
# RUN is a finished folder of rounds 1 to 4, OUT a folder for the results, TRAIN the
# program (default train). What is done is not done again, so the script can be
# stopped and started. It takes about an hour on two quiet cores.
set -eu
run=$(cd "$1" && pwd) out=$2 train=${TRAIN:-train}
mkdir -p "$out"
cd "$out"

old=$run/round4.weights
[ -f positions.parquet ] || $train sample --method mix --shares games=0.95,uniform=0.05 --weights "$old" \
	--n 3000000 --nodes 400 --every 2 --split 0.02 --seed 5 -o positions.parquet
for part in positions-validation positions; do
	[ -f "$part-labels.parquet" ] || $train label $part.parquet --weights "$old" --nodes 8000 --hash 2 -o $part-labels.parquet
done
[ -f champion.weights ] || $train fit positions-labels.parquet "$run/round4-labels.parquet" \
	--set store+phase+storephase+houses+pairs+triples+quads+sixes --loss chances --scale 300 \
	--ridge store=4,phase=4,storephase=4,houses=4,pairs=4,triples=4,quads=20,sixes=40 \
	--validate positions-validation-labels.parquet --start "$run/round4.model" --round 5 -o champion.weights
[ -f gate.ogn ] || $train match --a champion.weights --b "$old" --movetime 50ms --hash 16 --pairs 400 \
	--sprt 0,10 --opening-plies 6 --seed 901 --adjudicate-tables -o gate.ogn
