#!/bin/bash
# Uploads a second over loopback, for a collector with SQLite and for two with one PostgreSQL database.
# The baselines are of the same run: answers that need no store, and one client, whose every upload is a
# transaction of its own.  LOGS: uploads of a row (20000).
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
. "$here/lib.sh"
work=$TEST_TMP/bench
logs=${LOGS:-20000}
mkdir -p "$work"
cd "$work" || exit 3
build_load || exit 3
daemons=()
trap 'pg_down; kill -9 "${daemons[@]}" 2>/dev/null; rm -rf "$work"' EXIT

row() { printf '%-60s %9s %9s\n' "$1" "$2" "$3"; }
# measure NAME SEED PORT…: half of the clients, and of the logs, at each port; the sum.
measure()
{
	local name=$1 seed=$2 n=$(($# - 2)) k=0 begin end
	shift 2
	begin=$(date +%s%N)
	for p; do
		./load "$p" $((100 / n)) $((logs / n)) "$([ "$seed" = health ] && echo health || echo $((k + 1))0000000)" >"load.$k" &
		k=$((k + 1))
	done
	wait $(jobs -p | grep -vxF "$(printf '%s\n' "${daemons[@]}")")
	end=$(date +%s%N)
	row "$name" "$(cat load.[0-9] | awk '{ n += $1 } END { print n }')" \
		"$(cat load.[0-9] | awk -v t=$((end - begin)) '{ n += $1 } END { printf "%d", n * 1e9 / t }')"
	rm -f load.[0-9]
}
# table NAME: the rows of the collectors at $ports.
table()
{
	set -- "$1" "${ports[@]}"
	measure "$1: no store (/health), 100 clients" health "${@:2}"
	local one=$(./load "$2" 1 300 1)
	row "$1: uploads, 1 client" $(cut -d' ' -f1,3 <<<"$one")
	measure "$1: uploads, 100 clients" seed "${@:2}"
	measure "$1: the same again (all known), 100 clients" seed "${@:2}"
	for d in "${daemons[@]}"; do
		echo "    peak memory of a collector: $(sed -n 's/^VmHWM:[^0-9]*//p' "/proc/$d/status")"
	done
	echo "    commits of one: $(metric commits_total) for $(metric uploads_fresh_total) logs"
}
begin() { start "$1" "${@:2}" --rate=0 --quota-logs=100000000 || exit 3; daemons+=("$daemon"); ports+=("$port"); }
end() { kill -TERM "${daemons[@]}"; wait "${daemons[@]}"; daemons=() ports=(); }

echo "processors: $(nproc), load $(cut -d' ' -f1 /proc/loadavg)"
row "" answers "a second"
ports=()
begin sqlite --store=sqlite:bench.db
table "SQLite"
end
if pg_there && pg_up; then
	begin pg1 --store="$pg_store"
	table "PostgreSQL, one collector"
	end
	pg_down
	pg_up
	begin pg1 --store="$pg_store"
	begin pg2 --store="$pg_store"
	table "PostgreSQL, two collectors"
	end
fi
echo "load at the end $(cut -d' ' -f1 /proc/loadavg)"
