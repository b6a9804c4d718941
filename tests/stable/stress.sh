#!/bin/bash
# Random programs over all primitives: the same schedule log every time.
#
# Usage: stress.sh [SECONDS [SEED]]; 20 seconds, and seed 1 to begin with.  TEST_LOAD=1 keeps the
# processors busy meanwhile.  Each seed is a program, a number of threads and a policy; it runs
# without delays, with short and with long ones, and the output, the hash and the whole log, stacks
# included, must be the same.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
lib=$TEST_BUILD/lib/heddle
heddle=${HEDDLE:-$heddle}
seconds=${1:-20} seed=${2:-1} first_seed=${2:-1} bad=0 operations=0 load=
need "$heddle" "$lib/libheddle-stable.so"
cd "$TEST_TMP" || exit 1
"${CC:-cc}" -O1 -g -pthread -I"$root/include" "$here/stress/stress.c" -o stress \
	-L"$lib" -lheddle-stable-stub -Wl,-rpath,"$lib" || exit 1

# run DELAY COMMAND...: one run; its output, hash and log, as text, in the file run.DELAY.
run()
{
	local delay=$1 status
	shift
	timeout 60 "$heddle" stable -q --policy="$policy" --delay="$delay" $sections --hash-all \
		--log=run.log "$@" >"run.$delay" 2>run.err
	status=$?
	sed -n 's/.*schedule hash/hash/p' run.err >>"run.$delay"
	"$heddle" stable show run.log >>"run.$delay"
	[ $status -eq 0 ] && return 0
	echo "    exit status $status"
	show run.err
	return 1
}

# program COMMAND...: all runs of one program.
program()
{
	local delay
	run 0 "$@" || return 1
	for delay in 20 200; do
		run $delay "$@" || return 1
		cmp -s run.0 run.$delay && continue
		diff run.0 run.$delay | head -10 | show
		return 1
	done
}

if [ -n "${TEST_LOAD-}" ]; then
	while :; do :; done &
	load=$!
fi
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
	policies=(rr local batch fence)
	policy=${policies[seed % 4]}
	# The baseline has no sections with a deterministic end.
	[ "$policy" = fence ] && sections=--off=pcs || sections=--pcs-exit=det
	set -- ./stress $seed $((1 + seed % 9)) $((1 + seed / 9 % 4)) $((5 + seed % 23))
	if ! program "$@"; then
		echo "    heddle stable --policy=$policy $sections --hash-all $*"
		bad=1
		break
	fi
	set -- $(sed -n 's/.*(\([0-9]*\) operations).*/\1/p' run.err)
	operations=$((operations + ${1:-0}))
	seed=$((seed + 1))
done
[ -z "$load" ] || { kill "$load"; wait "$load" 2>/dev/null; }
echo "    $((seed - first_seed)) programs, $operations operations, three runs each"
[ $seed -gt $first_seed ] || bad=1
report stress_same_log_every_time $bad
exit $failed
