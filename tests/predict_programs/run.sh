#!/bin/bash
# heddle predict on programs: benchmark rows whose figures are known, annotated blocks, and kernels
# of our own; every feasible answer about them is also run.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 146
here=$(cd "$(dirname "$0")" && pwd)
programs=$root/tests/predict/programs
tmp=$TEST_TMP

need "$bin/heddle-cc"
if ! command -v python3 >/dev/null; then
	echo "skip predict_programs python3 is not installed"
	exit 77
fi
export PYTHONDONTWRITEBYTECODE=1

# take COMMAND...: its result lines are ours.
take()
{
	"$@" >"$tmp/results" 2>&1 || failed=1
	cat "$tmp/results"
	grep -q '^not ok' "$tmp/results" && failed=1
}

mkdir "$tmp/rows" "$tmp/own" "$tmp/fuzz" "$tmp/parts"
take python3 "$here/rows.py" "$heddle" "$tmp/rows" "$programs"/rows/*.c
take python3 "$here/own.py" "$heddle" "$tmp/own" "$programs"/own/*.c
take python3 "$here/parts.py" "$heddle" "$tmp/parts" "$programs"/parts/*
take python3 "$here/fuzz.py" "$heddle" "$tmp/fuzz" "$([ -n "${TEST_LONG-}" ] && echo 3000 || echo 60)"
take "$here/atomic.sh"
# The suite "predict" looks at one run of every target; here it is many, in both sound models.
if [ -n "${TEST_LONG-}" ]; then
	mkdir "$tmp/targets"
	for model in cdsr branch; do
		take python3 "$here/targets.py" --seeds=10 --model=$model "$heddle" "$tmp/targets" \
			"$root"/tests/targets/{buggy,correct}/*.{c,cc}
	done
fi
exit $failed
