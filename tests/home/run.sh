#!/bin/bash
# heddle at home in other people's projects: what it keeps to itself, and how it fits in.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 92
export TEST_HERE=$here
for part in "$here"/part-*.sh; do
	mkdir -p "$TEST_TMP/$(basename "$part" .sh)"
	cd "$TEST_TMP/$(basename "$part" .sh)" || exit 3
	. "$part"
done
exit "$failed"
