#!/bin/bash
# Exploration against an exhaustive oracle on small programs (mini/): the published and measured
# numbers program by program, then random programs under SC, TSO and PSO.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 621 exactly
here=$root/tests/explore

build()
{
	${CC:-gcc} -std=gnu11 -O2 -g -Wall -Wextra -Wno-unused-parameter -Werror -D_GNU_SOURCE \
		-I"$root/src" -I"$here" -I"$here/mini" -o "$TEST_TMP/$1" "$here/$1.c" "$here"/mini/*.c \
		-L"$TEST_BUILD/src" -lroom_explore -lroom_solve -lroom_base -lz3 2>"$TEST_TMP/log" ||
		{ show "$TEST_TMP/log"; not_ok "$1 builds"; exit 1; }
}

# random NAME ARGUMENTS: one batch.
random()
{
	local name=$1
	shift
	"$TEST_TMP/random" "$@" >"$TEST_TMP/log"
	local status=$?
	show "$TEST_TMP/log"
	report "random $name" $status
}

# static FILE: the numbers of its head comment for MCR-S and MCR-S+, on the real program.
static()
{
	local file=$1 name flags numbers each mode got

	name=$(basename "$file" .c)
	while IFS='|' read -r flags numbers <&3; do
		# shellcheck disable=SC2086
		"$bin/heddle-cc" -O1 -g -pthread $flags -o "$TEST_TMP/program" "$file" \
			>"$TEST_TMP/log" 2>&1 || { show "$TEST_TMP/log"; not_ok "$name builds"; return; }
		for each in $numbers; do
			mode=$([ "${each%%=*}" = MCR-S ] && echo s || echo s+)
			timeout 60 "$heddle" check --algorithm=classic --static-deps=$mode --all \
				--races=off --json -o "$TEST_TMP/out" "$TEST_TMP/program" \
				>"$TEST_TMP/json" 2>"$TEST_TMP/log" </dev/null
			got=$(sed -nE 's/^  "executions": ([0-9]+),?$/\1/p' "$TEST_TMP/json")
			[ "$got" = "${each#*=}" ] ||
				{ echo "    ${got:-no} executions"; show "$TEST_TMP/log"; false; }
			report "$name $flags takes ${each#*=} executions by ${each%%=*}" $?
		done
	done 3< <(awk '/^ \*\// { exit } /^ \* case:/ { sub(/^ \* case: */, ""); flags = $0 }
		/^ \* static:/ { sub(/^ \* static: */, ""); print flags "|" $0 }' "$file")
}

# An instrumented library has the first sites; those of the program come after them.
static_library()
{
	local got

	echo 'int seen; int look(void) { return seen ? seen : 1; }' >"$TEST_TMP/look.c"
	cat >"$TEST_TMP/uses.c" <<-EOF
	#include <pthread.h>
	int look(void);
	static volatile int x, sum;
	static void *writer(void *p) { x = 1; return p; }
	static void *reader(void *p) { int a = look(); for (int i = 0; i < 3; i++) a += x; sum = a; return p; }
	int main(void)
	{
		pthread_t a, b;
		pthread_create(&a, 0, writer, 0);
		pthread_create(&b, 0, reader, 0);
		pthread_join(a, 0);
		pthread_join(b, 0);
		return 0;
	}
	EOF
	"$bin/heddle-cc" -g -fPIC -shared -o "$TEST_TMP/liblook.so" "$TEST_TMP/look.c" &&
		"$bin/heddle-cc" -g -pthread -o "$TEST_TMP/uses" "$TEST_TMP/uses.c" \
			-L"$TEST_TMP" -llook -Wl,-rpath,"$TEST_TMP" || { not_ok "library builds"; return; }
	got=$(timeout 60 "$heddle" check --algorithm=classic --static-deps=s --all --races=off --json \
		-o "$TEST_TMP/out" "$TEST_TMP/uses" 2>"$TEST_TMP/log" </dev/null |
		sed -nE 's/^  "executions": ([0-9]+),?$/\1/p')
	[ "$got" = 8 ] || { echo "    ${got:-no} executions"; show "$TEST_TMP/log"; false; }
	report "sites of a program with an instrumented library" $?
}

need "$TEST_BUILD/src/libroom_explore.a" "$heddle" "$bin/heddle-cc" "$bin/heddle-deps"
build vectors
build random
build dfs
build dpor
build deps
build switch
"$TEST_TMP/vectors" || failed=1
"$TEST_TMP/dfs" $([ -n "${TEST_LONG-}" ] && echo 1000 || echo 60) || failed=1
"$TEST_TMP/dpor" $([ -n "${TEST_LONG-}" ] && echo 1000 || echo 60) || failed=1
"$TEST_TMP/deps" || failed=1
"$TEST_TMP/switch" $([ -n "${TEST_LONG-}" ] && echo 1000 || echo 100) || failed=1
for file in $(grep -l '^ \* static:' "$root"/tests/check/programs/*.c); do
	static "$file"
done
static_library
times=$([ -n "${TEST_LONG-}" ] && echo 10 || echo 1)
random "reads and writes" 1 $((100 * times)) 4 4 2 0 0
random "longer threads" 2 $((60 * times)) 3 5 3 0 0
random "one lock" 3 $((100 * times)) 4 4 3 1 0
random "atomics on one location" 4 $((300 * times)) 3 2 1 0 1
random "nested locks" 6 $((200 * times)) 3 3 2 2 1
random "two threads, nested locks" 7 $((300 * times)) 2 4 2 2 0
random "atomics and a lock" 5 $((100 * times)) 4 3 2 1 1
random "forks and joins" 8 $((150 * times)) 4 3 2 0 0 1
random "forks, atomics and a lock" 9 $((60 * times)) 4 3 2 1 1 1
exit $failed
