#!/bin/bash
# heddle reproduce: what it says and exits with; the bug programs of the literature from what is known
# of their failures; the same recorded natively while they fail.
#
# Usage: run.sh [contract|programs|inputs|random|sim|native...]; REPRO_PROGRAMS: of native, only those
#
# cores: 1
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
[ $# -gt 0 ] || plan 57
work=$TEST_TMP/repro
mkdir -p "$work"
cd "$work" || exit 3

cc -D_GNU_SOURCE -I"$root/src" -o make_recording "$here/make_recording.c" \
	"$TEST_BUILD/src/libroom_trace.a" "$TEST_BUILD/src/libroom_base.a" -lzstd >log 2>&1 ||
	{ show log; not_ok recording_maker; exit 1; }

build() # NAME: bin/NAME for check
{
	local source
	source=$(ls "$here/programs/$1".c*)
	case $source in
	*.cc) "$bin/heddle-c++" -O1 -g "$source" -o "$1" ;;
	*) "$bin/heddle-cc" -O1 -g "$source" -o "$1" ;;
	esac >log 2>&1 || { show log; not_ok "$1: builds"; return 1; }
}

line_of() # PROGRAM TEXT
{
	grep -nF "$2" "$here/programs/$1".c* | head -n 1 | cut -d: -f1
}

# field NAME: of the JSON object in out.json
field() { python3 -c 'import json,sys; v=json.load(open("out.json")).get(sys.argv[1]); print(v)' "$1"; }

for part in ${*:-contract programs inputs random sim native}; do
	. "$here/part-$part.sh"
done
exit $failed
