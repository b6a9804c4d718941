#!/bin/bash
# heddle coop: orders of accesses are recorded natively, logs are put together, and what comes out is a
# bundle that fails again every time.
#
# The programs fail natively for sure when NUDGE is set (programs/nudge.h): nothing here depends on what
# real threads happen to do.  Under control they run without it.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 100
need "$heddle" "$bin/heddle-deps" "$bin/heddle-cc"
work=$TEST_TMP/coop
mkdir -p "$work"
cd "$work" || exit 3
export XDG_CACHE_HOME=$work/derived
unset NUDGE

# build NAME: the program, and a profile of all its elements.
build()
{
	"$bin/heddle-cc" -O1 -g "$here/programs/$1.c" -o "$1" >log 2>&1 &&
		"$heddle" coop profile --percent=100 "./$1" >"$1.profile" 2>>log ||
		{ show log; not_ok "$1: builds"; return 1; }
}

# record NAME [NUDGE]: one failing run; its exit status in $status.
record()
{
	NUDGE=${2-1} timeout 60 "$heddle" record --hang=500ms --partial="$1.profile" -o "logs-$1" \
		"./$1" >record.log 2>&1 </dev/null
	status=$?
}

# merge ARGUMENTS…: status in $status, the object in out.json.
merge()
{
	timeout 120 "$heddle" coop merge --json -q -o out "$@" >out.json 2>err </dev/null
	status=$?
}
# verdict NAME STATUS FILE…: a result, and the files when it is bad.
verdict()
{
	report "$1" "$2"
	[ "$2" -eq 0 ] || show "${@:3}"
}
field() { jq -r "$1" out.json 2>/dev/null; }

# COOP_PARTS: only these, for mutants.
for part in ${COOP_PARTS:-programs contract logs cxx blocks}; do
	. "$here/part-$part.sh"
done
exit $failed
