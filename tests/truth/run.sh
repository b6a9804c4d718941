#!/bin/bash
# heddle check never says "all behaviours" where it has not seen all.
#
# Every program under programs/ says in its head what the exhaustive search (no drawn schedules
# before it) has to answer, and, when the answer is not a proof, what has to be named:
#
#   expect: 0 | 1 | 4          exit code
#   match: REGEX               some line of the output has it (extended; may be repeated)
#   options: …                 of heddle check
#   cc: …                      of heddle cc
#   stdin: TEXT                standard input
#   drawn                      the default command is run too and must answer the same
#
# A program that ends in 0 must also run by itself and end with 0.
#
# stores.c and loads.c call one library function each time, named on the command line: right with a
# lock, wrong without.  In orders.c one of two orders under the lock is wrong.
#
# The programs that other checkers refuse (../check/bench/refused) must be searched to the end or to
# their failures, too.
#
# TRUTH_ONLY=TEXT: only programs and functions with that text in their names.
set -u
. "$(dirname "$0")/../lib.sh"
plan 765
here=$(cd "$(dirname "$0")" && pwd)
only=${TRUTH_ONLY-}

field() { sed -n "s/^ \* $1: *//p" "$2" | head -n 1; }

# check PROGRAM-FILE BINARY LOG OPTION...: the answer as demanded?
answer()
{
	local file=$1 prog=$2 log=$3 want got re
	shift 3
	want=$(field expect "$file")
	(cd "$dir" && eval "timeout -k 5 90 $heddle check -q --time=40 $* -o $dir/out $prog" \
		<"$dir/input" >"$log" 2>&1)
	got=$?
	if [ "$got" -ne "$want" ]; then
		echo "    exit code $got, expected $want" >>"$log"
		return 1
	fi
	while read -r re; do
		grep -Eq -- "$re" "$log" || { echo "    no line has: $re" >>"$log"; return 1; }
	done < <(sed -n 's/^ \* match: *//p' "$file")
}

# one_program FILE
one_program()
{
	local file=$1 name dir driver status
	name=$(basename "$file")
	dir=$TEST_TMP/$name
	mkdir -p "$dir"
	field stdin "$file" >"$dir/input"
	case $name in *.cc) driver="$heddle c++ -std=c++20" ;; *) driver="$heddle cc" ;; esac
	if ! eval "$driver -g -O1 -pthread $(field cc "$file") -o $dir/prog $file" >"$dir/log" 2>&1; then
		show "$dir/log"
		not_ok "$name builds"
		return
	fi
	if [ "$(field expect "$file")" = 0 ] &&
		! (cd "$dir" && timeout 20 ./prog <input >log 2>&1); then
		show "$dir/log"
		not_ok "$name runs by itself"
		return
	fi
	answer "$file" "$dir/prog" "$dir/log" --algorithm=learn "$(field options "$file")"
	status=$?
	[ $status -ne 0 ] && show "$dir/log"
	report "$name" $status
	if grep -q '^ \* drawn$' "$file"; then
		answer "$file" "$dir/prog" "$dir/log" "$(field options "$file")"
		status=$?
		[ $status -ne 0 ] && show "$dir/log"
		report "$name drawn" $status
	fi
	rm -rf "$dir"
}

# one_function PROGRAM NAME: 0 with the lock, a failure or inconclusive without.
one_function()
{
	local prog=$1 name=$2 dir status
	dir=$TEST_TMP/$(basename "$prog")-$name.dir
	mkdir -p "$dir" && cd "$dir" || return
	timeout -k 5 90 "$heddle" check -q --time=40 --algorithm=learn "$prog" "$name" >log 2>&1
	status=$?
	[ $status -eq 0 ] || show log
	report "$(basename "$prog") $name" $status
	timeout -k 5 90 "$heddle" check -q --time=40 --algorithm=learn "$prog" "$name" unlocked >log 2>&1
	status=$?
	[ $status -eq 1 ] || [ $status -eq 4 ] || show log
	{ [ $status -eq 1 ] || [ $status -eq 4 ]; }
	report "$(basename "$prog") $name unlocked" $?
	rm -rf "$dir"
}

# one_order PROGRAM NAME: a failure or inconclusive, whichever thread comes first.
one_order()
{
	local prog=$1 name=$2 how dir status
	dir=$TEST_TMP/$(basename "$prog")-$name.dir
	mkdir -p "$dir" && cd "$dir" || return
	for how in '' swapped; do
		timeout -k 5 90 "$heddle" check -q --time=40 --algorithm=learn "$prog" "$name" $how >log 2>&1
		status=$?
		[ $status -eq 1 ] || [ $status -eq 4 ] || show log
		{ [ $status -eq 1 ] || [ $status -eq 4 ]; }
		report "$(basename "$prog") $name${how:+ $how}" $?
	done
	rm -rf "$dir"
}

# one_refused FILE: "expect: clean" in its head, or a failure.
one_refused()
{
	local file=$1 name dir driver want=1 status
	name=$(basename "$file")
	dir=$TEST_TMP/refused-$name
	mkdir -p "$dir"
	case $name in *.cc) driver="c++ -std=c++20" ;; *) driver=cc ;; esac
	[ "$(field expect "$file")" = clean ] && want=0
	"$heddle" $driver -g -O1 -pthread -o "$dir/prog" "$file" >"$dir/log" 2>&1 &&
		(cd "$dir" && timeout -k 5 90 "$heddle" check -q --time=60 --algorithm=learn ./prog >log 2>&1)
	status=$?
	[ $status -eq $want ] || show "$dir/log"
	[ $status -eq $want ]
	report "refused/$name" $?
	rm -rf "$dir"
}

case ${1-} in
--refused)
	one_refused "$2"
	exit $failed
	;;
--program)
	one_program "$2"
	exit $failed
	;;
--function)
	one_function "$2" "$3"
	exit $failed
	;;
--order)
	one_order "$2" "$3"
	exit $failed
	;;
esac

# What is to be done, one line each, for as many at a time as there are processors.
jobs_of_programs()
{
	for file in "$here"/programs/*.c "$here"/programs/*.cc; do
		case $(basename "$file") in *"$only"*) echo "--program $file" ;; esac
	done
}

jobs_of_refused()
{
	for file in "$root"/tests/check/bench/refused/*.c*; do
		case refused-$(basename "$file") in *"$only"*) echo "--refused $file" ;; esac
	done
}

jobs_of_functions()
{
	local prog name what
	for prog in stores loads orders; do
		what=--function
		[ $prog = orders ] && what=--order
		if ! "$heddle" cc -g -O1 -w -pthread -o "$TEST_TMP/$prog" "$here/$prog.c" -lm; then
			echo "$what $TEST_TMP/$prog build"
			continue
		fi
		for name in $("$TEST_TMP/$prog"); do
			case $prog-$name in *"$only"*) echo "$what $TEST_TMP/$prog $name" ;; esac
		done
	done
}

{ jobs_of_programs; jobs_of_refused; jobs_of_functions; } | xargs -P "$(nproc)" -L 1 "$0" || failed=1
exit $failed
