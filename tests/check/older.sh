#!/bin/bash
# What an older build takes for the same search: older.sh BUILD [file...].
#
# BUILD is the build directory of another commit.  Every case of bench/sized is built with each
# build's own compiler driver and searched by both in turn; the seconds of a processor are the best of
# $BENCH_ROUNDS [3], the ratio is this build's to the other's.  A case of which both make less than
# $BENCH_FLOOR seconds [0.05] shows what starting a process costs and is left out.  Once without races,
# once with their list.  BENCH_LIMIT is the most seconds for one search [60], BENCH_LEAST and BENCH_MOST
# bound the states of a case [400, 45000].
set -u
. "$(dirname "$0")/../lib.sh"
. "$root/tests/check/bench-lib.sh"
rounds=${BENCH_ROUNDS:-3}
floor=${BENCH_FLOOR:-0.05}
least=${BENCH_LEAST:-400}
most=${BENCH_MOST:-45000}
older=${1:?the build directory of another commit}/bin
newer=$bin
shift
[ $# -gt 0 ] || set -- "$root"/tests/check/bench/sized/*.c
need "$older/heddle" "$newer/heddle"

# once BIN PROGRAM RACES: one search; sets cpu, executions, found.
once()
{
	bench_time "$1/heddle" check --all --races="$3" --json --time="${bench_limit}s" \
		-o "$TEST_TMP/found" --algorithm=learn --model=sc "$2"
	IFS=$'\t' read -r found executions < <(
		jq -r '[.states // "-", .executions // "-"] | @tsv' "$TEST_TMP/out")
}

smaller() { awk -v a="$1" -v b="$2" 'BEGIN { print (a == "" || b < a) ? b : a }'; }

# both RACES: searches by both in turn; sets before, after and what they looked at.
both()
{
	before= after=
	for ((round = 0; round < rounds; round++)); do
		once "$older" "$TEST_TMP/older" "$1"
		before=$(smaller "$before" "$cpu") before_found=$found before_runs=$executions
		once "$newer" "$TEST_TMP/newer" "$1"
		after=$(smaller "$after" "$cpu") after_found=$found after_runs=$executions
	done
}

for races in off warn; do
	echo "races: $races; seconds of a processor, best of $rounds"
	printf '%-22s %9s %9s %10s %10s %8s %8s %6s\n' program states "" executions "" cpu "" ratio
	for file in "$@"; do
		while IFS='|' read -r flags states _ <&3; do
			want=$(bench_value SC "$states")
			[ "${want:-0}" -ge "$least" ] && [ "$want" -le "$most" ] || continue
			bin=$older bench_build "$file" "$flags" "$TEST_TMP/older" || continue
			bin=$newer bench_build "$file" "$flags" "$TEST_TMP/newer" || continue
			both $races
			printf '%-22s %9s %9s %10s %10s %8s %8s %6s\n' "$(bench_label "$file" "$flags")" \
				"$before_found" "$after_found" "$before_runs" "$after_runs" "$before" "$after" \
				"$(awk -v a="$before" -v b="$after" -v f="$floor" 'BEGIN {
					if (a >= f || b >= f) printf("%.2f", b / a); else printf("-") }')"
		done 3< <(bench_cases "$file")
	done | tee "$TEST_TMP/table"
	awk '$NF + 0 > 0 { sum += log($NF); n++; a += $(NF - 2); b += $(NF - 1) }
		END { if (n) printf("geometric mean of %d: %.2f, of the sums: %.2f\n\n", n, exp(sum / n), b / a) }' \
		"$TEST_TMP/table"
done
