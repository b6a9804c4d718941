#!/bin/bash
# A small server fails under load, once; heddle recorded only which way its branches went and what
# came from outside.  The failure comes back without any client, every time, also in gdb.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${TEST_BUILD:-$root/build}/bin:$PATH
dir=$(mktemp -d "${TMPDIR:-/tmp}/heddle-demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cp "$root/tests/repro/programs/server.c" "$dir" && cd "$dir" || exit 3
port=${PORT:-$((20000 + RANDOM % 20000))}
connections=16

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() { printf '$ %s\n' "$*"; "$@"; }

# One client: connects when the server is there, adds, reads the answer.
client()
{
	local n
	for n in $(seq 200); do
		if exec 3<>"/dev/tcp/127.0.0.1/$port"; then
			echo "add $1" >&3
			read -r _ <&3
			exec 3>&-
			return
		fi 2>/dev/null
		sleep 0.02
	done
}

say "1. The server, built for production"
run heddle cc --flavor=record -g -O2 -pthread -o server server.c || exit 3

say "2. It serves $connections connections, again and again, until it fails"
for try in $(seq 400); do
	for i in $(seq "$connections"); do client "$i" & done 2>/dev/null
	heddle record -o recordings ./server "$port" "$connections" >server.log 2>&1
	status=$?
	wait
	[ $status -ge 128 ] && break
done
if [ $status -lt 128 ]; then
	echo "demo-reproduce: it did not fail in $try runs" >&2
	exit 1
fi
cat server.log
echo "failed in run $try"
recording=$(ls -d recordings/*.rec | head -n 1)

say "3. What was recorded"
run heddle info "$recording" | head -n 20

say "4. The failure again, without any client"
run heddle reproduce -o out "$recording"
status=$?
if [ $status -ne 1 ]; then
	echo "demo-reproduce: heddle reproduce ended with $status" >&2
	exit 1
fi
bundle=$(ls -d out/*.heddle | head -n 1)

say "5. A thousand times"
run heddle replay --times=1000 "$bundle"
[ $? -eq 1 ] || exit 1

say "6. In the debugger"
if command -v gdb >/dev/null; then
	run heddle replay --gdb "$bundle" -- -batch -ex continue -ex bt 2>&1 | tail -n 15
else
	echo "(gdb is not installed)"
fi
