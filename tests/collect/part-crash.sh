# kill -9 in the middle; two collectors on one file (sourced by run.sh).
acked() { sort acked; }
rm -f acked
: >acked
start crash --store=sqlite:crash.db --rate=0 --quota-logs=1000000
for round in 1 2; do
	./load "$port" 20 1000000 "${round}000000" acked >/dev/null 2>&1 &
	load=$!
	want=$((round * 300))
	for ((i = 0; i < 1200; i++)); do [ "$(wc -l <acked)" -ge $want ] && break; sleep 0.05; done
	kill -9 "$daemon"
	wait "$daemon" "$load" 2>/dev/null
	start crash --store=sqlite:crash.db --rate=0 --quota-logs=1000000
done
lost=$(comm -23 <(acked) <(in_store crash.db) | wc -l)
[ "$(wc -l <acked)" -ge 600 ] && [ "$lost" = 0 ]
report "crash: of $(wc -l <acked) acknowledged logs $lost are lost" $?
[ "$(curl -s "$url/failures" | jq '.failures[0].logs')" = "$(in_store crash.db | wc -l)" ]
report "crash: the counts are right" $?

first=$daemon first_port=$port
start second --store=sqlite:crash.db --rate=0 --quota-logs=1000000
: >acked
./load "$first_port" 10 300 50000000 acked >/dev/null & load=$!
./load "$port" 10 300 60000000 acked >/dev/null && wait $load &&
	[ "$(wc -l <acked)" = 600 ] && [ -z "$(comm -23 <(acked) <(in_store crash.db))" ] &&
	[ "$(curl -s "$url/failures" | jq '.failures[0].logs')" = "$(in_store crash.db | wc -l)" ]
report "two: two collectors share one file" $?
./load "$first_port" 10 300 50000000 "" >/dev/null && [ "$(curl -s "$url/failures" | jq '.failures[0].logs')" = "$(in_store crash.db | wc -l)" ]
report "two: what one has the other knows" $?
stop
daemon=$first
stop
report "two: both end cleanly" $?
