# A collector and its clients (sourced by run.sh and bench.sh).
collectd=$bin/heddle-collectd

# build_load: the program ./load.
build_load()
{
	${CC:-gcc} -std=gnu11 -O2 -D_GNU_SOURCE -I"$root/src" -o load "$here/load.c" \
		"$root"/src/coop/{log,log_file}.c "$root"/src/trace/{codec,squeeze}.c \
		"$root"/src/base/{sha256,strbuf,mem,err,fs,clock}.c -lzstd -lpthread >build.log 2>&1 ||
		{ show build.log; return 1; }
}

# start NAME OPTION…: a collector of its own; its process in $daemon, where it listens in $port, $url.
start()
{
	local name=$1 i
	shift
	: >"$name.err"
	"$collectd" --listen=127.0.0.1:0 "$@" 2>"$name.err" &
	daemon=$!
	port=
	for ((i = 0; i < 600; i++)); do
		port=$(sed -n 's/.*listens at 127\.0\.0\.1:\([0-9]*\)$/\1/p' "$name.err" | head -n 1)
		[ -n "$port" ] && break
		kill -0 "$daemon" 2>/dev/null || break
		sleep 0.1
	done
	url=http://127.0.0.1:$port
	[ -n "$port" ] || { show "$name.err"; return 1; }
}

# stop: the collector ends cleanly; its exit status.
stop()
{
	kill -TERM "$daemon" 2>/dev/null
	wait "$daemon"
}

# metric NAME: its value.
metric() { curl -s "$url/metrics" | sed -n "s/^heddle_collect_$1 //p"; }
# in_store FILE: the hashes of the logs in an SQLite store, sorted.
in_store()
{
	python3 - "$1" <<'P'
import sqlite3, sys
for row in sorted(sqlite3.connect(sys.argv[1]).execute("SELECT lower(hex(hash)) FROM log")):
    print(row[0])
P
}

# A PostgreSQL server of its own in a directory of its own, as a user without rights: pg_up, pg_down; its
# directory in $db, what a collector is told in $pg_store.
pg=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
db=
pg_there() { [ -n "$pg" ] && [ -x "$pg/initdb" ]; }
as_pg() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$db" "$@"; else "$@"; fi; }
pg_ctl() { as_pg "$pg/pg_ctl" -D "$db/data" -w -t 120 "$@" >>pg.log 2>&1; }
pg_begin() { pg_ctl -l "$db/log" -o "-k $db -h ''" start; }
pg_up()
{
	db=$(mktemp -d "${TMPDIR:-/tmp}/heddle-pg.XXXXXX")
	[ "$(id -u)" != 0 ] || chown nobody:nogroup "$db"
	pg_store="postgresql://heddle@/postgres?host=$db"
	as_pg "$pg/initdb" -D "$db/data" -A trust -U heddle --no-sync >pg.log 2>&1 && pg_begin
}
pg_down()
{
	[ -n "$db" ] || return
	pg_ctl -m immediate stop
	rm -rf "$db"
	db=
}
