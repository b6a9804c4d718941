# heddle coop push (sourced by run.sh).
push() { timeout 120 "$heddle" coop push "$@" >push.out 2>push.err </dev/null; }
got() { jq -r "$1" push.out; }

where=http://127.0.0.1:9
push --dry-run "$where" logs
[ $? = 0 ] && [ "$(grep -c '^PUT ' push.out)" = 3 ] && grep -q '^build ' push.out &&
	grep -q 'value == 1' push.out && [ ! -e state ]
report "push: a dry run shows everything and sends nothing" $?
push "$where" logs
[ $? = 3 ] && [ ! -e state ]
report "push: nobody there is an error" $?
push --spool --json "$where" logs
[ $? = 0 ] && [ "$(got .spooled)" = 3 ] && [ "$(find state -name '*.crep' | wc -l)" = 3 ] && [ -z "$(find state -type d -perm /077)" ]
report "push: what cannot be sent is in the spool, for its owner only" $?
push --spool --json "$where" logs
[ $? = 0 ] && [ "$(got .spooled)" = 3 ] && [ "$(find state -name '*.crep' | wc -l)" = 3 ]
report "push: once" $?
rm -rf state
push --spool --spool-max=300 --json "$where" logs
[ $? = 3 ] && [ "$(got .spooled)" = 1 ] && [ "$(got .unsent)" = 2 ] && grep -q 'is full' push.out
report "push: a full spool is an error" $?
rm -rf state

(umask 077; echo 'correct-horse-battery' >token; echo 'another-horse-battery' >wrong)
start push --store=sqlite:push.db --token-file=token
push --spool "$url" logs
[ $? = 3 ] && grep -q token push.err && [ "$(find state -name '*.crep' | wc -l)" = 3 ]
report "push: without a token" $?
push --token-file=wrong "$url"
[ $? = 3 ] && [ "$(in_store push.db | wc -l)" = 0 ]
report "push: with a wrong one" $?
push --token-file=token --json "$url"
[ $? = 0 ] && [ "$(got .sent)" = 3 ] && [ "$(find state -name '*.crep' | wc -l)" = 0 ]
report "push: the spool is sent the next time" $?
push --token-file=token --json "$url" logs
[ $? = 0 ] && [ "$(got .known)" = 3 ] && [ "$(got .bytes)" = 0 ]
report "push: nothing is sent twice" $?
cmp -s <(in_store push.db) <(sha256sum logs/* | cut -c1-64 | sort)
report "push: logs are stored by their contents" $?
curl -s "$url/health" | grep -q ok && [ "$(curl -s -o /dev/null -w '%{http_code}' "$url/")" = 401 ] &&
	[ "$(curl -s -o /dev/null -w '%{http_code}' -u "x:$(cat token)" "$url/")" = 200 ] &&
	[ "$(curl -s -o /dev/null -w '%{http_code}' -u "x:$(cat token)x" "$url/")" = 401 ]
report "push: everything but /health needs the token" $?
stop
report "push: SIGTERM ends it cleanly" $?
chmod 644 token
timeout 60 "$collectd" --listen=127.0.0.1:0 --store=sqlite:push.db --token-file=token 2>err
[ $? = 3 ] && grep -q 'read by others' err
report "push: tokens that others can read are none" $?
timeout 60 "$collectd" --listen=0.0.0.0:0 --store=sqlite:push.db 2>err
[ $? = 2 ] && grep -q 'without a token' err
report "push: no door is open to everybody by mistake" $?
"$collectd" --listen="unix:$work/s" --store=sqlite:push.db 2>unix.err &
daemon=$!
for ((i = 0; i < 300; i++)); do [ -S s ] && grep -q listens unix.err && break; sleep 0.1; done
push --json "unix:$work/s" logs/*-1.crep
[ $? = 0 ] && [ "$(got .known)" = 1 ] && stop && [ ! -e s ]
report "push: a Unix socket" $?

# A socket that the service manager opened.
python3 - "$collectd" 2>handed.err <<'P' &
import os, socket, sys
s = socket.socket()
s.bind(("127.0.0.1", 0))
s.listen(16)
if s.fileno() != 3:
    os.dup2(s.fileno(), 3)
os.set_inheritable(3, True)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[1], [sys.argv[1], "--store=sqlite:push.db"])
P
daemon=$!
for ((i = 0; i < 300; i++)); do grep -qs listens handed.err && break; sleep 0.1; done
push --json "http://$(sed -n 's/.*listens at //p' handed.err)" logs
[ $? = 0 ] && [ "$(got .known)" = 3 ] && stop
report "push: a socket that is handed over" $?
timeout 60 "$collectd" --store=sqlite:push.db 2>err
[ $? = 2 ] && grep -q 'no socket' err
report "push: none is an error" $?
