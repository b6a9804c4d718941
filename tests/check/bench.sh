#!/bin/bash
# The exhaustive search, measured on the programs of bench/sized: what `make bench' prints for it.
#
# Per program: distinct states, executions, seconds from start to end of the command and of
# a processor, executions and states per second, and how the time is shared by the guest, the solver
# and the rest.  A number of states after `!' is what it should be.  Then tables.sh.
# Usage: bench.sh [file...]; BENCH_LIMIT is the most seconds for one exploration [60],
# BENCH_MODEL the memory model [sc], BENCH_LEAST the fewest states of a case [100].
set -u
. "$(dirname "$0")/../lib.sh"
. "$root/tests/check/bench-lib.sh"
model=${BENCH_MODEL:-sc}
least=${BENCH_LEAST:-100}

if ! "$heddle" check --help 2>&1 | grep -q -- --algorithm; then
	echo "heddle check has no exhaustive search"
	exit 0
fi
rest=$#
[ $# -gt 0 ] || set -- "$root"/tests/check/bench/sized/*.c
echo "exhaustive search, default algorithm, ${model^^}"
printf '%-22s %9s %10s %8s %8s %8s %9s %7s %7s %7s %8s\n' program states executions seconds cpu \
	exec/s states/s guest solver other memory
for file in "$@"; do
	while IFS='|' read -r flags states _ <&3; do
		want=$(bench_value "${model^^}" "$states")
		[ "${want:-0}" -ge "$least" ] || continue
		bench_build "$file" "$flags" "$TEST_TMP/program" || continue
		IFS=$'\t' read -r found executions complete _ seconds cpu guest solver total memory < <(
			bench_check "$TEST_TMP/program" --algorithm=learn --model="$model")
		[ "$complete" = true ] || found=">$found"
		[ "$found" = "$want" ] || found="$found!$want"
		printf '%-22s %9s %10s %8s %8s %8s %9s ' "$(bench_label "$file" "$flags")" \
			"$found" "$executions" "$seconds" "$cpu" "$(bench_rate "$executions" "$seconds")" \
			"$(bench_rate "$want" "$seconds")"
		awk -v g="$guest" -v s="$solver" -v t="$total" -v m="$memory" 'BEGIN {
			if (t > 0) printf("%6.0f%% %6.0f%% %6.0f%%", 100 * g / t, 100 * s / t,
				100 * (t - g - s) / t)
			else printf("%7s %7s %7s", "-", "-", "-")
			printf(" %6.1fMB\n", m / 1e6) }'
	done 3< <(bench_cases "$file")
done
[ $rest -gt 0 ] || { "$root/tests/check/tables.sh"; "$root/tests/check/find.sh"; }
