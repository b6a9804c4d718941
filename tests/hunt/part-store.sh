# What is kept from one hunt to the next.
have counter toy
hunt --runs=6 -o s1 ./counter
proved=$(field .proved)
[ "$(field .known)" = 0 ] && [ "$proved" -gt 1 ]
report "nothing is known of what was not looked at" $?
"$heddle" info s1/counter.hunt >info 2>err && grep -q "proved" info
report "heddle info shows a store" $?
hunt --runs=1 -o s1 ./counter
[ "$status" -eq 0 ] && [ "$(field .proved)" = "$proved" ] && [ "$(field .distinct_runs)" -ge 1 ] &&
	[ "$(field .known)" -gt 0 ]
report "the next hunt knows what was proved" $?

# Two at once: both are right, nothing is lost.
timeout 100 "$heddle" hunt --json --runs=6 -o s2 ./counter >one 2>err1 </dev/null &
other=$!
hunt --runs=6 -o s2 ./counter
wait $other
[ $? -eq 0 ] && [ "$status" -eq 0 ] && "$heddle" info s2/counter.hunt >info 2>err
report "two hunts with one store" $?

printf 'no database at all, but long enough to be taken for one ................' >s1/counter.hunt/runs.db
rm -f s1/counter.hunt/runs.db-*
hunt --runs=2 -o s1 ./counter
[ "$status" -eq 3 ] && grep -q 'runs.db' err
report "a damaged store is an error with its name" $?

# Killed while it records: what was there is there.
"$heddle" hunt --runs=100000 --time=0 -o s3 ./counter >/dev/null 2>&1 </dev/null &
other=$!
for _ in $(seq 50); do ls -d s3/counter.hunt/run-*.rec >/dev/null 2>&1 && break; sleep 0.1; done
kill -KILL $other 2>/dev/null
wait $other 2>/dev/null
hunt --runs=2 -o s3 ./counter
report "a store whose hunt was killed" "$status"

# Of another version: proofs that were kept under numbers are none, runs are kept; a newer one is named.
"$heddle" hunt --json --runs=2 -o s4 ./counter >out.json 2>err </dev/null
cat >old.py <<'END'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1])
db.executescript("""DROP TABLE proof; CREATE TABLE proof(build INTEGER NOT NULL, assertion INTEGER NOT NULL,
	combination INTEGER NOT NULL, PRIMARY KEY(build, assertion, combination)) WITHOUT ROWID;
	INSERT INTO proof VALUES(1, 2, 3); PRAGMA user_version=1;""")
END
python3 old.py s4/counter.hunt/runs.db
runs=$("$heddle" info --json s4/counter.hunt 2>/dev/null | jq -r .runs)
hunt --runs=2 -o s4 ./counter
[ "$status" -eq 0 ] && [ "$(field .known)" = 0 ] && [ "$(field .proved)" -gt 0 ] &&
	"$heddle" info --json s4/counter.hunt >info && [ "$(jq -r .runs info)" -gt "${runs:-0}" ] &&
	[ "$(jq -r '[.proofs[].proved] | add' info)" = "$(field .proved)" ]
report "a store of an older version goes on without its proofs" $?
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute("PRAGMA user_version=99")' s4/counter.hunt/runs.db
hunt --runs=2 -o s4 ./counter
[ "$status" -eq 3 ] && grep -q 'runs.db was written by a newer heddle' err
report "a store of a newer version is an error with its name" $?

# Of somebody else: what only has the right names is none.
python3 -c 'import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript("""
	CREATE VIEW run AS WITH RECURSIVE r(build, paths, name, times) AS
		(SELECT 1, 1, 1, 1 UNION ALL SELECT 1, paths + 1, 1, 1 FROM r) SELECT * FROM r;
	CREATE VIEW proof AS SELECT 1 AS build, 1 AS key, 1 AS place; PRAGMA user_version=2;""")' view.db
timeout 20 "$heddle" info view.db >info 2>err
[ $? -eq 3 ] || [ $? -eq 2 ]
report "a file that only looks like a store is refused" $?

# A full disk: no recording, or no store, is an error that says so.
"$heddle" record -q --keep=all -o one-1.rec ./counter
if mkdir -p small && mount -t tmpfs -o size=256k none small 2>/dev/null; then
	hunt --runs=4 -o small/out ./counter
	recording=$status
	grep -q 'No space' err || recording=0
	rm -rf small/out
	dd if=/dev/zero of=small/most bs=4096 count=62 2>/dev/null
	hunt -o small/out one-1.rec
	store=$status
	grep -q 'disk is full\|No space' err || store=0
	umount small
	[ "$recording" -eq 3 ] && [ "$store" -eq 3 ]
	report "a full disk is an error that says so" $?
else
	skip "a full disk is an error that says so" "(no mount here)"
fi
