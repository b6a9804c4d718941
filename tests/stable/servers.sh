#!/bin/bash
# redis and memcached, as Debian packages have them, under heddle stable and under load: every answer
# is looked at, the server ends cleanly when it is told to.
#
# Usage: servers.sh           the test
#        servers.sh bench     requests per second against native, interleaved
# RUNS=3, CONNECTIONS=8, REQUESTS=1000 of each connection; PORT=21300 and above are used.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
heddle=${HEDDLE:-$heddle}
runs=${RUNS:-3} connections=${CONNECTIONS:-8} requests=${REQUESTS:-1000} port=${PORT:-21300}
[ "${1-}" = bench ] && requests=${REQUESTS:-5000}
server=
cd "$TEST_TMP" || exit 1
need "$heddle"
"${CC:-cc}" -O2 -pthread "$here/servers/load.c" -o load || exit 1

# start KIND PREFIX...: into $server, on the next port; 1 when it does not answer in 30 s.
start()
{
	local kind=$1 i
	shift
	port=$((port + 1))
	case $kind in
	redis) set -- "$@" redis-server --bind 127.0.0.1 --port $port --save "" --appendonly no \
		--io-threads 2 --daemonize no ;;
	memcached) set -- "$@" memcached -u "$(id -un)" -l 127.0.0.1 -p $port -U 0 -t 4 ;;
	esac
	"$@" >server.log 2>&1 &
	server=$!
	for ((i = 0; i < 300; i++)); do
		(exec 8<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
		kill -0 $server 2>/dev/null || break
		sleep 0.1
	done
	show server.log
	return 1
}

# stop: asks the server to end; its exit status, or 124 when it had to be killed.
stop()
{
	local i
	kill -TERM $server 2>/dev/null
	for ((i = 0; i < 200; i++)); do
		if ! kill -0 $server 2>/dev/null; then
			wait $server
			return
		fi
		sleep 0.1
	done
	kill -KILL $server 2>/dev/null
	wait $server 2>/dev/null
	return 124
}
trap 'kill -KILL $server 2>/dev/null' INT TERM

have()
{
	local package=$1 program=$1
	[ "$1" = redis ] && package=redis-server program=redis-server
	command -v $program >/dev/null && return 0
	skip "$1" "the package $package is not installed"
	return 1
}

# try NAME KIND OPTION...: one server under heddle with these options.
try()
{
	local name=$1 kind=$2 status
	shift 2
	start "$kind" "$heddle" stable -q "$@"
	report "${name}_starts" $?
	timeout 120 ./load "$kind" $port "$connections" "$requests" >load.out 2>&1
	status=$?
	[ $status -eq 0 ] || show load.out server.log
	report "${name}_answers_every_request" $status
	stop
	status=$?
	[ $status -eq 0 ] || { echo "    exit status $status"; tail -5 server.log | show; }
	report "${name}_ends_cleanly" $status
}

# rate KIND PREFIX...: requests per second of one fresh server, appended to the file $rates.
rate()
{
	start "$@" || return 1
	timeout 300 ./load "$1" $port "$connections" "$requests" >>"$rates" || failed=1
	stop || failed=1
}

bench()
{
	local kind=$1 run config
	for ((run = 0; run < runs; run++)); do
		for config in native local rr; do
			rates=rate.$kind.$config
			case $config in
			native) rate "$kind" ${BENCH_PREFIX-} ;;
			# shellcheck disable=SC2086
			*) rate "$kind" ${BENCH_PREFIX-} "$heddle" stable -q --policy=$config ;;
			esac
		done
	done
	printf '%-16s' "$kind"
	for config in native local rr; do
		sort -n "rate.$kind.$config" | awk '{ v[NR] = $1 } END { printf " %9d", v[int((NR + 1) / 2)] }'
	done
	echo
}

if [ "${1-}" = bench ]; then
	echo "requests per second, $connections connections, medians of $runs interleaved runs"
	printf '%-16s %9s %9s %9s\n' server native local rr
fi
for kind in redis memcached; do
	have $kind || continue
	if [ "${1-}" = bench ]; then
		bench $kind
		continue
	fi
	try "${kind}_plain" $kind
	try "${kind}_batch" $kind --policy=batch
	try "${kind}_logged" $kind --log=server.heddle-log
	"$heddle" stable show server.heddle-log >shown 2>&1 && [ "$(wc -l <shown)" -gt 10 ]
	report "${kind}_log_is_whole" $?
done
exit $failed
