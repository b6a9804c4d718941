#!/bin/bash
# Real projects, fetched as Debian sources, built unmodified with heddle and run under control:
# pbzip2 (C++), memcached (C, configure, libevent) and, in the long form, redis.
#
# TEST_REAL_DIR keeps what was fetched for the next time; without it a scratch directory is used.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
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

for part in "$here"/part-*.sh; do
	. "$part"
done
exit $failed
