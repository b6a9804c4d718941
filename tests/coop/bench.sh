#!/bin/bash
# The programs of the literature (bench/*.c): how often they fail, after how many attempts their failures
# are made again from partial logs, and what recording costs.  Options and steps are in bench.py; one more
# step is `rank'.  OUT is where logs and figures stay, so that it can be done in steps.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
need "$heddle" "$bin/heddle-cc"
export OUT=${OUT:-$TEST_TMP/coop-bench} HEDDLE_BIN=$bin
export XDG_CACHE_HOME=$OUT/derived
unset NUDGE
mkdir -p "$OUT"
[ "$*" = rank ] || python3 "$here/bench.py" "$@"

# Ranking alone: 500 logs as large as those of the largest program of the literature.
case " $* " in *" rank "* | "  ")
	${CC:-gcc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$root/src" -o "$OUT/rank" "$here/rank.c" \
		"$root"/src/coop/{log,log_file,set,flat,merge,merge_rank,merge_one,merge_ways,profile}.c \
		"$root"/src/trace/{codec,squeeze}.c "$root"/src/base/{sha256,strbuf,mem,err,fs,clock,rng}.c -lzstd &&
		"$OUT/rank" 500 6 130597
	;;
esac
