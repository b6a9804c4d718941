#!/bin/bash
# heddle analyze: what may go wrong is listed, what cannot is not, what is not understood is named;
# races that executions show are never missing, neither in programs of other suites nor in random ones
# (generate.py); what is in no slice decides nothing (slices.py).
#
# The head of a program says what is expected, "analyze: none", "analyze: race VARIABLE N" (at least
# one pair about the variable, or N of them), "analyze: deadlock", "analyze: opaque NAME".
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 115
need "$bin/heddle-analyze"
work=$TEST_TMP/analyze
mkdir -p "$work"
cd "$work" || exit 3

# analyze ARGUMENTS…: status in $status, the object in out.json.
analyze()
{
	timeout 60 "$heddle" analyze --json "$@" >out.json 2>err </dev/null
	status=$?
}
field() { jq -r "$1" out.json 2>/dev/null; }

. "$here/part-programs.sh"
. "$here/part-contract.sh"
. "$here/part-schedule.sh"
. "$here/part-slice.sh"
. "$here/part-shown.sh"
exit $failed
