# The same in PostgreSQL, with two collectors (sourced by run.sh); a server of its own in a directory of
# its own, as a user without rights.
pg=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -V | tail -n 1)
as_pg() { if [ "$(id -u)" = 0 ]; then setpriv --reuid=nobody --regid=nogroup --clear-groups env HOME="$db" "$@"; else "$@"; fi; }
test_pg()
{
	local first first_port load
	db=$(mktemp -d "${TMPDIR:-/tmp}/heddle-pg.XXXXXX")
	[ "$(id -u)" != 0 ] || chown nobody:nogroup "$db"
	as_pg "$pg/initdb" -D "$db/data" -A trust -U heddle --no-sync >pg.log 2>&1 &&
		as_pg "$pg/pg_ctl" -D "$db/data" -w -t 120 -l "$db/log" -o "-k $db -h ''" start >>pg.log 2>&1
	if [ $? = 0 ]; then ok "pg: a server"; else not_ok "pg: a server"; show pg.log; rm -rf "$db"; return; fi
	store="postgresql://heddle@/postgres?host=$db"
	start pg1 --store="$store" --rate=0 --quota-logs=1000000
	first=$daemon first_port=$port
	start pg2 --store="$store" --rate=0 --quota-logs=1000000
	: >acked
	./load "$first_port" 10 200 70000000 acked >/dev/null & load=$!
	./load "$port" 10 200 80000000 acked >/dev/null && wait $load && ./load "$port" 2 200 70000000 >/dev/null &&
		[ "$(curl -s "$url/failures" | jq '.failures[0].logs')" = 400 ]
	report "pg: two collectors on one database" $?
	./load "$first_port" 10 100000 90000000 acked >/dev/null 2>&1 & load=$!
	for ((i = 0; i < 1200; i++)); do [ "$(wc -l <acked)" -ge 600 ] && break; sleep 0.05; done
	kill -9 "$first"
	wait "$first" "$load" 2>/dev/null
	curl -s "$url/failures/1" | jq -r '.hashes[]' | sort >stored
	[ "$(wc -l <acked)" -ge 600 ] && [ -z "$(comm -23 <(sort acked) stored)" ]
	report "pg: one is killed, nothing acknowledged is lost" $?
	timeout 60 "$heddle" coop push --json "$url" logs >push.out 2>&1 &&
		[ "$(curl -s "$url/failures" | jq '.failures | length')" = 3 ]
	report "pg: failures are kept apart" $?
	stop
	report "pg: the other ends cleanly" $?
	as_pg "$pg/pg_ctl" -D "$db/data" -m immediate stop >>pg.log 2>&1
	rm -rf "$db"
}
if [ -n "$pg" ] && [ -x "$pg/initdb" ]; then
	test_pg
else
	skip "pg" "PostgreSQL's server is not installed"
fi
