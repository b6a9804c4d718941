#!/bin/bash
# Builds an example with a real, rare bug, shows that it runs, finds the bug and replays it.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
PATH=${TEST_BUILD:-$root/build}/bin:$PATH
dir=$(mktemp -d "${TMPDIR:-/tmp}/heddle-demo.XXXXXX")
trap 'rm -rf "$dir"' EXIT
cp "$root/examples/spool.c" "$dir" && cd "$dir" || exit 3

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
run() { printf '$ %s\n' "$*"; "$@"; }

say "1. A thread pool, built with heddle instead of the compiler"
run heddle cc -g -O2 -pthread -o spool spool.c || exit 3

say "2. By itself it works: 300 runs"
hung=0
for i in $(seq 300); do
	timeout 5 ./spool >/dev/null || hung=$((hung + 1))
done
./spool
echo "$((300 - hung)) of 300 runs fine"

say "3. heddle looks for a schedule that makes it fail"
run heddle check --seed=1 -o spool.heddle ./spool
status=$?
if [ $status -ne 1 ]; then
	echo "demo: heddle check ended with $status; a failure was expected" >&2
	exit 1
fi

say "4. The same execution again, as often as you like"
run heddle replay --times=100 spool.heddle
status=$?
if [ $status -ne 1 ]; then
	echo "demo: the failure did not replay (status $status)" >&2
	exit 1
fi

say "5. What is in the recording"
run heddle info spool.heddle
exit 0
