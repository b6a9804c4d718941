#!/bin/bash
# The compiler wrapper and the instrumenter.  What the hooks are told is checked with a runtime of
# the tests' own (stub.c), found before libheddle.so by LD_LIBRARY_PATH; the rest needs none.
#
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 218
cc=$bin/heddle-cc
cxx=$bin/heddle-c++
work=$TEST_TMP/cc
mkdir -p "$work/stub"
cd "$work" || exit 3
clang-19 -O1 -fPIC -shared -I"$root/src" -o stub/libheddle.so "$here/stub.c" -w || exit 3
export LD_LIBRARY_PATH=$work/stub
export TMPDIR=$work/tmp
mkdir "$TMPDIR"
compiler_for() { case $1 in *.cc) echo "$cxx" ;; *) echo "$cc" ;; esac; }
plain_for() { case $1 in *.cc) echo clang++-19 ;; *) echo clang-19 ;; esac; }

for part in "$here"/part-*.sh; do
	. "$part"
done
exit $failed
