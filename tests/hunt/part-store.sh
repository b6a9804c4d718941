# What is kept from one hunt to the next.
have counter toy
hunt --runs=6 -o s1 ./counter
proved=$(field .proved)
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
