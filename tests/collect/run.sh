#!/bin/bash
# heddle-collectd and heddle coop push: what was acknowledged is kept, what is no log is refused and
# counted, failures are kept apart and merged, and the bundle that is downloaded fails again.
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
. "$here/lib.sh"
plan 65
need "$heddle" "$collectd" "$bin/heddle-cc"
work=$TEST_TMP/collect
mkdir -p "$work"
cd "$work" || exit 3
export XDG_CACHE_HOME=$work/derived XDG_STATE_HOME=$work/state
unset NUDGE http_proxy https_proxy all_proxy HTTP_PROXY HTTPS_PROXY ALL_PROXY
daemon=
trap 'pg_down; [ -z "$daemon" ] || kill -9 "$daemon" 2>/dev/null; [ -n "${TEST_CHILD-}" ] || rm -rf "$work"' EXIT

build_load || { not_ok "the clients are built"; exit 1; }
programs=$here/../coop/programs
"$bin/heddle-cc" -O1 -g "$programs/two.c" -o two >log 2>&1 &&
	"$heddle" coop profile --percent=100 ./two >two.profile 2>>log || { show log; not_ok "two: builds"; exit 1; }
# Two users with one bug, one with another.
for nudge in early late early; do
	NUDGE=$nudge timeout 60 "$heddle" record --hang=500ms --partial=two.profile -o logs ./two \
		>record.log 2>&1 </dev/null
done
[ "$(ls logs | wc -l)" = 3 ] || { show record.log; not_ok "three runs are recorded"; exit 1; }

# COLLECT_PARTS: only these, for mutants.
for part in ${COLLECT_PARTS:-push refuse slow crash merge users pg page}; do
	. "$here/part-$part.sh"
done
exit $failed
