#!/bin/bash
# What is installed, and other people's builds with it: CMake, Meson, Make, pkg-config.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 23
export TEST_HERE=$here
stage=$TEST_TMP/stage
DESTDIR=$stage cmake --install "$TEST_BUILD" --prefix /usr >"$TEST_TMP/install.log" 2>&1
report "it is installed under DESTDIR" $?
prefix=$stage/usr
for part in "$here"/part-*.sh; do
	mkdir -p "$TEST_TMP/$(basename "$part" .sh)"
	cd "$TEST_TMP/$(basename "$part" .sh)" || exit 3
	. "$part"
done
exit "$failed"
