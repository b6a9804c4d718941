# A server from the log of its connections, with no client and its port in use.
build server
{
	for fd in 5 6 7 8; do echo "7 $fd 3"; done
	echo "task 0 0"
	for k in 1 2 3 4; do echo "1 5 5 add $k"; done
	echo "task 0 1"
	for k in 10 20 30 40; do echo "1 6 6 add $k"; done
} >server.inputs
INPUTS=server.inputs ./make_recording server.rec 3 6 server.c "$(line_of server "assert(account")" main \
	check ./server 7777 4
"$heddle" reproduce -q --json -o out-server server.rec >out.json 2>err
[ $? -eq 1 ] || show out.json err
[ "$(field reproduced)" = True ]
report "a_server_without_clients: $(field text)" $?
"$heddle" replay --times=200 "$(field bundle)" >out 2>&1
[ $? -eq 1 ] && grep -q "200 of 200 identical" out
report its_bundle_replays_without_clients $?
rm -rf server.rec
"$heddle" replay "$(field bundle)" >out 2>&1
[ $? -eq 3 ] && grep -q "inputs of the execution" out
report a_lost_log_is_said $?

# Files that are gone and others by now; standard input as a file and through a pipe.
outside() # NAME INPUT-IS [ARGUMENT...]: recorded, its inputs taken away, reproduced
{
	local name=$1 way=$2
	shift 2
	printf 'one\ntwo\n' >in-a
	printf 'three\n' >in-b
	printf '1\n22\n333\n4444\n' >in-c
	rm -rf reads.rec
	case $way in
	file) "$heddle" record -q -o reads.rec "./$name.prod" "$@" <in-c ;;
	pipe) cat in-c | "$heddle" record -q -o reads.rec "./$name.prod" "$@" ;;
	esac >log 2>&1
	[ -d reads.rec ] || { show log; not_ok "$name: recorded, standard input a $way"; return; }
	rm in-a
	echo other >in-b
	echo other >in-c
	"$heddle" reproduce -q --json --replays=20 -o "out-$name-$way" reads.rec >out.json 2>err </dev/null
	if [ $? -eq 1 ] && { "$heddle" replay -q --times=5 "$(field bundle)" >log 2>&1; [ $? -eq 1 ]; }; then
		ok "$name: files gone, standard input was a $way"
	else
		show out.json err log
		not_ok "$name: files gone, standard input was a $way"
	fi
}

"$heddle" cc --flavor=record -O1 -g "$here/programs/reads.c" -o reads.prod >log 2>&1 || show log
"$heddle" c++ --flavor=record -O1 -g "$here/programs/cxx_reads.cc" -o cxx_reads.prod >log 2>&1 || show log
outside reads file in-a in-b
outside reads pipe in-a in-b
outside cxx_reads file in-a
outside cxx_reads pipe in-a
# Nothing is kept that is not wanted, and what could not be kept is said.
printf 'one\ntwo\n' >in-a
printf 'three\n' >in-b
printf '1\n22\n333\n4444\n' >in-c
rm -rf reads.rec
"$heddle" record -q --inputs=off -o reads.rec ./reads.prod in-a in-b <in-c >log 2>&1
"$heddle" info reads.rec >out 2>&1 && ! grep -q "three" reads.rec/* && [ "$(stat -c %s reads.rec/inputs* | head -n 1)" -lt 200 ]
report without_inputs_no_file_is_kept $?
rm -rf reads.rec
touch -d "+1 hour" in-a
"$heddle" record -q -o reads.rec ./reads.prod in-a in-b <in-c >log 2>&1
"$heddle" info reads.rec >out 2>&1 && grep -q "in-a is not in the recording: it has changed" out
report a_file_that_changed_is_not_kept_and_said $?
# Signals of another process: one ran a handler, one was waited for.
"$heddle" cc --flavor=record -O1 -g "$here/programs/told.c" -o told.prod >log 2>&1 || show log
rm -rf told.rec
"$heddle" record -q -o told.rec ./told.prod >log 2>&1 &
recorder=$!
sleep 1
told=$(ps -o pid= --ppid $recorder | tr -d ' ')
kill -USR1 $told
sleep 0.3
kill -TERM $told
wait $recorder
"$heddle" reproduce -q --json --replays=20 -o out-told told.rec >out.json 2>err </dev/null
[ $? -eq 1 ] || show log out.json err
[ "$(field reproduced)" = True ] && [ "$(field same_thread)" = True ]
report signals_from_outside_come_again $?
# What was not there when the run was recorded is there now, because the run made it.
"$heddle" cc --flavor=record -O1 -g "$here/programs/absent.c" -o absent.prod >log 2>&1 || show log
rm -rf absent.rec absent.mark absent.list
"$heddle" record -q -o absent.rec ./absent.prod >log 2>&1
[ -f absent.mark ] && [ -f absent.list ] &&
	"$heddle" reproduce -q --json --replays=20 -o out-absent absent.rec >out.json 2>err
[ $? -eq 1 ] && grep -q '20 of 20' out.json || show log out.json err
[ "$(field reproduced)" = True ]
report a_file_that_was_not_there $?
# Connections of clients that are gone, watched by pointers that are others now.
"$heddle" cc --flavor=record -O1 -g "$here/programs/watches.c" -o watches.prod >log 2>&1 || show log
rm -rf watches.rec
port=$((20000 + $$ % 20000))
"$heddle" record -q -o watches.rec ./watches.prod $port >log 2>&1 &
recorder=$!
sleep 1
python3 - $port >>log 2>&1 <<'CLIENT'
import socket, sys, time
ends = [socket.create_connection(("127.0.0.1", int(sys.argv[1]))) for _ in range(3)]
for number in (10, 5, 7, 20):
    ends[number % 3].sendall(bytes([number]))
    time.sleep(0.05)
CLIENT
wait $recorder
"$heddle" reproduce -q --json --replays=20 -o out-watches watches.rec >out.json 2>err </dev/null
[ $? -eq 1 ] || show log out.json err
[ "$(field reproduced)" = True ]
report connections_watched_by_epoll $?
