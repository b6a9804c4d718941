#!/bin/bash
# Every run begins where the first one did, on every engine.
#
# state.c has each kind of state a process has: input and its offset, streams, descriptors, signals,
# environment, mappings and so on.  The engine fork, whose runs are processes of their own, shows
# what is right; the reset engine has to put everything back or to say that it cannot, and then the
# command goes on with fork by itself.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 40
here=$(cd "$(dirname "$0")" && pwd)
work=$TEST_TMP/restored
mkdir -p "$work"
cd "$work" || exit 3
printf 'alpha\nbeta 42\n' >input
printf 'one\ntwo\n' >data
if ! "$bin/heddle-cc" -g -O1 -pthread -o state "$here/state.c" >log 2>&1; then
	show log
	not_ok "state.c builds"
	exit 1
fi

# runs ENGINE KIND OPTION...: many drawn schedules; the exit code is left in $code.
runs()
{
	local engine=$1 kind=$2
	shift 2
	timeout 60 "$heddle" check -q --engine="$engine" --runs=24 --races=off --json \
		--stdin=input -o out "$@" ./state "$kind" >report.json 2>log
	code=$?
}

undone() { jq -e '.text | test("cannot undo")' report.json >/dev/null; }

./state >kinds
for kind in $(cat kinds); do
	bad=0
	for engine in fork threads auto; do
		runs $engine "$kind"
		[ $code -eq 0 ] || { echo "    $engine: exit code $code"; jq -r .text report.json | show; bad=1; }
	done
	runs reset "$kind"
	how="comes back"
	if [ $code -eq 4 ] && undone; then
		how="makes the engine step down"
	elif [ $code -ne 0 ]; then
		echo "    reset: exit code $code"
		jq -r .text report.json | show
		bad=1
	fi
	report "$kind $how" $bad
done

# Two guests read the same input at the same time.
runs auto input_read --jobs=2
report "guests side by side have an offset each" $code

# What comes through a pipe is kept and read anew by every run; without being asked for it is not.
timeout 60 "$heddle" check -q --runs=24 --stdin=- -o out ./state input_read <input >log 2>&1
report "a file on standard input is read in every run" $?
printf 'alpha\nbeta 42\n' | timeout 60 "$heddle" check -q --runs=24 --stdin=- -o out ./state input_fgets >log 2>&1
report "a pipe on standard input is read in every run" $?
mkfifo pipe
printf 'alpha\nbeta 42\n' >pipe &
timeout 60 "$heddle" check -q --runs=24 --stdin=pipe -o out ./state input_getline >log 2>&1
report "a named pipe is read in every run" $?
timeout 60 "$heddle" check -q --runs=2 --stdin=/dev/zero -o out ./state input_read >log 2>&1
[ $? -eq 3 ] && grep -q 'has more than' log
report "input without an end is an error" $?
exit $failed
