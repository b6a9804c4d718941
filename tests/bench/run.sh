#!/bin/bash
# Measurements, not tests: executions per second of each engine, and what a check-flavour binary
# costs when heddle is not around.  Every figure is the best of several interleaved rounds.
set -u
. "$(dirname "$0")/../lib.sh"
here=$root/tests/bench
rounds=${BENCH_ROUNDS:-3}
seconds=${BENCH_SECONDS:-2}
cd "$TEST_TMP" || exit 3

# Executions per second of engine $1 over $seconds.
rate()
{
	"$heddle" check --engine="$1" --strategy=random --seed=1 --time="$seconds" --json \
		./reference >rate.json 2>rate.err
	if [ $? -ne 0 ]; then
		cat rate.err >&2
		echo 0
		return
	fi
	jq -r '.runs / .seconds' rate.json
}

larger() { awk -v a="$1" -v b="$2" 'BEGIN { print (a > b) ? a : b }'; }
smaller() { awk -v a="$1" -v b="$2" 'BEGIN { print (a < b) ? a : b }'; }

engines()
{
	declare -A best=([reset]=0 [fork]=0 [threads]=0)
	local steps engine round

	"$bin/heddle-cc" -O2 -g -pthread -o reference "$here/reference.c" || exit 3
	for round in $(seq "$rounds"); do
		for engine in reset fork threads; do
			best[$engine]=$(larger "${best[$engine]}" "$(rate $engine)")
		done
	done
	steps=$("$heddle" check --engine=reset --runs=1000 --seed=1 --json ./reference |
		jq -r '(.steps / .runs * 10 | round) / 10')
	echo
	echo "Executions per second: tests/bench/reference.c, 3 threads, $steps scheduling points a run"
	echo
	printf '%-10s %14s %12s %18s\n' engine 'executions/s' 'µs each' 'against threads'
	for engine in reset fork threads; do
		awk -v e=$engine -v r="${best[$engine]}" -v t="${best[threads]}" 'BEGIN {
			printf "%-10s %14.0f %12.2f %17.1fx\n", e, r, r ? 1e6 / r : 0, t ? r / t : 0 }'
	done
	awk -v r="${best[reset]}" -v f="${best[fork]}" -v t="${best[threads]}" 'BEGIN {
		printf "\nreset/fork %.1f (aim: 50)   fork/threads %.2f (aim: 1.5)\n", \
			f ? r / f : 0, t ? f / t : 0 }'
}

elapsed() { local s=$EPOCHREALTIME; "$@" >out 2>&1; awk -v a="$s" -v b="$EPOCHREALTIME" 'BEGIN { print b - a }'; }

slowdown()
{
	local kernel plain ours round

	clang-19 -O2 -g -pthread -o plain "$here/compute.c" || exit 3
	"$bin/heddle-cc" -O2 -g -pthread -o ours "$here/compute.c" || exit 3
	echo
	echo "A check-flavour binary without heddle around it: tests/bench/compute.c, -O2"
	echo
	printf '%-10s %12s %12s %12s\n' kernel 'clang (s)' 'heddle (s)' 'slowdown'
	for kernel in matrix sieve hash sort; do
		plain=1000 ours=1000
		for round in $(seq "$rounds"); do
			plain=$(smaller "$plain" "$(elapsed ./plain $kernel)")
			mv out out.plain
			ours=$(smaller "$ours" "$(elapsed ./ours $kernel)")
			cmp -s out out.plain || { echo "$kernel: results differ" >&2; exit 1; }
		done
		awk -v k=$kernel -v p="$plain" -v o="$ours" 'BEGIN {
			printf "%-10s %12.3f %12.3f %11.2fx\n", k, p, o, o / p }'
	done
}

# CPU seconds of a command and its children.
cpu() { local TIMEFORMAT=%U; { time "$@" >out 2>&1; } 2>&1; }

compile_time()
{
	local level plain ours

	echo
	echo "Compile time: tests/bench/templates.cc, CPU seconds"
	echo
	printf '%-10s %12s %12s %12s\n' level 'clang' 'heddle' 'ratio'
	for level in -O0 -O2; do
		plain=$(cpu clang++-19 $level -g -c -o plain.o "$here/templates.cc")
		ours=$(cpu "$bin/heddle-c++" $level -g -c -o ours.o "$here/templates.cc")
		awk -v k=$level -v p="$plain" -v o="$ours" 'BEGIN {
			printf "%-10s %12.2f %12.2f %11.2fx\n", k, p, o, o / p }'
	done
}

engines
slowdown
compile_time
