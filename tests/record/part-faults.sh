# What may happen to a recorded program, and that it is not harmed by being recorded.

# same NAME [ARGUMENT...]: output and status as without heddle; the recording is left in all.rec.
same()
{
	local name=$1 want got
	shift
	build "$name" -ldl || { not_ok "record/$name"; return; }
	rm -rf all.rec
	"./$name.plain" "$@" >plain.out 2>/dev/null; want=$?
	"$heddle" record --keep=all -o all.rec "./$name" "$@" >record.out 2>record.err; got=$?
	if [ "$want" -eq "$got" ] && cmp -s plain.out record.out && "$heddle" info all.rec >info.out 2>&1; then
		ok "record/$name"
	else
		echo "    status $got, not $want"; show record.err info.out; not_ok "record/$name"
	fi
}

same signals
report record/signals-recovered $([ "$(key all.rec .failure)" = null ]; echo $?)
report record/signals-streams $([ "$(key all.rec '[.threads[] | select(.state == "handler")] | length > 0')" = true ]; echo $?)
report record/signals-jump-is-said $(grep -q 'left by longjmp' info.out; echo $?)
same timer
report record/timer-is-no-failure $([ "$(key all.rec .failure)" = null ]; echo $?)
failing reraise 139 signal
same jumps
same forks
report record/forks-said $([ "$(key all.rec .forked)" = 3 ]; echo $?)
same threads
report record/threads-counted $([ "$(key all.rec '.threads | length')" = 3201 ] &&
	[ "$(key all.rec '[.threads[] | select(.state == "ended")] | length')" = 3200 ]; echo $?)
report record/threads-fork-paths $([ "$(key all.rec '[.threads[1:][] | [.creator, .index]] | unique | length')" = 3200 ]; echo $?)

# Killed at any time: everything up to that moment is there.
build spin
bad=0
for i in 1 2 3 4 5; do
	rm -rf kill.rec
	"$heddle" record -q -o kill.rec ./spin >spin.out 2>record.err &
	pid=$!
	while ! grep -q started spin.out 2>/dev/null; do sleep 0.02; done
	sleep "0.0$((RANDOM % 90 + 10))"
	kill -KILL $(pgrep -P $pid)
	wait $pid
	[ $? -eq 137 ] && [ "$(key kill.rec .failure.kind)" = killed ] &&
		[ "$(key kill.rec '[.threads[] | select(.bits > 1000)] | length >= 2')" = true ] || bad=1
done
report record/killed-at-random-times $bad

# heddle killed with it: the files stay, and are made into a recording.
rm -rf gone.rec*
"$heddle" record -q -o gone.rec ./spin >spin.out 2>record.err &
pid=$!
while ! grep -q started spin.out 2>/dev/null; do sleep 0.02; done
sleep 0.1
child=$(pgrep -P $pid)
kill -KILL $pid $child
wait $pid 2>/dev/null
report record/left-behind $([ -d gone.rec.live-* ] && [ ! -e gone.rec ]; echo $?)
"$heddle" record --finish=$(echo gone.rec.live-*) -o gone.rec ./spin 2>record.err
report record/finished-later $([ "$(key gone.rec '[.threads[] | select(.bits > 1000)] | length >= 2')" = true ] && ! ls -d gone.rec.live-* >/dev/null 2>&1; echo $?)

# A disk that fills up ends the recording, not the program.
build work
if mkdir -p small && mount -t tmpfs -o size=27m none small 2>/dev/null; then
	"$heddle" record -o small/full.rec ./work 20000000 >record.out 2>record.err
	got=$?
	report record/disk-full-program-goes-on $([ $got -eq 134 ] || [ $got -eq 3 ] && grep -q done record.out; echo $?)
	umount small
	mount -t tmpfs -o size=60m none small
	"$heddle" record -o small/full.rec ./work 100000000 >record.out 2>record.err
	report record/disk-full-is-said $([ $? -eq 3 ] && grep -q done record.out && [ ! -e small/full.rec ] &&
		grep -q 'left in small/full.rec.live' record.err; echo $?)
	"$heddle" record --finish=$(echo small/full.rec.live-*) -o full.rec ./work 2>record.err
	report record/disk-full-finished-elsewhere $([ $(( $(key full.rec .loss) & 1 )) -eq 1 ] &&
		[ "$(key full.rec .failure.kind)" = assertion ] && grep -q 'not complete' record.err; echo $?)
	umount small
	mount -t tmpfs -o size=1m none small
	"$heddle" record -o small/full.rec ./work >record.out 2>record.err
	report record/no-room-at-all $([ $? -eq 3 ] && grep -q 'no room' record.err && [ -z "$(ls small)" ]; echo $?)
	umount small
else
	skip record/disk-full "tmpfs cannot be mounted here"
fi

# A limit on the size of files is not a signal for the program.
(ulimit -f 65536; "$heddle" record -o limit.rec ./work 400000000 >record.out 2>record.err; echo $? >status)
report record/file-limit $([ "$(cat status)" -eq 134 ] && grep -q done record.out; echo $?)

# A ring keeps the end.
"$heddle" record --ring=64K -o ring.rec ./work 3000000 >record.out 2>record.err
report record/ring $([ "$(key ring.rec '.threads[1].bits | . > 100000 and . < 700000')" = true ] &&
	[ $(( $(key ring.rec .loss) & 8 )) -eq 8 ]; echo $?)

# Deadlocks, with and without a thread that still does something.
build deadlock
for arg in "" alive; do
	rm -rf dead.rec
	timeout 60 "$heddle" record --hang=300ms -o dead.rec ./deadlock $arg >record.out 2>record.err
	report "record/deadlock${arg:+-beside-a-sleeper}" $([ $? -eq 134 ] && [ "$(key dead.rec .failure.kind)" = deadlock ]; echo $?)
done
report record/deadlock-places $([ "$("$heddle" info dead.rec | grep -c 'waits (lock)')" -eq 2 ]; echo $?)

# Inputs are logged, or not.
build reader
printf 'one line\nand another\n' >input.txt
"$heddle" record -o in.rec ./reader input.txt >record.out 2>record.err
report record/inputs $([ "$("$heddle" info --events in.rec | grep -c ': read = 21, 21 bytes')" = 1 ] &&
	"$heddle" info --events in.rec | grep -q ': fgets = 1, 10 bytes' && "$heddle" info --events in.rec | grep -q ': time = '; echo $?)
rm -rf in.rec
"$heddle" record --inputs=off -o in.rec ./reader input.txt >record.out 2>record.err
report record/inputs-off $([ "$(key in.rec '[.threads[].inputs] | add')" = 0 ]; echo $?)

# Parts that are loaded later are recorded too.
if "$heddle" cc --flavor=record -DPART -shared -fPIC -o part.so "$TEST_HERE/programs/plugin.c" 2>log && build plugin -ldl; then
	rm -rf plug.rec
	"$heddle" record -o plug.rec ./plugin ./part.so >record.out 2>record.err
	report record/loaded-later $([ "$(key plug.rec .failure.kind)" = assertion ] && [ "$(key plug.rec '.units | length')" = 2 ]; echo $?)
else
	show log; not_ok record/loaded-later
fi

# Bad input gets a clear error.
cp ring.rec/tasks tasks; cp -r ring.rec cut.rec; head -c 100 tasks >cut.rec/tasks
"$heddle" info cut.rec >record.out 2>record.err
report record/truncated $([ $? -eq 3 ] && grep -q 'tasks' record.err; echo $?)
"$heddle" record /bin/true >record.out 2>record.err
report record/not-ours $([ $? -eq 3 ] && grep -q 'not built with heddle cc' record.err; echo $?)
"$heddle" record ./no-such-program >record.out 2>record.err
report record/no-program $([ $? -eq 3 ] && [ -s record.err ]; echo $?)
"$heddle" record -o /proc/nowhere ./work >record.out 2>record.err
report record/no-place $([ $? -eq 3 ] && [ -s record.err ] && [ ! -s record.out ]; echo $?)
"$heddle" record --ring=x ./work >record.out 2>record.err
report record/bad-size $([ $? -eq 2 ]; echo $?)
