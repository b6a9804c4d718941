#!/bin/bash
# The bug programs of the literature, recorded natively while they fail, reproduced and replayed 1000
# times; beside them what H3 (Huang, dissertation, tables 6.3 and 6.4) published.  Then the number of
# constraints in both encodings, from the same recordings.  Not a test.
#
# The programs that hardly ever fail by themselves pause where their bug is, as those of the literature
# did.  Every program has a minute to fail and one to be reproduced.
#
# REPRO_TRIES: runs to wait for a failure (100).  Usage: bench.sh [ID...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
need "$heddle" "$bin/heddle-cc"
tries=${REPRO_TRIES:-100}
work=$TEST_TMP/repro-bench
mkdir -p "$work"
cd "$work" || exit 3

record() # NAME ID [ARGUMENT...]: ID.rec
{
	local name=$1 id=$2 i source hang= driver=cc
	shift 2
	source=$(ls "$here/programs/$name".c*)
	case $source in *.cc) driver=c++ ;; esac
	[ -x "$name" ] ||
		"$heddle" $driver --flavor=record -DPROVOKE -O1 -g "$source" -o "$name" >log 2>&1 || return 1
	[ "$name" = aget ] && hang=--hang=1
	SECONDS=0
	for ((i = 0; i < tries && SECONDS < 60; i++)); do
		timeout 3 "$heddle" record -q $hang -o "$id.rec" "./$name" "$@" >log 2>&1
		[ -d "$id.rec" ] && return 0
	done
	return 1
}

# measured COMMAND...: its output in out.json, kilobytes at most in `memory'
measured()
{
	python3 - "$@" >memory 2>err <<'END'
import resource, subprocess, sys
with open("out.json", "w") as out:
    subprocess.run(sys.argv[1:], stdout=out)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
END
}

row() # ID PUBLISHED-TIME PUBLISHED-TRACE
{
	python3 - "$1" "$2" "$3" "$(du -sb "$1.rec" | cut -f1)" "$(cat memory)" <<'END'
import json, sys
name, time, trace, size, memory = sys.argv[1:]
try:
    j = json.load(open("out.json"))
except ValueError:
    j = {"reproduced": False, "seconds": 0, "text": "no answer"}
print("%-12s %-4s %8.2f s %7.0f MB %9.1f KB  %-6s %-16s %8s %7s" % (
    name, "yes" if j["reproduced"] else "no", j["seconds"], int(memory) / 1024, int(size) / 1024,
    j.get("method") or "-", j.get("replayed", "-"), time, trace))
END
}

wanted=" $* "

one() # NAME ID PUBLISHED-TIME PUBLISHED-TRACE [ARGUMENT...]
{
	local name=$1 id=$2 time=$3 trace=$4
	shift 4
	[ "$wanted" = "  " ] || [[ $wanted == *" $id "* ]] || return
	if ! record "$name" "$id" "$@"; then
		printf '%-12s did not fail in %s runs\n' "$id" "$tries"
		return
	fi
	measured timeout 150 "$heddle" reproduce -q --json --time=60 -o "out-$id" "$id.rec"
	row "$id" "$time" "$trace"
}

echo "program      same    time       memory     recording  method replayed       H3: time   trace"
one bbuf bbuf "52 s" 2.7M
one sbuf sbuf "1 s" 4.5M
one pfscan pfscan "1 s" 30K
one pbzip2 pbzip2 "1 s" 677K
one aget aget never 41K
one httpd_idle httpd_idle never 10.4M
one httpd_log httpd_log never 11.8M
one httpd_cache httpd_cache never 10.6M
one racey racey500 "267 s" 2.7M 500
one racey racey1000 never - 1000
one racey racey1500 never - 1500

echo
echo "program      unknowns   plain: total          rw   core: total          rw  less  rest equal"
for id in bbuf sbuf pfscan pbzip2 aget httpd_idle httpd_log httpd_cache racey500 racey1000 racey1500; do
	[ -d "$id.rec" ] || continue
	for encoding in plain core; do
		timeout 60 "$heddle" reproduce -q --json --method=solve --time=20 --replays=1 --encoding=$encoding \
			-o "out-$id" "$id.rec" >"$encoding.json" 2>/dev/null
	done
	python3 - "$id" <<'END'
import json, sys
try:
    plain, core = (json.load(open(n + ".json")) for n in ("plain", "core"))
except ValueError:
    print("%-12s no answer" % sys.argv[1])
    sys.exit()
p, c = plain["constraints"], core["constraints"]
if not p["total"] or not c["total"]:
    print("%-12s no constraints: %s" % (sys.argv[1], core["text"]))
else:
    print("%-12s %8d %14d %11d %13d %11d %4.1f%% %s" % (sys.argv[1], p["variables"], p["total"],
        p["rw"], c["total"], c["rw"], 100 - 100 * c["rw"] / max(p["rw"], 1),
        "yes" if p["total"] - p["rw"] == c["total"] - c["rw"] else "NO"))
END
done
