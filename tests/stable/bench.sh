#!/bin/bash
# Overhead of heddle stable against native runs: medians of interleaved runs, with the program's
# hints and without, geometric mean and worst case.
#
# Usage: bench.sh [program...]; RUNS=5, THREADS=number of processors.  The columns of the table can
# be chosen with CONFIGS="native plain hints rr batch fence" (see bench-lib.sh).  "servers" stands for
# redis and memcached.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
. "$here/bench-lib.sh"
lib=$TEST_BUILD/lib/heddle
threads=${THREADS:-$(nproc)}
configs=${CONFIGS:-native plain hints rr batch}
out=$TEST_TMP
cd "$TEST_TMP" || exit 1
need "$heddle"

# A program of Debian, if it is installed: real NAME COMMAND...  It has no hints in its source and
# gets what the profiler proposes.
real()
{
	local name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		echo "$name: the package $1 is not installed"
		return
	fi
	propose "$@"
	measure "$name" "$@"
	[ -z "$hints" ] || show "$hints"
	hints=
}

echo "slowdown against native, $threads threads, $stat of $runs interleaved runs"
head_row
for source in "$here"/bench/*.c; do
	name=$(basename "$source" .c)
	[ "$name" = handoff ] && continue
	wanted "$name" "$@" || continue
	omp=
	case $name in omp_*) omp=-fopenmp ;; esac
	cc -O2 -g -pthread $omp -I"$root/include" "$source" -o "$name" -L"$lib" \
		-lheddle-stable-stub -Wl,-rpath,"$lib" || exit 1
	measure "$name" "./$name" "$threads"
done
if [ ! -e input ]; then
	for ((i = 0; i < 6; i++)); do cat "$heddle" "$lib"/*.so "$here"/bench/*.c; done | head -c 24000000 >input
fi
wanted pigz "$@" && real pigz pigz -p "$threads" -c -k input
wanted pbzip2 "$@" && real pbzip2 pbzip2 -p"$threads" -c -k input
if wanted unpbzip2 "$@"; then
	command -v pbzip2 >/dev/null && pbzip2 -k -f input
	real unpbzip2 pbzip2 -p"$threads" -d -c -k input.bz2
fi
wanted xz "$@" && real xz xz "-T$threads" -1 --block-size=2MiB -c -k input
sum_rows
if wanted servers "$@"; then
	echo
	"$here/servers.sh" bench || failed=1
fi
exit $failed
