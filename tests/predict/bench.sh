#!/bin/bash
# Speed of heddle predict: events per second of the linear stages on synthetic traces of 10^5 and
# 10^6 events, milliseconds per question and stage on them and, when it is there, on a published
# trace of 97,000 events; and the time per race question against Z3 on the same questions.
set -u
. "$(dirname "$0")/../lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
data=${TEST_TRACES:-$root/../shared/data/traces}

for n in 100000 1000000; do
	python3 "$here/gen.py" $n 8 >"$TEST_TMP/$n.std" || exit 1
	echo "== $n synthetic events, 8 threads: linear stages"
	"$heddle" predict --find=none --stats "$TEST_TMP/$n.std" | grep -E '^linear|^  '
done
echo "== 100000 synthetic events: all race questions"
"$heddle" predict --find=race --stats "$TEST_TMP/100000.std" | grep -E '^(race: .*candidates|core|stage|build|sync|closure|trace|cp|late|lookahead|search)'
jigsaw=$(ls "$data"/raceinjector/hb_missed/jigsaw/* 2>/dev/null | head -1)
if [ -n "$jigsaw" ]; then
	echo "== published trace: all races"
	"$heddle" predict --find=race --stats "$jigsaw" | grep -E '^(race: .*candidates|linear|core|stage|build|sync|closure|trace|cp|late|lookahead|search)'
fi
for n in 300 1000; do
	python3 "$here/gen.py" $n 8 1 dense >"$TEST_TMP/dense-$n.std" || exit 1
	echo "== $n synthetic events, nothing private: race questions against Z3"
	"$heddle" predict --versus=z3 --questions=30 "$TEST_TMP/dense-$n.std"
done
for f in "$data"/raceinjector/{treeset,arraylist}_orig; do
	[ -e "$f" ] || continue
	echo "== published trace $(basename "$f"): race questions against Z3"
	"$heddle" predict --versus=z3 --questions=30 "$f"
done
