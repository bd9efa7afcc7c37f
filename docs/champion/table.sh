#!/bin/sh
# The table of README.md: one factor at a time around the champion.
#
#   sh docs/champion/table.sh RUN OUT
#
# RUN is a finished folder of `train run --preset full`, OUT a folder for the results,
# TRAIN the program (default train). What is there is not made again, so the script can
# be stopped and started. It takes about an hour and a half on two quiet cores.
set -eu
run=$1 out=$2 train=${TRAIN:-train}
mkdir -p "$out"
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

# fit NAME LABELS... -- FLAGS...: weights
fit() {
	name=$1
	shift
	[ -f "$name.weights" ] || $train fit "$@" -o "$name.weights"
}
both="$run/round3-labels.parquet $run/round4-labels.parquet"
base=store+phase+storephase+houses
all=$base+pairs+triples+quads+sixes
chances="--loss chances --scale 400"
ridge=store=2,phase=2,storephase=2,houses=2,pairs=2,triples=2
fit houses $both --set $base $chances --ridge 2
fit pairs $both --set $base+pairs $chances --ridge 2
fit triples $both --set $base+triples $chances --ridge 2
fit pt $both --set $base+pairs+triples $chances --ridge 2
fit quads $both --set $base+pairs+triples+quads $chances --ridge $ridge,quads=10
fit squares $both --set $all --loss squares --ridge $ridge,quads=10,sixes=20
fit s250 $both --set $all --loss chances --scale 250 --ridge $ridge,quads=10,sixes=20
fit r4only "$run/round4-labels.parquet" --set $all $chances --ridge $ridge,quads=10,sixes=20
fit ridge4 $both --set $all $chances --ridge store=8,phase=8,storephase=8,houses=8,pairs=8,triples=8,quads=40,sixes=80
[ -f u300.parquet ] || $train sample --method uniform --n 300000 --seed 101 -o u300.parquet
[ -f u300-12k.parquet ] || $train label u300.parquet --weights captures --nodes 12000 --hash 4 -o u300-12k.parquet
fit uniform u300-12k.parquet --set $all $chances --ridge $ridge,quads=10,sixes=20
for k in 1 2 3; do cp "$run/champion$k.weights" "round$k.weights"; done

# R and error on the three sets, and a match at equal nodes against the champion
for name in captures thesis4 quick4 points default houses pairs triples pt quads squares s250 r4only ridge4 uniform round1 round2 round3; do
	weights=$name
	[ ! -f "$name.weights" ] || weights=$name.weights
	for set in uniform pps games; do
		[ -f "$name-$set.json" ] || $train evaluate "$weights" "$set-labels.parquet" --json >"$name-$set.json"
	done
	case $name in default | points) continue ;; esac
	[ -f "$name-match.json" ] || $train match --a "$weights" --b default --nodes 10000 --hash 4 --pairs 120 --seed 4242 --adjudicate-tables --json >"$name-match.json"
done
