#!/bin/bash
# The same programs under other checkers, to see where we stand: GenMC and nidhugg, when they are
# there (variables GENMC, NIDHUGG, or in PATH; nidhugg reads the IR of the clang named by
# NIDHUGG_CLANG).  All get the programs of bench/sized under SC; seconds, of the clock and of a
# processor, are those of the command with start-up, without compilation (GenMC: with it).
#
# Usage: peers.sh [file...]; BENCH_LIMIT is the most seconds for one exploration [60], BENCH_LEAST
# and BENCH_MOST bound the states of a case, PEERS_ONLY=1 leaves heddle out.
set -u
. "$(dirname "$0")/../lib.sh"
. "$root/tests/check/bench-lib.sh"
genmc=${GENMC:-$(command -v genmc)}
nidhugg=${NIDHUGG:-$(command -v nidhugg)}
nidhugg_clang=${NIDHUGG_CLANG:-clang-14}
least=${BENCH_LEAST:-100}
most=${BENCH_MOST:-200000}

# Tools as functions: they set $executions; bench_time sets $seconds.
run_heddle()
{
	bench_build "$file" "$flags" "$TEST_TMP/program" || return 1
	IFS=$'\t' read -r _ executions complete _ seconds cpu _ < <(
		bench_check "$TEST_TMP/program" --algorithm=learn --model=sc)
	[ "$complete" = true ]
}

run_genmc()
{
	# shellcheck disable=SC2086
	bench_time "$genmc" --sc --disable-estimation --disable-race-detection -- \
		$flags -DPEER -I"$root/include" "$file"
	local status=$?

	executions=$(sed -nE 's/.*complete executions explored: ([0-9]+).*/\1/p' "$TEST_TMP/out")
	[ $status -eq 0 ] && [ -n "$executions" ]
}

# Unoptimised: at -O1 clang drops reads of bounded waits, and the program is another one.
run_nidhugg()
{
	local mode=$1

	# shellcheck disable=SC2086
	"$nidhugg_clang" -O0 -emit-llvm -S -c $flags -DPEER -o "$TEST_TMP/program.ll" "$file" \
		2>"$TEST_TMP/err" || return 1
	# shellcheck disable=SC2086
	bench_time "$nidhugg" --sc $mode "$TEST_TMP/program.ll"
	local status=$?

	executions=$(sed -nE 's/.*Trace count: ([0-9]+).*/\1/p' "$TEST_TMP/out")
	[ $status -eq 0 ] && [ -n "$executions" ]
}

# tool NAME COMMAND…: one column; remembers what it took.
tool()
{
	local name=$1 rate
	shift
	executions= seconds= cpu=
	if "$@"; then
		rate=$(bench_rate "$executions" "$cpu")
		printf ' %10s %7s %7s %7s' "$executions" "$seconds" "$cpu" "$rate"
		took[$name]=$seconds spent[$name]=$cpu needed[$name]=$executions
	else
		printf ' %10s %7s %7s %7s' "${executions:+>}${executions:--}" "${seconds:--}" \
			"${cpu:--}" "-"
		took[$name]= spent[$name]= needed[$name]=
		[ -z "${PEERS_VERBOSE-}" ] || tail -n 3 "$TEST_TMP/err" "$TEST_TMP/out" | show >&2
	fi
}

ratio() { awk -v a="${1:-0}" -v b="${2:-0}" 'BEGIN { if (a > 0 && b > 0) printf(" %7.2f", a / b); else printf(" %7s", "-") }'; }

tools=()
[ -n "${PEERS_ONLY-}" ] || tools+=(heddle)
[ -z "$genmc" ] || tools+=(genmc)
[ -z "$nidhugg" ] || tools+=(nidhugg nidhugg-rf)
if [ -z "$genmc$nidhugg" ]; then
	echo "neither genmc nor nidhugg is there: nothing to compare with"
	exit 0
fi
declare -A took spent needed
[ $# -gt 0 ] || set -- "$root"/tests/check/bench/sized/*.c
printf '%-22s %8s' "" ""
printf ' %34s' "${tools[@]}"
printf '\n%-22s %8s' program states
for each in "${tools[@]}"; do
	printf ' %10s %7s %7s %7s' executions seconds cpu exec/s
done
[ -n "${PEERS_ONLY-}" ] || printf '  each to heddle: executions, seconds, cpu'
echo
for file in "$@"; do
	while IFS='|' read -r flags states _ <&3; do
		want=$(bench_value SC "$states")
		[ "${want:-0}" -ge "$least" ] && [ "$want" -le "$most" ] || continue
		printf '%-22s %8s' "$(bench_label "$file" "$flags")" "$want"
		for each in "${tools[@]}"; do
			case $each in
			heddle) tool heddle run_heddle ;;
			genmc) tool genmc run_genmc ;;
			nidhugg) tool nidhugg run_nidhugg --optimal ;;
			nidhugg-rf) tool nidhugg-rf run_nidhugg --rf ;;
			esac
		done
		for each in "${tools[@]}"; do
			[ -n "${PEERS_ONLY-}" ] || [ "$each" = heddle ] || {
				ratio "${needed[$each]}" "${needed[heddle]}"
				ratio "${took[$each]}" "${took[heddle]}"
				ratio "${spent[$each]}" "${spent[heddle]}"
			}
		done
		echo
	done 3< <(bench_cases "$file")
done
