#!/bin/bash
# Fuzzes everything that reads input from outside: builds the host rooms with clang's libFuzzer,
# ASan and UBSan, writes seed corpora with our own writer and runs each target for some seconds.
# Usage: tests/fuzz/run.sh [SECONDS per target]; 3 by default, 60 with TEST_LONG.
# FUZZ_CORPUS=DIR keeps what was learned in DIR and goes on from there.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 18
seconds=${1:-$([ -n "${TEST_LONG-}" ] && echo 60 || echo 3)}
cc=${FUZZ_CC:-clang-19}
work=$TEST_TMP/fuzz
corpus=${FUZZ_CORPUS:-$work/corpus}
flags="-std=gnu11 -D_GNU_SOURCE -g -O1 -fno-omit-frame-pointer -fno-sanitize-recover=all
	-I$root/src -I$root/tests/unit -I$root/tests/unit/trace"
mkdir -p "$work/obj" "$corpus"

probe='#include <stddef.h>
int LLVMFuzzerTestOneInput(const unsigned char *d, size_t n);
int LLVMFuzzerTestOneInput(const unsigned char *d, size_t n) { return 0; }'
if ! "$cc" -fsanitize=fuzzer,address,undefined -x c -o "$work/probe" - <<<"$probe" 2>/dev/null; then
	skip fuzz "$cc has no libFuzzer"
	exit 77
fi

# The rooms under test, compiled once.
compile()
{
	local source=$1 object
	object=$work/obj/$(echo "${source#"$root/"}" | tr / _).o
	"$cc" $flags -fsanitize=fuzzer-no-link,address,undefined -c -o "$object" "$source"
}
export -f compile
export cc flags work root
readers=$(ls "$root"/src/explore/published/static_deps.c "$root"/src/coop/{log,log_file,elements,profile_file,signature}.c \
	"$root"/src/memo/{given,terms,cache,file}.c "$root"/src/store/store_sqlite.c "$root"/src/symex/{expr,expr_compute}.c \
	"$root"/src/cli/conf.c "$root"/src/collect/{admit,tokens}.c "$root"/src/report/ci/known.c \
	"$root"/src/explore/nested/{record,failure,exec}.c "$root"/src/explore/reduce/op.c "$root"/src/stable/*.c \
	"$root"/src/predict/read/{read,read_native,read_speedygo,trace,names,feed,settle,facts}.c)
if ! printf '%s\n' "$root"/src/{base,trace,trace/*,model}/*.c $readers "$here"/fuzz_*.c |
	xargs -P "$(nproc)" -I '{}' bash -c 'compile "$1"' _ '{}' >"$work/log" 2>&1; then
	show "$work/log"
	not_ok fuzz/build
	exit 1
fi
rooms=$(ls "$work"/obj/src_*.o)

# A store with a run and a proof; without python3 the fuzzer begins with nothing.
store_seed()
{
	command -v python3 >/dev/null || return 0
	python3 - "$1" <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("""PRAGMA page_size=512;
	CREATE TABLE run(build INTEGER NOT NULL, paths INTEGER NOT NULL, name TEXT NOT NULL,
		times INTEGER NOT NULL, PRIMARY KEY(build, paths));
	CREATE TABLE proof(build INTEGER NOT NULL, key BLOB NOT NULL, place TEXT NOT NULL,
		PRIMARY KEY(build, key)) WITHOUT ROWID;
	INSERT INTO run VALUES(1, 2, 'a.rec', 3); INSERT INTO proof VALUES(1, x'01', 'a.c:1');
	PRAGMA user_version=2;""")
END
}

# The seeds come from a program of its own, without the fuzzer's main().
seeds()
{
	"$cc" $flags -o "$work/seeds" "$here/seeds.c" "$root"/tests/unit/trace/support_{bundle,recording}.c \
		"$root"/src/{base,trace,trace/*,model}/*.c -lzstd -lcmocka &&
		"$work/seeds" "$corpus" &&
		mkdir -p "$corpus/fuzz_elf" "$corpus/fuzz_coop" "$corpus/fuzz_coop_files" &&
		printf "\\0heddle coop profile 1\\nbuild %040d\\nelements 9\\nelement 3 a\\n" 0 >"$corpus/fuzz_coop_files/profile" &&
		printf "\\1deadlock | 0 |  | 0 |  | 5 2" >"$corpus/fuzz_coop_files/failure" &&
		{ printf 'CREP\1\0\0\0' && head -c 41 /dev/zero &&
			printf '\1\0\0\0\1\0\0\0%s\2\0\0\0\0\0\0\0' 0; } >"$corpus/fuzz_coop/empty" &&
		mkdir -p "$corpus/fuzz_collect" && printf "/failures/12/bundle" >"$corpus/fuzz_collect/address" &&
		mkdir -p "$corpus/fuzz_nested" &&
		printf 'heddle-stable 1\nprogram /a\ndirectory /\nargument a\nfailure exit 1 0\nchoices 1\n1\n' \
			>"$corpus/fuzz_nested/record" &&
		mkdir -p "$corpus/fuzz_predict" "$corpus/fuzz_static_deps" "$corpus"/fuzz_{pack,conf,known} &&
		printf '\0\0\16\2\1\0\0\0a\1\0\0\0\0\0\0\0\1\2\1x\2\2\4\1\0\0\0' >"$corpus/fuzz_pack/frames" &&
		printf '\2T0|fork(T1)|1\nT0|w(x)|2\nT1|acq(l)|3\nT1|r(x)|4\nT1|rel(l)|5\n' \
			>"$corpus/fuzz_predict/std" &&
		printf '\1thread a\na: write x 1\n' >"$corpus/fuzz_predict/native" &&
		printf '# c\n[check]\ntime = 20\n\neach-test=yes\n' >"$corpus/fuzz_conf/conf" &&
		printf '# c\nrace:*/x.c:12\n*:main\n' >"$corpus/fuzz_known/suppressions" &&
		printf '# heddle baseline 1\nrace x.c main | x = 1\n' >"$corpus/fuzz_known/baseline" &&
		printf 'HDDEPS1\0\2\0\0\0\1\0\0\0\1\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0' \
			>"$corpus/fuzz_static_deps/table" &&
		mkdir -p "$corpus/fuzz_store" && store_seed "$corpus/fuzz_store/store" &&
		mkdir -p "$corpus/fuzz_memo" &&
		{ printf 'HDLMEMO\n\1\0\0\0\0\0\0\0' && head -c 32 /dev/zero &&
			printf '\2\0\0\0\1\0\0\0' && head -c 32 /dev/zero &&
			printf '\1\0\1\1\1\0\0\0\1\1\0\0\10\1\0' &&
			printf '\3\1\10\0\0\0\10\0\5\0\17\1\0\0\1\1\2\1\0\11\0\0\0'; } \
			>"$corpus/fuzz_memo/cache" &&
		"$cc" -c -o "$corpus/fuzz_elf/object" "$here/elf_seed.S" &&
		"$cc" -shared -nostdlib -Wl,--build-id -o "$corpus/fuzz_elf/library" "$here/elf_seed.S"
}
if ! seeds >"$work/log" 2>&1; then
	show "$work/log"
	not_ok fuzz/seeds
	exit 1
fi

# Inputs that once failed are tried first, for ever.
fuzz()
{
	local target=$1 old=()
	[ -d "$here/regressions/$target" ] && old=("$here/regressions/$target")
	"$cc" -fsanitize=fuzzer,address,undefined -o "$work/$target" \
		"$work/obj/tests_fuzz_$target.c.o" $rooms -lzstd -lsqlite3 -lm &&
		"$work/$target" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 \
			-print_final_stats=1 -verbosity=0 -artifact_prefix="$work/$target-" \
			"$corpus/$target" "${old[@]}"
}
for source in "$here"/fuzz_*.c; do
	target=$(basename "$source" .c)
	if fuzz "$target" >"$work/log" 2>&1; then
		echo "$target: $(sed -n 's/^stat::number_of_executed_units: *//p' "$work/log") executions"
		ok "fuzz/$target"
	else
		grep -vE '^stat::' "$work/log" | tail -n 40 | show
		not_ok "fuzz/$target"
	fi
done
exit "$failed"
