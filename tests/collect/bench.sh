#!/bin/bash
# Uploads a second over loopback.  The baselines are of the same run: one client, whose every upload is a
# transaction of its own, and answers that need no store.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
. "$here/lib.sh"
work=$TEST_TMP/bench
mkdir -p "$work"
cd "$work" || exit 3
build_load || exit 3
daemon=
start bench --store=sqlite:bench.db --rate=0 --quota-logs=100000000 || exit 3
trap 'kill -9 "$daemon" 2>/dev/null; rm -rf "$work"' EXIT
printf '%-44s %10s %10s\n' "" "answers" "a second"
row() { local name=$1; shift; set -- $("$@"); printf '%-44s %10s %10s\n' "$name" "$1" "$3"; }
row "no store (/health), 100 clients" ./load "$port" 100 20000 health
row "uploads, 1 client" ./load "$port" 1 500 1
row "uploads, 100 clients" ./load "$port" 100 20000 1000000
row "the same again (all known), 100 clients" ./load "$port" 100 20000 1000000
echo "commits $(metric commits_total) for $(metric uploads_fresh_total) logs; peak memory $(sed -n 's/^VmHWM:[^0-9]*//p' "/proc/$daemon/status"); processors: $(nproc), load $(cut -d' ' -f1 /proc/loadavg)"
stop
