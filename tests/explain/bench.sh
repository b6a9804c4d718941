#!/bin/bash
# The programs of differential schedule projection (Machado, dissertation, section 4.6) in three sizes,
# explained; beside each what was published for the program.  Three tables in the shapes of the published
# ones: what it costs, how much less there is to look at, and what fewer context switches are good for.
# Percentages are against the failing schedule of the same run.  Not a test.
#
# The sizes reach and pass the published numbers of accesses.  A case that does not fail in the time that
# check has, or is not explained, is a row that says so.
#
# EXPLAIN_SIZES: sizes to run (all).  Usage: bench.sh [PROGRAM...]
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
need "$heddle" "$bin/heddle-cc"
work=$TEST_TMP/explain-bench
rm -rf "$work" && mkdir -p "$work"
cd "$work" || exit 3

# Name, then per size the argument; what was published for the sizes: events, events shown, data flows,
# flows shown, pairs tried, seconds to solve.
cases="crasher:S:6:287/9/107/1/27/62
crasher:M:40:-
crasher:L:120:-
stringbuf:S:1:73/15/28/1/9/1
stringbuf:M:12:-
stringbuf:L:60:-
bbuf:S:8:157/19/79/1/3/8
bbuf:M:40:-
bbuf:L:160:-
pfscan:S:4:93/16/32/1/5/1
pfscan:M:30:-
pfscan:L:150:-
pbzip2:S:12:206/4/29/1/1/1
pbzip2:M:40:397/3/82/1/1/26
pbzip2:L:160:1223/168/264/2/2/54900
airline:S:8:58/6/25/2/1/1
airline:M:24:-
bank:S:8:124/31/72/2/181/2
bank:M:60:-
bank:L:250:-
twostage:S:4:60/3/27/1/14/1
twostage:M:30:-
twostage:L:150:-
cache4j:S:4:39/12/11/2/1/1
cache4j:M:200:1257/10/552/1/1/51
cache4j:L:240:1422/5/628/1/1/5100"

run_one() # PROGRAM SIZE ARGUMENT PUBLISHED
{
	local id=$1-$2
	[ -x "$1" ] || "$bin/heddle-cc" -O1 -g -pthread -o "$1" "$here/programs/$1.c" >"$1.log" 2>&1 ||
		return
	timeout 60 "$heddle" check -q --runs=200000 --time=30 --seed=1 -o "$id.heddle" \
		"./$1" "$3" >"$id.check" 2>&1 </dev/null
	if [ ! -d "$id.heddle" ]; then
		echo "$id did not fail"
		return
	fi
	python3 - "$heddle" "$id" "$(wc -l <"$here/programs/$1.c")" "$4" <<'END' >>rows
import json, subprocess, sys, time
heddle, name, lines, published = sys.argv[1:]
begin = time.monotonic()
out = subprocess.run([heddle, "explain", "--json", "-o", "passing", name + ".heddle"],
                     stdin=subprocess.DEVNULL, capture_output=True)
seconds = time.monotonic() - begin
try:
    j = json.loads(out.stdout)
except ValueError:
    sys.exit("%s: no answer: %s" % (name, out.stderr.decode()))
j.update(name=name, lines=int(lines), published=published, seconds=seconds, status=out.returncode)
print(json.dumps({k: j[k] for k in (
    "name", "lines", "published", "seconds", "status", "events_all", "events_shown", "flows_all",
    "flows_shown", "pairs_tried", "pairs_reversed", "runs", "switches", "switches_before",
    "same_path", "alternate_clean", "confirmed", "evidence", "advice", "variations", "reason")}))
END
}

tables()
{
	python3 - <<'END'
import json
rows = [json.loads(line) for line in open("rows")]

def less(shown, all):
    return "%d%%" % round(100 * (all - shown) / all) if all else "-"

def published(r, *at):
    p = r["published"].split("/")
    return "/".join(p[i] for i in at) if len(p) > 1 else "-"

print("\nWhat it costs (table 4.1; published: seconds in the solver)\n")
print("| program | lines | events | flows | schedules run | executions seen | label | seconds | published |")
print("|---|---|---|---|---|---|---|---|---|")
for r in rows:
    print("| %s | %d | %d | %d | %d | %d | %s | %.1f | %s |" % (
        r["name"], r["lines"], r["events_all"], r["flows_all"], r["runs"], r["evidence"]["executions"],
        r["evidence"]["label"], r["seconds"], published(r, 5)))
print("\nHow much less there is to look at (table 4.2; published: events, shown, flows, shown, pairs)\n")
print("| program | pairs tried | events | shown | flows | shown | to grok | same path | clean | runs | advice | published |")
print("|---|---|---|---|---|---|---|---|---|---|---|---|")
for r in rows:
    grok = sum(1 + bool(v["failing_writer"]) + bool(v["alternate_writer"]) for v in r["variations"])
    print("| %s | %d | %d | %d (%s) | %d | %d (%s) | %d | %s | %s | %s | %s | %s |" % (
        r["name"], r["pairs_tried"], r["events_all"], r["events_shown"],
        less(r["events_shown"], r["events_all"]), r["flows_all"], r["flows_shown"],
        less(r["flows_shown"], r["flows_all"]), grok, "yes" if r["same_path"] else "no",
        "yes" if r["alternate_clean"] else "no",
        "both" if all(r["confirmed"].values()) else "not both",
        ", ".join(a["kind"] for a in r["advice"]) or "-", published(r, 0, 1, 2, 3, 4)))
print("\nContext switches (table 4.3)\n")
print("| program | of the failing run | after reduction |")
print("|---|---|---|")
for r in rows:
    print("| %s | %d | %d |" % (r["name"], r["switches_before"], r["switches"]))
done = [r for r in rows if r["status"] == 1]
if done:
    events = sum(1 - r["events_shown"] / r["events_all"] for r in done) / len(done)
    flows = sum(1 - r["flows_shown"] / max(r["flows_all"], 1) for r in done) / len(done)
    print("\n%d of %d explained; on average %.0f%% fewer events, %.0f%% fewer flows; slowest %.1f s" % (
        len(done), len(rows), 100 * events, 100 * flows, max(r["seconds"] for r in rows)))
END
}

: >rows
while IFS=: read -r name size argument published; do
	[ $# -eq 0 ] || grep -qw -- "$name" <<<"$*" || continue
	[ -z "${EXPLAIN_SIZES-}" ] || grep -qw -- "$size" <<<"$EXPLAIN_SIZES" || continue
	run_one "$name" "$size" "$argument" "$published"
done <<<"$cases"
tables
