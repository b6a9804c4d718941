#!/bin/bash
# Real projects, fetched as Debian sources, built unmodified with heddle, run under control and
# checked: pbzip2 (C++), pigz, zstd, libuv's tests, concurrencykit's regressions, memcached (C,
# configure, libevent) and, in the long form, redis.  docs/real-projects.md has what they say.
#
# TEST_REAL_DIR keeps what was fetched for the next time; without it a scratch directory is used.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 1
fetched=${TEST_REAL_DIR:-$TEST_TMP/fetched}
work=$TEST_TMP/real
runs=${TEST_LONG:+1000}
runs=${runs:-200}
mkdir -p "$work"
cd "$work" || exit 3

# get NAME PACKAGE...: fetches, or says why NAME is skipped.
get()
{
	local name=$1
	shift
	"$here/fetch.sh" "$fetched" "$@" 2>fetch.err && return 0
	skip "$name" "$(tail -1 fetch.err)"
	return 1
}

# timed NAME COMMAND...: result and duration of a build.
timed()
{
	local name=$1 start=$SECONDS
	shift
	if "$@" >build.log 2>&1; then
		echo "    $name: $((SECONDS - start)) s"
		ok "$name"
		return 0
	fi
	tail -20 build.log | show
	not_ok "$name"
	return 1
}

# answer NAME CODES TIME COMMAND...: heddle check ends in time, in less than 1 GB, with one of the codes;
# what it said is in answer.out.
answer()
{
	local name=$1 codes=$2 limit=$3 begin=$SECONDS code
	shift 3
	rm -rf out-answer
	"$heddle" check --time="$limit" -o out-answer "$@" >answer.out 2>&1 &
	[ "$(peak_of $!)" -lt 1000000 ]
	report "$name needs less than 1 GB" $?
	wait $!
	code=$?
	[ $((SECONDS - begin)) -le $((limit + 5)) ]
	report "$name ends in time" $?
	case " $codes " in
	*" $code "*) ok "$name is answered with $code" ;;
	*) tail -n 20 answer.out | show; not_ok "$name is answered with $code, expected $codes" ;;
	esac
}

for part in "$here"/part-*.sh; do
	. "$part"
done
exit $failed
