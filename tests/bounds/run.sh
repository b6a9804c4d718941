#!/bin/bash
# All schedules with up to k delays: what is said to be exhausted was, and nothing else is said.
set -u
. "$(dirname "$0")/../lib.sh"
plan 16
here=$(cd "$(dirname "$0")" && pwd)
work=$TEST_TMP/bounds
mkdir -p "$work"
cd "$work" || exit 3

build()
{
	"$bin/heddle-cc" -g -O1 -pthread "${@:3}" -o "$1" "$here/$2.c" >log 2>&1 ||
		{ show log; not_ok "$2.c builds"; exit 1; }
}
for program in order torn chance crash; do
	build $program $program
done
build unlucky chance -DUNLUCKY
for n in 10 100; do
	build many$n many -DTHREADS=$n
done

# check CODE OPTIONS... : the exit code is so; the answer is in out.json.
check()
{
	local code=$1
	shift
	timeout -k 1 120 "$heddle" check -q --json -o out "$@" >out.json 2>err.txt </dev/null
	[ $? -eq "$code" ] || { show out.json err.txt; return 1; }
}
says() { jq -e "$1" out.json >answer 2>&1 || { jq -c '[.text,.bounded]' out.json | show; return 1; }; }

# ---- the order of delays ----
check 0 --strategy=dfs --delays=2 ./order && says .exhausted
report "two delays do not turn three threads round" $?
check 1 --strategy=dfs --delays=3 ./order
report "three do" $?
runs=0
for k in 0 1 2; do
	check 0 --strategy=dfs --delays=$k ./order && says ".runs > $runs"
	report "more schedules have at most $k delays than less" $?
	runs=$(jq .runs out.json)
done
for engine in reset fork; do
	check 0 --strategy=dfs --delays=2 --engine=$engine ./chance && says .exhausted
	report "what is drawn inside the program is the same in every schedule ($engine)" $?
done
# Its first number decides, whatever comes after it.
unlucky() { check 1 --strategy=dfs --delays=2 --seed="$1" ./unlucky && says '.text | test("dfs schedule 1 ")'; }
fails=0
for seed in 1 2 3 4 5 6 7 8; do
	if check 0 --strategy=dfs --delays=2 --seed=$seed ./unlucky >log; then
		says .exhausted || fails=9
	else
		unlucky $seed && fails=$((fails + 1)) || fails=9
	fi
done
report "what main draws fails in the first schedule or in none" $([ $fails -gt 0 ] && [ $fails -lt 8 ]; echo $?)
check 1 --strategy=dfs --delays=99 --all ./crash && says '.failures > 1 and .exhausted'
report "a search goes on behind schedules that kill the process" $?

# ---- beside and after the search ----
# With so little time for so much, the bound is small; one delay takes some hundred runs.
for n in 10 100; do
	check 4 --races=off --time=12 ./many$n &&
		says '.bounded.exhausted >= 1 and (.bounded.all | not) and .complete == false' &&
		says '.text | test("no failure in all [0-9]+ schedules with at most [0-9]+ delay")'
	report "$n threads: a bound is exhausted" $?
done
check 4 ./torn && says '.bounded.all and .bounded.exhausted > 0' &&
	says '.text | contains("with any number of delays")'
report "when no schedule has more delays, that is said" $?
cp out.json torn.json
k=-1 last=-1 runs=0 sum=0
while [ $runs -ne $last ] && [ $k -lt 20 ]; do
	k=$((k + 1)) last=$runs
	check 0 --strategy=dfs --delays=$k ./torn || break
	runs=$(jq .runs out.json)
	sum=$((sum + runs))
done
cp torn.json out.json
says ".bounded.exhausted == $k and .bounded.runs == $sum"
report "every bound had its schedules, and the last no more than the one before" $?
check 4 --max-steps=30 --time=5 ./many10 && says '.bounded.exhausted == -1 and (.bounded.all | not)' &&
	says '.text | contains("delay") | not'
report "schedules that were cut off exhaust no bound" $?
check 4 --algorithm=learn ./torn && says '.bounded.runs == 0 and .bounded.exhausted == -1'
report "who asks for an algorithm gets only that" $?
check 1 ./order && says '.failures > 0'
report "the first failure ends it" $?
exit $failed
