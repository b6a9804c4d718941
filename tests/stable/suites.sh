#!/bin/bash
# Overhead of heddle stable on programs built elsewhere: the public suites in a scratch folder.
#
# Usage: suites.sh LIST [program...]
#
# LIST has a line per program: NAME DIRECTORY INPUT COMMAND [ARGUMENT...]
# A relative DIRECTORY starts at LIST's own; INPUT is a file for standard input or "-".  Lines that
# begin with # do not count.  VAR=value words before COMMAND go to its environment.
#
# RUNS=5, CONFIGS="native plain hints rr batch" (see bench-lib.sh), HASHES=3: so many runs of
# each policy must have one schedule hash, without hints (0: do not look); RUNS=0 does only that.
# Hints: NAME.hints beside LIST when it exists, else what the profiler proposes if that is faster.
# Nothing is fetched or built here.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
. "$here/bench-lib.sh"
configs=${CONFIGS:-native plain hints rr batch}
hashes=${HASHES:-3}
if [ $# -lt 1 ] || [ ! -f "$1" ]; then
	sed -n '2,14s/^# \{0,1\}//p' "$0" >&2
	exit 2
fi
list=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
base=$(dirname "$list")
shift
out=$TEST_TMP
: >"$out/used"

# one_hash POLICY COMMAND...: whether all runs have the same hash.
one_hash()
{
	local policy=$1 i
	shift
	: >"$out/hashes"
	for ((i = 0; i < hashes; i++)); do
		# shellcheck disable=SC2086
		timeout "$limit" ${BENCH_PREFIX-} "$heddle" stable -q --policy="$policy" --off=pcs --hash \
			"$@" <"$stdin" 2>"$out/run.err" >"$out/run.out"
		grep 'schedule hash' "$out/run.err" | tail -1 >>"$out/hashes"
	done
	[ "$(sort -u "$out/hashes" | wc -l)" -eq 1 ] && [ "$(wc -l <"$out/hashes")" -eq "$hashes" ]
}

say_hashes()
{
	local policy
	[ "$hashes" -gt 0 ] || return 0
	for policy in local rr batch; do
		if one_hash $policy "$@"; then
			[ "$runs" -gt 0 ] || echo "$name $policy: one schedule in $hashes runs"
			continue
		fi
		echo "$name $policy: not one schedule in $hashes runs"
		sort "$out/hashes" | uniq -c | show
	done
}

program()
{
	local name=$1 dir=$2 input=$3
	shift 3
	cd "$base" && cd "$dir" || { echo "    $name: no directory $dir"; failed=1; return; }
	stdin=/dev/null
	[ "$input" = - ] || stdin=$input
	while [[ $1 == [A-Z]*=* ]]; do
		local -x "$1"
		shift
	done
	hints=
	if [ -f "$base/$name.hints" ]; then
		hints=$base/$name.hints
	elif [[ $configs == *hints* && $runs -gt 0 ]]; then
		propose "$@"
	fi
	[ "$runs" -eq 0 ] || measure "$name" "$@"
	[ -z "$hints" ] || sed 's/^/    hint: /' "$hints"
	say_hashes "$@"
}

if [ "$runs" -gt 0 ]; then
	echo "slowdown against native, $stat of $runs interleaved runs"
	head_row
fi
while read -r name dir input words <&4; do
	case $name in '' | '#'*) continue ;; esac
	wanted "$name" "$@" || continue
	# The words of a line are split, nothing in them is expanded.
	read -r -a command_line <<<"$words"
	program "$name" "$dir" "$input" "${command_line[@]}"
done 4<"$list"
[ "$runs" -eq 0 ] || sum_rows
exit $failed
