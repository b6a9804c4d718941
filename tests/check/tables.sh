#!/bin/bash
# The algorithms side by side: executions, questions to the solver and seconds on the small programs,
# executions per memory model, and executions until the first failure.
#
# `>' marks what a limit cut short, `*' an exploration that found fewer states than there are.
# Usage: tables.sh [file...]; BENCH_LIMIT is the most seconds for one exploration [60].
set -u
. "$(dirname "$0")/../lib.sh"
: "${BENCH_LIMIT:=20}"
. "$root/tests/check/bench-lib.sh"
algorithms="learn complete classic se dpor dfs"
most=${BENCH_MOST:-1500}

# measure ALGORITHM MODEL WANT: sets executions, questions, seconds, marked as above.
measure()
{
	local states complete

	IFS=$'\t' read -r states executions complete questions seconds _ < <(
		bench_check "$TEST_TMP/program" --algorithm="$1" --model="$2")
	if [ "$complete" != true ]; then
		executions=">$executions"
	elif [ "$states" != "$3" ]; then
		executions="$executions*"
	fi
}

each_case()
{
	local file flags states violations

	for file in "${files[@]}"; do
		while IFS='|' read -r flags states violations <&3; do
			case $flags in *-DLONG*) continue ;; esac
			[ "$(bench_value SC "$states")" -le "$most" ] || continue
			bench_build "$file" "$flags" "$TEST_TMP/program" || continue
			label=$(bench_label "$file" "$flags")
			"$1" "$states" "$violations"
		done 3< <(bench_cases "$file")
	done
}

by_algorithm()
{
	local algorithm want

	want=$(bench_value SC "$1")
	printf '%-22s %7s' "$label" "$want"
	for algorithm in $algorithms; do
		measure "$algorithm" sc "$want"
		printf ' %9s %8s %7s' "$executions" "$questions" "$seconds"
	done
	echo
}

by_model()
{
	local algorithm model want cell

	printf '%-22s' "$label"
	for algorithm in complete dpor classic se; do
		cell=
		for model in sc tso pso; do
			want=$(bench_value ${model^^} "$1")
			if [ -n "$want" ]; then
				measure $algorithm $model "$want"
			else
				executions=-
			fi
			cell="$cell${cell:+/}$executions"
		done
		printf ' %20s' "$cell"
	done
	echo
}

# Executions until the first failure, for programs that have one.
until_bug()
{
	local algorithm model bad cell

	grep -qE '=[1-9]' <<<"$2" || return
	printf '%-22s' "$label"
	for algorithm in complete dpor classic se dfs; do
		cell=
		for model in sc tso pso; do
			bad=$(bench_value ${model^^} "$2")
			bench_time "$heddle" check --algorithm=$algorithm --model=$model \
				--races=off --no-simplify --json --time="${bench_limit}s" \
				-o "$TEST_TMP/found" "$TEST_TMP/program"
			cell="$cell${cell:+/}$(jq -r --arg bad "${bad:-?}" 'if (.findings | length) > 0
				then "\(.executions)" elif $bad == "0" then "none" else "missed"
				end' "$TEST_TMP/out" 2>/dev/null)"
		done
		printf ' %18s' "$cell"
	done
	echo
}

if ! "$heddle" check --help 2>&1 | grep -q -- --algorithm; then
	echo "heddle check has no exhaustive search"
	exit 0
fi
files=("$@")
[ $# -gt 0 ] || files=("$root"/tests/check/programs/*.c "$root"/tests/check/bench/sized/*.c)

printf '\nalgorithms under SC: executions, questions, seconds\n%-22s %7s' program states
# shellcheck disable=SC2086
printf ' %26s' $algorithms
echo
each_case by_algorithm
printf '\nexecutions under SC/TSO/PSO\n%-22s' program
printf ' %20s' complete dpor classic se
echo
each_case by_model
printf '\nexecutions until the first failure under SC/TSO/PSO\n%-22s' program
printf ' %18s' complete dpor classic se dfs
echo
each_case until_bug
