#!/bin/bash
# How many instructions a second the machine of src/symex executes when all is concrete (time of the
# processor, not of the wall).  Prints one line; not a test.
set -u
. "$(dirname "$0")/run.sh" --functions
build_follow
"$bin/heddle-cc" -O1 -g -o "$TEST_TMP/bench" "$root/tests/symex/bench.c" || exit 3
"$heddle" run -q -o "$TEST_TMP/bench.heddle" "$TEST_TMP/bench" 2>/dev/null </dev/null
"$TEST_TMP/follow" "$TEST_TMP/bench.heddle"
