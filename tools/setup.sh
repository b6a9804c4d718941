#!/bin/sh
# Installs the Debian packages heddle is built and tested with, only those that are missing.
# Usage: tools/setup.sh [--list]
set -u

packages="
	clang-19 llvm-19-dev libclang-rt-19-dev lld-19
	cmake ninja-build gcc g++ libc6-dev libgcc-12-dev pkgconf
	libzstd-dev libipt-dev libcmocka-dev uthash-dev libjansson-dev libz3-dev libsqlite3-dev
	libmicrohttpd-dev libpq-dev libcurl4-openssl-dev postgresql curl zstd
	gdb mandoc binutils python3 jq chromium
"
if [ "${1-}" = --list ]; then
	echo $packages
	exit 0
fi

missing=
for p in $packages; do
	status=$(dpkg-query -W -f='${db:Status-Status}' "$p" 2>/dev/null)
	[ "$status" = installed ] || missing="$missing $p"
done
[ -z "$missing" ] && exit 0

fail()
{
	echo "setup: $1" >&2
	echo "setup: these Debian packages are needed:$missing" >&2
	exit 3
}

command -v apt-get >/dev/null || fail "apt-get not found; install the packages with your own tools"
as_root=
if [ "$(id -u)" -ne 0 ]; then
	command -v sudo >/dev/null || fail "not root and no sudo"
	as_root=sudo
fi
echo "setup: installing$missing"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! $as_root apt-get update >"$log" 2>&1; then
	tail -n 5 "$log" >&2
	fail "apt-get update failed"
fi
if ! $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
	$missing >"$log" 2>&1; then
	tail -n 15 "$log" >&2
	fail "apt-get install failed"
fi
