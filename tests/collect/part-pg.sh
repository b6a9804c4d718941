# The same in PostgreSQL, with two collectors (sourced by run.sh).
test_pg()
{
	local first first_port load other
	pg_up
	if [ $? = 0 ]; then ok "pg: a server"; else not_ok "pg: a server"; show pg.log; pg_down; return; fi
	start pg1 --store="$pg_store" --rate=0 --quota-logs=1000000
	first=$daemon first_port=$port
	start pg2 --store="$pg_store" --rate=0 --quota-logs=1000000
	: >acked
	./load "$first_port" 10 200 70000000 acked >/dev/null & load=$!
	./load "$port" 10 200 80000000 acked >/dev/null && wait $load && ./load "$port" 2 200 70000000 >/dev/null &&
		[ "$(curl -s "$url/failures" | jq '.failures[0].logs')" = 400 ]
	report "pg: two collectors on one database" $?

	# Both have work; one is killed in the middle of it.
	./load "$first_port" 10 100000 90000000 acked >/dev/null 2>&1 & load=$!
	./load "$port" 10 600 100000000 acked >other.out 2>&1 & other=$!
	for ((i = 0; i < 1200; i++)); do [ "$(wc -l <acked)" -ge 800 ] && break; sleep 0.05; done
	kill -9 "$first"
	wait "$first" "$load" 2>/dev/null
	wait "$other"
	report "pg: one is killed under load, the other goes on" $?
	stored
	[ "$(wc -l <acked)" -ge 1000 ] && [ -z "$(comm -23 <(sort acked) stored)" ]
	report "pg: nothing that was acknowledged is lost" $?

	# The server itself dies, and comes back.
	./load "$port" 10 100000 110000000 acked >/dev/null 2>&1 & load=$!
	local before=$(wc -l <acked)
	for ((i = 0; i < 1200; i++)); do [ "$(wc -l <acked)" -ge $((before + 300)) ] && break; sleep 0.05; done
	pg_ctl -m immediate stop
	for ((i = 0; i < 600; i++)); do [ "$(health)" = 503 ] && break; sleep 0.1; done
	kill "$load" 2>/dev/null
	wait "$load" 2>/dev/null
	[ "$(health)" = 503 ] && pg_begin
	report "pg: without its database a collector says so" $?
	./load "$port" 10 200 120000000 acked >/dev/null 2>&1
	report "pg: when the server is back, so is the collector" $?
	stored
	[ -z "$(comm -23 <(sort acked) stored)" ] && [ "$(curl -s "$url/failures" | jq '.failures[0].logs')" = "$(wc -l <stored)" ]
	report "pg: nothing is lost, and the counts are right" $?
	timeout 60 "$heddle" coop push --json "$url" logs >push.out 2>&1 &&
		[ "$(curl -s "$url/failures" | jq '.failures | length')" = 3 ]
	report "pg: failures are kept apart" $?
	stop
	report "pg: the other ends cleanly" $?
	pg_down
}
health() { curl -s -o /dev/null -w '%{http_code}' "$url/health"; }
stored() { curl -s "$url/failures/1" | jq -r ".hashes[]" | sort >stored; }
if pg_there; then
	test_pg
else
	skip "pg" "PostgreSQL's server is not installed"
fi
