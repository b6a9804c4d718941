#!/bin/bash
# Golden tests: tests/golden/COMMAND/CASE holds
#
#   cmd           shell commands, run by bash in an empty directory with heddle in PATH
#   expected.out  what they print on both streams, and "exit N" as the last line
#   filter        optional sed script that blanks what may differ (paths, numbers of processes)
#
# cmd sees $data (tests/data), $prog (an instrumented program, when the compiler works) and $clean.
# A case whose cmd prints "SKIP reason" first and exits 77 is skipped.  UPDATE=1 writes expected.out.
#
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 64 exactly
export data=$root/tests/data
export prog=$TEST_TMP/prog/racy
export PATH=$bin:$PATH LC_ALL=C
unset HEDDLE_LOG NO_COLOR

# One program for all cases; without a compiler the cases that need it say so.
mkdir -p "$TEST_TMP/prog"
cp "$here/racy.c" "$TEST_TMP/prog/"
(cd "$TEST_TMP/prog" && heddle cc -g -O1 -o racy racy.c -pthread >cc.log 2>&1) || rm -f "$prog"

run_case()
{
	local dir=$1 name=$2 out work status
	work=$TEST_TMP/$name
	mkdir -p "$work"
	out=$TEST_TMP/out
	(cd "$work" && bash "$dir/cmd" </dev/null >"$out" 2>&1; echo "exit $?" >>"$out")
	if [ "$(tail -n 1 "$out")" = "exit 77" ]; then
		skip "$name" "$(sed -n 's/^SKIP //p' "$out" | head -n 1)"
		return
	fi
	sed -i -e "s|$TEST_TMP|TMP|g" -e "s|$TEST_BUILD|BUILD|g" -e "s|$root|ROOT|g" "$out"
	[ -f "$dir/filter" ] && sed -i -E -f "$dir/filter" "$out"
	[ -n "${UPDATE-}" ] && cp "$out" "$dir/expected.out"
	diff -u "$dir/expected.out" "$out" >"$out.diff"
	status=$?
	[ $status -ne 0 ] && show "$out.diff"
	report "$name" $status
	# A case must not leave half-written recordings behind.
	if find "$work" -name '*.incomplete-*' | grep -q .; then
		not_ok "$name/left-overs"
	fi
}

for dir in "$here"/*/*/; do
	[ -f "$dir/cmd" ] || continue
	name=$(basename "$(dirname "$dir")")/$(basename "$dir")
	if [ $# -gt 0 ] && [[ ! $name == $1 ]]; then
		continue
	fi
	run_case "${dir%/}" "$name"
done
exit $failed
