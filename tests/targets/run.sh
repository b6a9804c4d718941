#!/bin/bash
# Small programs with a known answer.  buggy/: the failure the head comment expects is found by
# random schedules, and its bundle replays every time on every engine.  correct/: clean, under every
# memory model.  See docs/howto/add-a-test.md for the head comment.
#
# TARGET_OPTIONS adds options to heddle check; arguments choose programs (buggy/double_free.c …).
set -u
. "$(dirname "$0")/../lib.sh"
plan 380
here=$root/tests/targets
long=${TEST_LONG-}
times=$([ -n "$long" ] && echo 1000 || echo 20)

field() { sed -nE "s/^ \* $1: *//p" "$file"; }

build()
{
	local compiler=heddle-cc

	case $file in *.cc) compiler=heddle-c++ ;; esac
	# shellcheck disable=SC2046
	"$bin/$compiler" -O1 -g -pthread $(field flags) -o "$program" "$file" >"$work/log" 2>&1
}

# check MODEL RUNS: heddle's exit status; the JSON report is in $work/json.
check()
{
	# shellcheck disable=SC2046
	timeout 300 "$heddle" check --model="$1" --runs="$2" --seed=1 --json -o "$work/out" \
		$(field options) ${TARGET_OPTIONS-} "$program" >"$work/json" 2>"$work/log"
}

said() { jq -r '.text' "$work/json" 2>/dev/null || cat "$work/json"; cat "$work/log"; }

test_buggy()
{
	local model runs kind engine bundle

	model=$(field model)
	runs=$(field runs)
	check "${model:-sc}" "${runs:-20000}"
	kind=$(jq -r '.findings[0].kind' "$work/json" 2>/dev/null)
	if ! grep -qw -- "${kind:-none}" <<<"$(field expect)"; then
		echo "    expected $(field expect), got ${kind:-nothing}"
		said | show
		not_ok "$name is found"
		return
	fi
	ok "$name is found"
	bundle=$(jq -r '.findings[0].bundle' "$work/json")
	for engine in reset fork threads; do
		timeout 600 "$heddle" replay --times="$times" --engine=$engine "$bundle" \
			>"$work/log" 2>&1 </dev/null
		status=$?
		if [ $status -ne 1 ] || ! grep -q "$times of $times identical" "$work/log"; then
			echo "    status $status"
			tail -n 15 "$work/log" | show
			not_ok "$name replays on $engine"
		else
			ok "$name replays on $engine"
		fi
	done
}

# How many schedules for a correct program: all 10,000, unless the short form has no time for them
# (opaque code in every run costs a millisecond); then 1,000.
enough_runs()
{
	if [ -n "$long" ]; then
		echo 10000
	elif jq -e '.seconds < 0.3' "$work/json" >/dev/null; then
		[ "$1" = sc ] && echo 10000 || echo 2000
	else
		echo 1000
	fi
}

test_correct()
{
	local model runs

	for model in $(field model | grep . || echo sc tso pso); do
		runs=1000
		check "$model" $runs
		status=$?
		if [ $status -eq 0 ]; then
			runs=$(enough_runs "$model")
			[ "$runs" -eq 1000 ] || check "$model" "$runs"
			status=$?
		fi
		if [ $status -eq 0 ] && jq -e '.runs == '"$runs"' and .step_limits == 0' \
			"$work/json" >/dev/null; then
			ok "$name is clean under $model in $runs schedules"
		else
			echo "    status $status"
			said | show
			not_ok "$name is clean under $model"
		fi
	done
}

test_one()
{
	file=$here/$1
	name=${1%.*}
	work=$TEST_TMP/$1
	program=$work/prog
	mkdir -p "$work"
	if ! build; then
		show "$work/log"
		not_ok "$name builds"
	else
		case $1 in buggy/*) test_buggy ;; *) test_correct ;; esac
	fi
	rm -rf "$work"
}

if [ "${1-}" = --one ]; then
	test_one "$2" >"$TEST_TMP/$$.out" 2>&1
	cat "$TEST_TMP/$$.out"
	exit 0
fi
cd "$here" || exit 3
[ $# -gt 0 ] || set -- buggy/*.c buggy/*.cc correct/*.c correct/*.cc
children "$root/tests/targets/run.sh" "$@"
! grep -q '^not ok' "$TEST_TMP/results"
