#!/bin/bash
# Schedules to the first failure, on the programs of bench/find, bench/bugs and bench/deep.
#
# Per case and strategy: trials that found it, mean and most schedules, mean seconds of a processor for
# the whole command, and what was published for programs of the same shape (means of SURW and RFF; other
# programs on other machines: for orientation).  A case is a line "trial: OPTIONS | PUBLISHED" of the
# head comment; options that begin with --model= are those of heddle check.
# Usage: find.sh [file...]; FIND_TRIALS [20], FIND_RUNS is the most schedules of a trial [200000],
# FIND_STRATEGY [mix].
set -u
. "$(dirname "$0")/../lib.sh"
. "$root/tests/check/bench-lib.sh"
trials=${FIND_TRIALS:-20}
most=${FIND_RUNS:-200000}
strategy=${FIND_STRATEGY:-mix}

# find_cases FILE: "options|published" per line.
find_cases()
{
	grep -q '^ \* trial:' "$1" || { grep -q '^ \* expect: clean' "$1" || echo "|"; return; }
	sed -n 's/^ \* trial: *\(.*\)| *\(.*\)$/\1|\2/p' "$1"
}

# trial PROGRAM SEED MODEL: schedules to the first failure, or "-", and seconds of a processor.
trial()
{
	bench_time "$heddle" check -q --strategy="$strategy" --runs="$most" --seed="$2" ${3:+"$3"} \
		--no-simplify --json -o "$TEST_TMP/found" "$1"
	jq -r --arg cpu "$cpu" '[if .failures > 0 then .runs else "-" end, $cpu] | join(" ")' \
		"$TEST_TMP/out" 2>/dev/null || echo "- $cpu"
}

[ $# -gt 0 ] || set -- "$root"/tests/check/bench/{find,bugs,deep}/*.c
echo "schedules to the first failure, --strategy=$strategy, $trials trials"
printf '%-26s %7s %10s %8s %9s  %s\n' program found mean most cpu/s published
for file in "$@"; do
	while IFS='|' read -r options published <&3; do
		model=$(grep -o -- '--model=[a-z]*' <<<"$options")
		flags=${options/$model/}
		bench_build "$file" "$flags" "$TEST_TMP/program" || continue
		for ((i = 0; i < trials; i++)); do
			trial "$TEST_TMP/program" $((1 + i * 1000003)) "$model"
		done >"$TEST_TMP/trials"
		awk -v name="$(bench_label "$file" "$flags")${model:+ ${model#--model=}}" \
			-v trials="$trials" -v published="$published" '
			{ cpu += $2 }
			$1 != "-" { found++; sum += $1; if ($1 > most) most = $1 }
			END { printf("%-26s %3d/%-3d %10s %8s %9.3f  %s\n", name, found, trials,
				found ? sprintf("%.1f", sum / found) : "-", found ? most : "-",
				cpu / trials, published) }' "$TEST_TMP/trials"
	done 3< <(find_cases "$file")
done
