#!/bin/sh
# The table of README.md: one factor at a time around the champion.
#
#   sh docs/champion/table.sh ROUND6 OUT [WEIGHTS...]
#
# ROUND6 is a finished folder of round6.sh, OUT a folder for the results, WEIGHTS are
# files of earlier rounds to compare, TRAIN the program (default train). What is there is
# not made again, so the script can be stopped and started. It takes about an hour and a
# quarter on two quiet cores.
set -eu
run=$(cd "$1" && pwd) out=$2 train=${TRAIN:-train}
shift 2
mkdir -p "$out"
for file; do cp "$file" "$out"; done
cd "$out"

# sample NAME METHOD SEED FLAGS...: positions, labelled by the champion with many nodes
sample() {
	name=$1 method=$2 seed=$3
	shift 3
	[ -f "$name.parquet" ] || $train sample --method "$method" --n 1500 --seed "$seed" "$@" -o "$name.parquet"
	[ -f "$name-labels.parquet" ] || $train label "$name.parquet" --weights default --nodes 400000 --hash 16 -o "$name-labels.parquet"
}
sample uniform uniform 202
sample pps pps 203
sample games games 204 --weights default --every 8 --nodes 2000

# row NAME LABELS... FLAGS...: weights, R and error on the three sets, and a match at
# equal nodes against the champion
row() {
	name=$1
	shift
	[ -f "$name.weights" ] || $train fit --cache 4000 "$@" -o "$name.weights"
	measure "$name"
}
measure() {
	weights=$1
	[ ! -f "$1.weights" ] || weights=$1.weights
	for set in uniform pps games; do
		[ -s "$1-$set.json" ] || $train evaluate "$weights" "$set-labels.parquet" --json >"$1-$set.json"
	done
	case $1 in default | points) return ;; esac
	[ -s "$1-match.json" ] || $train match --a "$weights" --b default --nodes 10000 --hash 4 --pairs 150 --seed 4242 --adjudicate-tables --json -o "$1.ogn" >"$1-match.json"
}
for name in default points captures thesis4 quick4; do measure $name; done
for file; do measure "$(basename "$file" .weights)"; done

rows="$run/a-labels.parquet $run/b-labels.parquet $run/c-labels.parquet"
base=store+phase+storephase
all=$base+houses/4+pairs/4+triples/4+quads/4+sixes
chances="--loss chances --scale 300"
small=store=4,phase=4,storephase=4,houses=4
ridge=$small,pairs=4,triples=4
row houses $rows --set $base+houses/4 $chances --ridge $small
row pairs $rows --set $base+houses/4+pairs/4 $chances --ridge $small,pairs=4
row triples $rows --set $base+houses/4+triples/4 $chances --ridge $small,triples=4
row pt $rows --set $base+houses/4+pairs/4+triples/4 $chances --ridge $ridge
row small "$run/a-labels.parquet" --set $all $chances --ridge $ridge,quads=20,sixes=40
row quads $rows --set $base+houses/4+pairs/4+triples/4+quads/4 $chances --ridge $ridge,quads=20
[ -f u300.parquet ] || $train sample --method uniform --n 300000 --seed 101 -o u300.parquet
[ -f u300-12k.parquet ] || $train label u300.parquet --weights captures --nodes 12000 --hash 4 -o u300-12k.parquet
row random u300-12k.parquet --set $all $chances --ridge $ridge,quads=20,sixes=40
row flat $rows --set $base+houses+pairs+triples+quads+sixes $chances --ridge $ridge,quads=20,sixes=40
row squares $rows --set $all --loss squares --ridge $ridge,quads=20,sixes=40
row two $rows --set $base+houses/2+pairs/2+triples/2+quads/2+sixes $chances --ridge $ridge,quads=20,sixes=40
row s400 $rows --set $all --loss chances --scale 400 --ridge $ridge,quads=20,sixes=40
row ridge4 $rows --set $all $chances --ridge store=16,phase=16,storephase=16,houses=16,pairs=16,triples=16,quads=80,sixes=160
