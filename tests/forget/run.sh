#!/bin/bash
# Lies about the outside: rows of the table of library functions are taken away, and the programs of
# tests/truth asked again.  Answers may become inconclusive, never wrong.
#
# Short form: for each program one of the functions it calls, another one with every commit.
# TEST_LONG=1: each of them, one at a time.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 24
programs=$root/tests/truth/programs
table=$root/src/wire/outside.def
turn=$((16#$(git -C "$root" rev-parse HEAD 2>/dev/null | cut -c1-6 || echo 0)))
cd "$TEST_TMP" || exit 3

field() { sed -n "s/^ \* $1: *//p" "$2" | head -n 1; }

# Functions of the table with effects that the program names.
called()
{
	grep -oE '\b[a-z_][a-z0-9_]*\(' "$1" | tr -d '(' | sort -u |
		grep -Fxf <(sed -nE 's/^X\(([a-z0-9_]+), "[^"@]+"\)/\1/p' "$table")
}

for file in "$programs"/{string,sort,state,print,clock,random,copy}_*.c; do
	mapfile -t names < <(called "$file")
	[ ${#names[@]} -eq 0 ] && continue
	[ -n "${TEST_LONG-}" ] || names=("${names[$((turn % ${#names[@]}))]}")
	want=$(field expect "$file")
	for name in "${names[@]}"; do
		HEDDLE_FORGET=$name "$heddle" cc -g -O1 -pthread -o prog "$file" 2>log || { not_ok "$file"; continue; }
		eval "timeout 60 $heddle check -q --time=20 --algorithm=learn $(field options "$file") ./prog" >log 2>&1
		got=$?
		[ "$got" -eq "$want" ] || [ "$got" -eq 4 ] || show log
		{ [ "$got" -eq "$want" ] || [ "$got" -eq 4 ]; }
		report "$(basename "$file") without $name" $?
	done
done
exit $failed
