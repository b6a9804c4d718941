#!/bin/bash
# The path executor against real runs: a program runs under control, and the machine of src/symex,
# given the order of its events, must do the same: every event, address, value and branch.  Then the
# path is executed again with shared reads unknown, thread by thread, and what came out, evaluated
# under what the reads really returned, must be the same once more, and every condition true.
#
# Programs: the targets; in the long form also those of the exhaustive search and of the truth
# suite, and more seeds.  What the machine does not know yet is listed in unknown.txt, with the
# reason; a program that follows although it stands there is a failure too, so that the list stays
# true.
set -u
. "$(dirname "$0")/../lib.sh"
plan 106 exactly
here=$root/tests/symex
long=${TEST_LONG-}
seeds=$([ -n "$long" ] && echo 1 2 3 4 5 || echo 1 2)

field() { sed -nE "s/^ \* $1: *//p" "$file"; }

build_follow()
{
	${CC:-gcc} -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE \
		-I"$root/src" -I"$here" -isystem "$(llvm-config-19 --includedir)" -o "$TEST_TMP/follow" \
		"$here/follow.c" "$here/along.c" -L"$TEST_BUILD/src" -lroom_symex -lroom_instr -lroom_ir -lroom_solve \
		-lroom_model -lroom_trace -lroom_base -L"$(llvm-config-19 --libdir)" -lLLVM-19 -lzstd \
		-ljansson -lm -ldl -lstdc++ 2>"$TEST_TMP/log" ||
		{ show "$TEST_TMP/log"; not_ok "follow builds"; exit 1; }
}

# follow_one NAME PROGRAM SEED MODEL: 0 follows, 4 not known, 1 differs.
follow_one()
{
	local dir=$TEST_TMP/$1.$3.$4

	timeout 30 "$heddle" run -q --markers --seed="$3" --model="$4" -o "$dir.heddle" "$2" \
		>"$dir.log" 2>&1 </dev/null
	[ -d "$dir.heddle" ] || return 5
	timeout 60 "$TEST_TMP/follow" "$dir.heddle" >"$dir.out" 2>&1
}

one()
{
	local file=$1 name where program status=0 seed model listed worst=0 compiler
	name=$(basename "$file")
	# A name may stand in two directories.
	where=$(basename "$(dirname "$file")")-$name
	program=$TEST_TMP/$where.prog
	listed=$(grep -c "^$name " "$here/unknown.txt")
	case $file in *.cc) compiler=heddle-c++ ;; *) compiler=heddle-cc ;; esac
	# shellcheck disable=SC2046
	"$bin/$compiler" -O1 -g -pthread -DN=3 -I"$root/include" $(field flags) -o "$program" "$file" \
		>"$program.log" 2>&1 || { show "$program.log"; not_ok "$name builds"; return; }
	model=$(field model)
	for seed in $seeds; do
		follow_one "$where" "$program" "$seed" "${model:-sc}"
		status=$?
		[ $status = 0 ] && continue
		worst=$status
		show "$TEST_TMP/$where.$seed.${model:-sc}.out" | tail -3
	done
	if [ "$listed" -gt 0 ]; then
		[ $worst = 0 ] && not_ok "$name is listed in unknown.txt and follows" ||
			skip "$name" "(not followed: $(sed -n "s/^$name //p" "$here/unknown.txt"))"
		return
	fi
	report "$where is followed event by event" "$worst"
}

[ "${1-}" = --functions ] && return 0
if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need "$heddle" "$bin/heddle-cc" "$TEST_BUILD/src/libroom_symex.a"
build_follow
files=("$root"/tests/targets/*/*.c "$root"/tests/targets/*/*.cc)
[ -n "$long" ] && files+=("$root"/tests/check/programs/*.c)
children "$0" "${files[@]}"
grep -q '^not ok' "$TEST_TMP/results" && exit 1
exit $failed
