#!/bin/bash
# The programs of the literature (bench/*.c): how often they fail, after how many attempts their failures
# are made again from partial logs, and what recording costs.  Options are in bench.py; OUT is where logs
# and figures stay, so that it can be done in steps.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
need "$heddle" "$bin/heddle-cc"
export OUT=${OUT:-$TEST_TMP/coop-bench} HEDDLE_BIN=$bin
export XDG_CACHE_HOME=$OUT/derived
unset NUDGE
python3 "$here/bench.py" "$@"
