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
