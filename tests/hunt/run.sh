#!/bin/bash
# heddle hunt: failures that no run has shown are found, confirmed and replayed; correct programs are
# proved; random programs agree with enumeration (generate.py); what is kept survives.
#
# The head of a program says what is expected: "hunt: found LINE", "hunt: found KIND", "hunt: safe".
# Usage: run.sh [programs|contract|store|random|published...]
#
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
[ $# -gt 0 ] || plan 121
work=$TEST_TMP/hunt
mkdir -p "$work"
cd "$work" || exit 3

build() # NAME [LEVEL]
{
	"$bin/heddle-cc" "-O${2-1}" -g "$here/programs/$1.c" -o "$1" >log 2>&1 ||
		{ show log; not_ok "$1: builds"; return 1; }
}

# hunt ARGUMENTS…: status in $status, the object in out.json.
hunt()
{
	timeout 120 "$heddle" hunt --json "$@" >out.json 2>err </dev/null
	status=$?
}
field() { jq -r "$1" out.json 2>/dev/null; }

# Those that other parts than the first use.
have() { local name; for name; do [ -x "$name" ] || build "$name"; done; }

for part in programs contract store random published; do
	case " ${*:-$part} " in *" $part "*) . "$here/part-$part.sh" ;; esac
done
exit $failed
