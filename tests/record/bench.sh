#!/bin/bash
# What recording costs: processor time against the same program built by clang -O2, the least of
# interleaved runs, as a ratio.  Starting a recorded program has a price of its own, once per run: it is
# measured with a program that does nothing, printed, and not in the ratios.
#
#   idle    the record flavour, not recorded: the floor
#   bits    recorded, only what needs it
#   all     recorded, every point (--mark=all)
#   paths   recorded, numbers of paths (Ball and Larus)
#
# Usage: bench.sh [program...]; RUNS=5, THREADS=number of processors.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
cd "$TEST_TMP" || exit 3
runs=${RUNS:-5}
threads=${THREADS:-$(nproc)}
lib=$TEST_BUILD/lib/heddle

# cpu COMMAND...: milliseconds of processor time, of everything it starts too.
cpu()
{
	local TIMEFORMAT='%U %S'
	{ time "$@" >/dev/null 2>&1; } 2>time.out
	awk '{ printf "%d\n", ($1 + $2) * 1000 + 0.5 }' time.out
}

least() { [ "$1" = - ] || [ "$2" -lt "$1" ] && echo "$2" || echo "$1"; }

measure()
{
	local name=$1 a=- b=- c=- d=- p=- bits
	rm -rf bench.rec
	for ((i = 0; i < runs; i++)); do
		a=$(least $a $(cpu ./$name.plain $threads))
		b=$(least $b $(cpu ./$name.bits $threads))
		c=$(least $c $(cpu "$heddle" record --inputs=off -o bench.rec ./$name.bits $threads))
		d=$(least $d $(cpu "$heddle" record --inputs=off -o bench.rec ./$name.all $threads))
		p=$(least $p $(cpu "$heddle" record --backend=paths --inputs=off -o bench.rec ./$name.paths $threads))
	done
	"$heddle" record --inputs=off --keep=all -q -o bench.rec ./$name.bits $threads >/dev/null 2>&1
	bits=$("$heddle" info --json bench.rec | jq '[.threads[].bits] | add')
	printf '%-16s %8d %8.2f %8.2f %8.2f %8.2f %10.2f\n' "$name" "$a" "$(ratio $b $a)" "$(ratio $((c - start)) $a)" \
		"$(ratio $((d - start)) $a)" "$(ratio $((p - start)) $a)" "$(ratio $((bits / 8000)) $c)" | tee -a rows
}

# What is spent before and after a program that does nothing, in $start.
measure_start()
{
	echo 'int main(void) { return 0; }' >nothing.c
	build_one nothing nothing.c 2>log || { show log; exit 1; }
	local a=- b=-
	for ((i = 0; i < runs + 4; i++)); do
		a=$(least $a $(cpu ./nothing.plain))
		b=$(least $b $(cpu "$heddle" record --inputs=off -o bench.rec ./nothing.bits))
	done
	start=$((b > a ? b - a : 0))
	echo "starting a recorded program: $start ms"
}

ratio() { awk -v x="$1" -v y="$2" 'BEGIN { print y ? x / y : 0 }'; }

build_one()
{
	local name=$1 source=$2 cc=cc plain=clang-19 more
	shift 2
	[ "${source##*.}" = c ] || { cc=c++; plain=clang++-19; }
	$plain -O2 -pthread "$source" -o "$name.plain" "$@" -lm &&
		"$heddle" $cc --flavor=record -O2 -pthread "$source" -o "$name.bits" "$@" -lm &&
		"$heddle" $cc --flavor=record --mark=all -O2 -pthread "$source" -o "$name.all" "$@" -lm &&
		"$heddle" $cc --flavor=paths -O2 -pthread "$source" -o "$name.paths" "$@" -lm
}

wanted() { local n=$1 w; shift; [ $# -eq 0 ] && return; for w; do [ "$w" = "$n" ] && return; done; return 1; }

echo "processor time against clang -O2, $threads threads, least of $runs interleaved runs"
measure_start
printf '%-16s %8s %8s %8s %8s %8s %10s\n' program ms idle bits all paths 'MB/s'
for source in "$here"/kernels/* "$root"/tests/stable/bench/*.c; do
	name=$(basename "${source%.*}")
	case $name in omp_*|handoff) continue ;; esac
	wanted "$name" "$@" || continue
	build_one "$name" "$source" -I"$root/include" -L"$lib" -lheddle-stable-stub -Wl,-rpath,"$lib" 2>log ||
		{ show log; continue; }
	measure "$name"
done
awk '{ for (i = 3; i <= 6; i++) { s[i] += log($i > 0 ? $i : 1); if ($i > w[i]) w[i] = $i } n++ }
	END { if (n) { printf "%-16s %8s", "geometric mean", ""; for (i = 3; i <= 6; i++) printf " %8.2f", exp(s[i] / n)
		printf "\n%-16s %8s", "worst", ""; for (i = 3; i <= 6; i++) printf " %8.2f", w[i]; print "" } }' rows
