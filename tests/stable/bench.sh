#!/bin/bash
# Overhead of heddle stable against native runs: medians of interleaved runs, with the program's
# hints and without, geometric mean and worst case.
#
# Usage: bench.sh [program...]; RUNS=5, THREADS=number of processors.  COLUMNS of the table can be
# chosen with CONFIGS="native hints plain batch fence".
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
lib=$TEST_BUILD/lib/heddle
runs=${RUNS:-5} threads=${THREADS:-$(nproc)}
configs=${CONFIGS:-native hints plain batch}
cd "$TEST_TMP" || exit 1
if [ ! -x "$heddle" ]; then
	echo "skip stable_bench heddle is not built"
	exit 77
fi

# Time of one run in microseconds, into $elapsed.
once()
{
	local config=$1 start
	shift
	case $config in
	native) set -- "$@" ;;
	hints) set -- "$heddle" stable -q ${hints:+--hints="$hints"} "$@" ;;
	plain) set -- "$heddle" stable -q --off=soba,pcs "$@" ;;
	batch) set -- "$heddle" stable -q --policy=batch ${hints:+--hints="$hints"} "$@" ;;
	fence) set -- "$heddle" stable -q --policy=fence --off=soba,pcs "$@" ;;
	esac
	start=${EPOCHREALTIME/./}
	if ! "$@" >run.out 2>run.err </dev/null; then
		echo "$config $*: failed" >&2
		cat run.err >&2
		exit 1
	fi
	elapsed=$((${EPOCHREALTIME/./} - start))
}

median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

hints=
# A program without hints in its source gets what the profiler proposes, if that is faster.
propose()
{
	local with without
	hints=
	"$heddle" stable -q --profile "$@" 2>&1 >/dev/null |
		sed -n 's/.*in a hints file: //p' | head -1 >proposed
	[ -s proposed ] || return
	once plain "$@"
	without=$elapsed
	hints=$TEST_TMP/proposed
	once hints "$@"
	[ "$elapsed" -lt "$without" ] || hints=
}

# measure NAME COMMAND...
measure()
{
	local name=$1 run config
	shift
	for config in $configs; do : >"$name.$config"; done
	for ((run = 0; run < runs; run++)); do
		for config in $configs; do
			once "$config" "$@"
			echo "$elapsed" >>"$name.$config"
		done
	done
	row "$name"
}

row()
{
	local name=$1 config base ms line
	base=$(median <"$name.native")
	line=$(printf '%-16s %9.1f' "$name" "$(awk "BEGIN { print $base / 1000 }")")
	for config in $configs; do
		[ "$config" = native ] && continue
		ms=$(median <"$name.$config")
		awk "BEGIN { print $ms / $base }" >>"ratio.$config"
		line+=$(awk "BEGIN { printf \" %8.2f\", $ms / $base }")
	done
	echo "$line"
}

wanted() { [ $# -eq 1 ] || [[ " ${*:2} " == *" $1 "* ]]; }

echo "slowdown against native, $threads threads, medians of $runs interleaved runs"
printf '%-16s %9s' program 'native ms'
for config in $configs; do [ "$config" = native ] || printf ' %8s' "$config"; done
echo
for source in "$here"/bench/*.c; do
	name=$(basename "$source" .c)
	[ "$name" = handoff ] && continue
	wanted "$name" "$@" || continue
	omp=
	case $name in omp_*) omp=-fopenmp ;; esac
	cc -O2 -g -pthread $omp -I"$here/../../include" "$source" -o "$name" -L"$lib" \
		-lheddle-stable-stub -Wl,-rpath,"$lib" || exit 1
	measure "$name" "./$name" "$threads"
done
# Real programs, when they are installed.
if [ ! -e input ]; then
	for ((i = 0; i < 6; i++)); do cat "$heddle" "$lib"/*.so "$here"/bench/*.c; done | head -c 24000000 >input
fi
if command -v pigz >/dev/null && wanted pigz "$@"; then
	propose pigz -p "$threads" -c -k input
	measure pigz pigz -p "$threads" -c -k input
fi
if command -v pbzip2 >/dev/null && wanted pbzip2 "$@"; then
	propose pbzip2 -p"$threads" -c -k input
	measure pbzip2 pbzip2 -p"$threads" -c -k input
fi
printf '%-16s %9s' 'geometric mean' ''
for config in $configs; do
	[ "$config" = native ] && continue
	awk '{ s += log($1) } END { printf " %8.2f", exp(s / NR) }' "ratio.$config"
done
echo
printf '%-16s %9s' 'worst' ''
for config in $configs; do
	[ "$config" = native ] && continue
	sort -n "ratio.$config" | tail -1 | awk '{ printf " %8.2f", $1 }'
done
echo
