# Users whose program fails now and then: nobody makes it fail but real threads (sourced by run.sh).
# In the long form there are two hundred.
users=${COLLECT_USERS:-$([ -n "${TEST_LONG-}" ] && echo 200 || echo 12)}
mkdir -p flaky
"$bin/heddle-cc" -O1 -g "$here/../coop/bench/manager.c" -o flaky/manager >log 2>&1 || show log
start users --store=sqlite:users.db --programs=flaky --work="$work" --rate=0 --merge-logs=$((users / 4))
seq "$users" | timeout 3000 xargs -P "$(nproc)" -I{} "$here/user.sh" {} ./flaky/manager "$url" 40 >users.out 2>users.log
[ $? = 0 ] && [ "$(wc -l <users.out)" = "$users" ]
report "users: each of $users records a part" $?
[ ! -s users.log ] || show users.log
runs=$(awk '{ n += $2 } END { print n }' users.out) logs=$(awk '{ n += $3 } END { print n }' users.out)
[ "$logs" -ge $((users / 4)) ] && [ "$(metric uploads_fresh_total)" = "$logs" ] &&
	[ "$(curl -s "$url/failures" | jq '[.failures[].logs] | add')" = "$logs" ] &&
	[ "$(curl -s "$url/failures" | jq '[.failures[].build] | unique | length')" = 1 ]
report "users: failures are gathered and sorted" $?
echo "    $logs failures of $runs runs"
reproduced() { curl -s "$url/failures" | jq -r '[.failures[] | select(.merge == "reproduced") | .id][0] // empty'; }
for ((i = 0; i < 1800; i++)); do id=$(reproduced); [ -n "$id" ] && break; sleep 0.1; done
curl -s "$url/failures" | jq -r '.failures[] | "    \(.signature): \(.logs) logs, \(.elements_logged) of \(.elements) elements, \(.merge) with \(.merge_logs): \(.merge_text)"'
[ -n "$id" ] && curl -s -o users.heddle-pack "$url/failures/$id/bundle" &&
	timeout 600 "$heddle" replay -q --times=1000 users.heddle-pack >replay.out 2>&1
[ $? = 1 ] && grep -q '1000 of 1000' replay.out
report "users: they are merged, and what is downloaded fails 1000 of 1000 times" $?
[ -z "$id" ] || grep -q '1000 of 1000' replay.out || show replay.out
stop
report "users: it ends cleanly" $?
