#!/bin/bash
# How large the searches of heddle check --stable are: bench.sh PROGRAM[,ARGUMENT...]...
#
# Without programs: those of this suite that do not fail.  Orders without reduction are estimated by
# random executions; executions are those of the search, estimated when it did not end (~); sections are
# the executions of its quick part, 0 when that did not end.  TIME=SECONDS for each, 60 by default.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
lib=$TEST_BUILD/lib/heddle
need "$heddle" "$lib/libheddle-stable.so"
if [ $# -eq 0 ]; then
	for name in plain sections handover objects; do
		"${CC:-cc}" -O1 -g -pthread -I"$here/../../include" "$here/programs/$name.c" \
			-o "$TEST_TMP/$name" -L"$lib" -lheddle-stable-stub -Wl,-rpath,"$lib" || exit 3
	done
	set -- "$TEST_TMP/plain" "$TEST_TMP/sections,2,1" "$TEST_TMP/sections,2,2" \
		"$TEST_TMP/sections,2,3" "$TEST_TMP/sections,3,1" "$TEST_TMP/handover" "$TEST_TMP/objects"
fi

value() { sed -n "s/^ *\"$1\": \(.*[^,]\),*$/\1/p" "$TEST_TMP/json" | head -n 1 | tr -d '"'; }
# power LOG: 10^LOG as a number, or as mantissa and exponent.
power()
{
	awk -v l="$1" 'BEGIN {
		if (l == "null" || l == "") { print "?"; exit }
		e = int(l); if (l < 6) printf "%.0f\n", 10 ^ l; else printf "%.2fe%d\n", 10 ^ (l - e), e }'
}

printf '%-24s %10s %12s %12s %9s %9s %8s  %s\n' program operations "all orders" executions sections \
	schedules seconds verdict
for each; do
	IFS=, read -ra words <<<"$each"
	"$heddle" check --stable -q --json --time="${TIME:-60}" -o "$TEST_TMP/out" "${words[@]}" \
		>"$TEST_TMP/json" 2>/dev/null
	about=
	[ "$(value complete)" = true ] || about='~'
	printf '%-24s %10s %12s %12s %9s %9s %8.2f  %s\n' "$(basename "$each")" "$(value operations)" \
		"$(power "$(value knuth)")" "$about$(power "$(value weighted)")" \
		"$(value returning_at_once)" "$(value schedules)" "$(value seconds)" "$(value verdict)"
done
