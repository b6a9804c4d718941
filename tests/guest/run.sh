#!/bin/bash
# Programs that check the results of every interposed function and print EXIT-SUCCESS.  Each is run
# bare, recorded once under control and replayed, and then run under many schedules on each engine
# and under each memory model.  A program that an engine cannot host says so in a head comment line
# " * not on: reset".
#
# Arguments choose programs (mutex.c …).  TEST_LONG=1: more schedules.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 181
here=$root/tests/guest
runs=$([ -n "${TEST_LONG-}" ] && echo 10000 || echo 100)

build()
{
	local compiler=heddle-cc standard=gnu11

	case $file in *.cc) compiler=heddle-c++ standard=gnu++20 ;; esac
	"$bin/$compiler" -O1 -g -std=$standard -D_GNU_SOURCE -pthread -o "$program" "$file" \
		>"$work/log" 2>&1
}

# succeeds WHAT COMMAND...: it ends with status 0 and its output has the word.
succeeds()
{
	local what=$1 status

	shift
	timeout 120 "$@" >"$work/log" 2>&1 </dev/null
	status=$?
	if [ $status -eq 0 ] && grep -q EXIT-SUCCESS "$work/log"; then
		ok "$name $what"
	else
		echo "    status $status"
		tail -n 15 "$work/log" | show
		not_ok "$name $what"
	fi
}

# clean WHAT OPTIONS...: no schedule ends otherwise than with status 0.
clean()
{
	local what=$1 status

	shift
	timeout 300 "$heddle" check --exit-code --runs=$runs -o "$work/out" "$@" "$program" \
		>"$work/log" 2>&1 </dev/null
	status=$?
	[ $status -eq 0 ] || { echo "    status $status"; head -n 40 "$work/log" | show; }
	report "$name $what" $status
}

test_program()
{
	local recording engine model

	if ! build; then
		show "$work/log"
		not_ok "$name builds"
		return
	fi
	succeeds "runs bare" "$program"
	succeeds "is recorded" "$heddle" run -o "$work/out" "$program"
	recording=$(ls -d "$work"/out/*.heddle 2>/dev/null | head -n 1)
	timeout 120 "$heddle" replay --times=3 "$recording" >"$work/log" 2>&1 </dev/null
	grep -q "3 of 3 identical" "$work/log" || { tail -n 15 "$work/log" | show; false; }
	report "$name is replayed" $?
	for engine in reset fork threads; do
		grep -q "^ \* not on:.*$engine" "$file" || clean "is clean on $engine" --engine=$engine
	done
	for model in tso pso; do
		clean "is clean under $model" --model=$model
	done
}

[ $# -gt 0 ] || set -- $(cd "$here" && ls ./*.c ./*.cc)
for each in "$@"; do
	file=$here/${each#./}
	name=$(basename "$file")
	work=$TEST_TMP/$name
	program=$work/${name%.*}
	mkdir -p "$work"
	test_program
done
exit $failed
