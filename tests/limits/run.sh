#!/bin/bash
# Limits are promises: time and interrupts end every command within a second and an execution, with
# what was seen so far; output that was lost is an error; files, paths and memory have no surprises.
#
# Times are measured with a margin for a loaded machine (LIMITS_MARGIN, in seconds).
set -u
. "$(dirname "$0")/../lib.sh"
plan 77
here=$(cd "$(dirname "$0")" && pwd)
work=$TEST_TMP/limits
margin=${LIMITS_MARGIN:-4}
mkdir -p "$work"
cd "$work" || exit 3
for program in long many racy weak fails flags block; do
	if ! "$bin/heddle-cc" -g -O1 -pthread -o $program "$here/$program.c" >log 2>&1; then
		show log
		not_ok "$program.c builds"
		exit 1
	fi
done
cc -g -O0 -pthread -o plain "$here/long.c" || exit 3

now() { date +%s%3N; }

# in_time SECONDS CODES COMMAND...: ends after so long and a margin, with one of the codes.
in_time()
{
	local limit=$1 codes=$2 begin took
	shift 2
	begin=$(now)
	timeout -k 1 60 "$@" >out.txt 2>err.txt </dev/null
	code=$?
	took=$(($(now) - begin))
	if [ $took -gt $((limit * 1000 + margin * 1000)) ]; then
		echo "    took $took ms: $*"
		return 1
	fi
	case " $codes " in *" $code "*) return 0 ;; esac
	echo "    exit code $code, expected one of $codes: $*"
	tail -n 3 out.txt err.txt | show
	return 1
}

# ---- time ----

for algorithm in learn complete classic se se-strong dfs dpor; do
	in_time 1 "4" "$heddle" check -q --algorithm=$algorithm --time=1 -o out ./long 100000 &&
		grep -Eq 'time is up|memory is up|an execution of [0-9]+ events is too long' out.txt
	report "$algorithm ends in a long execution" $?
	in_time 4 "4" "$heddle" check -q --algorithm=$algorithm --time=4 -o out ./long 100000 &&
		grep -Eq 'time is up|memory is up|an execution of [0-9]+ events is too long' out.txt
	report "$algorithm ends after a long execution" $?
	in_time 1 "4" "$heddle" check -q --algorithm=$algorithm --time=1 -o out ./many &&
		grep -Eq 'time is up|held' out.txt
	report "$algorithm ends among many behaviours" $?
done
for strategy in random pct rr dfs; do
	in_time 1 "0 4" "$heddle" check -q --strategy=$strategy --time=1 -o out ./long 300000
	report "$strategy ends in long executions" $?
done
in_time 1 "1 4" "$heddle" check -q --time=1 -o out ./many
report "the default ends" $?
in_time 8 "4" "$heddle" check -q --time=8 -o out ./long 30000 &&
	grep -Eq 'no failure in [0-9]+ schedules? drawn besides' out.txt
report "schedules of a program with long runs come to their end" $?
in_time 8 "4" "$heddle" check -q --time=8 --max-steps=1000 -o out ./long 100000 &&
	grep -q 'none of the [0-9]* schedules drawn besides came to its end' out.txt
report "schedules that came to no end do not count" $?
for program in flags block; do
	in_time 3 "4" "$heddle" check -q --algorithm=learn --time=3 -o out ./$program
	report "$program: a program with many objects ends" $?
	"$heddle" check -q --algorithm=learn --time=10 -o out ./$program >out.txt 2>&1 &
	[ "$(peak_of $!)" -lt 1000000 ]
	report "$program: it needs less than 1 GB" $?
done
in_time 1 "1" "$heddle" check -q --time=1 --model=tso -o out ./weak
report "advice about fences ends, the failure is shown" $?
in_time 1 "1" "$heddle" check -q --time=1 --model=pso --all -o out ./weak
report "all failures under PSO: the ones in time are shown" $?

in_time 1 "4" "$heddle" run -q --time=1 -o out ./long 2000000000 && grep -q 'time is up' err.txt
report "heddle run ends" $?
"$heddle" run -q -o kept.heddle ./long 20000 >/dev/null 2>&1
in_time 1 "4" "$heddle" replay -q --time=1 --times=1000000 kept.heddle &&
	grep -Eq 'time is up after [0-9]+ identical replays' out.txt
report "heddle replay ends and says how far it came" $?
"$heddle" run -q -o wide.heddle ./many >/dev/null 2>&1
in_time 1 "4" "$heddle" predict --time=1 ./long 2000000000 && grep -q 'time is up' err.txt
report "heddle predict ends in the run of a program" $?
# Many threads with locks and no race: undecided pairs without end.
awk 'BEGIN { for (i = 0; i < 60000; i++) { t = i % 12; l = int(i / 12) % 5
	printf "T%d|acq(l%d)|a%d\nT%d|r(x%d)|b%d\nT%d|w(x%d)|c%d\nT%d|rel(l%d)|d%d\nT%d|w(y%d)|e%d\n", \
		t, l, i, t, l, i, t, l, i, t, l, i, t, i % 7, i } }' >heavy.std
in_time 1 "1 4" "$heddle" predict --all --budget=1000000000 --question-time=600 --time=1 heavy.std &&
	grep -Eq 'unknown|undecided|feasible' out.txt
report "heddle predict ends among many questions, with what it has" $?

# ---- interrupts ----

# interrupted SIGNAL CODES COMMAND...: the signal comes after a second.
interrupted()
{
	local signal=$1 codes=$2 begin took pid
	shift 2
	"$@" >out.txt 2>err.txt </dev/null &
	pid=$!
	sleep 1.5
	begin=$(now)
	kill -"$signal" $pid 2>/dev/null
	wait $pid
	code=$?
	took=$(($(now) - begin))
	if [ $took -gt $((margin * 1000)) ]; then
		echo "    took $took ms after SIG$signal: $*"
		return 1
	fi
	case " $codes " in *" $code "*) return 0 ;; esac
	echo "    exit code $code, expected one of $codes: $*"
	tail -n 3 out.txt err.txt | show
	return 1
}

for signal in INT TERM; do
	for algorithm in learn complete dpor; do
		interrupted $signal 4 "$heddle" check -q --algorithm=$algorithm -o out ./many &&
			grep -q 'interrupted' out.txt
		report "SIG$signal ends $algorithm with a verdict" $?
	done
	interrupted $signal 4 "$heddle" check -q --runs=100000000 -o out ./long 2000 &&
		grep -q 'interrupted' out.txt
	report "SIG$signal ends drawn schedules with a verdict" $?
	interrupted $signal 4 "$heddle" run -q -o out ./long 2000000000
	report "SIG$signal ends heddle run" $?
done
for signal in INT TERM; do
	interrupted $signal 4 "$heddle" replay -q --times=1000000 kept.heddle &&
		grep -Eq 'interrupted after [0-9]+ identical replays' out.txt
	report "SIG$signal ends heddle replay and says how far it came" $?
	interrupted $signal "1 4" "$heddle" predict --all --budget=1000000000 --question-time=600 heavy.std &&
		grep -Eq 'unknown|undecided|feasible' out.txt
	report "SIG$signal ends heddle predict with what it has" $?
	# The shell has what runs in the background ignore SIGINT, and so would the program.
	interrupted $signal "$([ $signal = INT ] && echo 130 || echo 143)" \
		env --default-signal=$signal "$heddle" stable -q ./plain 2000000000
	report "SIG$signal ends what heddle stable runs" $?
done

# ---- races ----

in_time 60 "0 4" "$heddle" check -q --algorithm=learn --max-executions=3000 -o races ./racy
[ "$(find races -maxdepth 1 -name '*.heddle' | wc -l)" -eq 20 ] &&
	grep -Eq '30 data races, 20 of them recorded' out.txt
status=$?
[ $status -eq 0 ] || { ls races | wc -l | show; tail -n 1 out.txt | show; }
report "one race per pair of places, twenty recorded" $status

# ---- outputs ----

"$heddle" check -q -o found.heddle ./fails >/dev/null 2>&1
"$heddle" stable --log=a.log ./plain 10 >/dev/null 2>&1
lost()
{
	local name=$1
	shift
	timeout 60 "$@" >/dev/full 2>err.txt </dev/null
	code=$?
	[ $code -eq 3 ] || { echo "    exit code $code"; show err.txt; }
	[ $code -eq 3 ] && grep -q 'cannot write standard output' err.txt
	report "$name into a full device is an error" $?
}
lost "check" "$heddle" check -q -o out ./fails
lost "check --json" "$heddle" check -q --json -o out ./fails
lost "check --stats" "$heddle" check -q --stats --runs=10 -o out ./long 10
lost "info" "$heddle" info found.heddle
lost "info --events" "$heddle" info --events found.heddle
lost "info --schedule" "$heddle" info --schedule found.heddle
lost "info --json" "$heddle" info --json found.heddle
lost "replay --times" "$heddle" replay -q --times=2 found.heddle
lost "predict" "$heddle" predict found.heddle
lost "predict --json" "$heddle" predict --json found.heddle
lost "predict --sarif" "$heddle" predict --sarif found.heddle
lost "predict --table" "$heddle" predict --table found.heddle
lost "stable show" "$heddle" stable show a.log
lost "stable diff" "$heddle" stable diff a.log a.log
lost "--version" "$heddle" --version
lost "--help" "$heddle" --help
lost "help check" "$heddle" help check
for command in "run -o out ./long 10" "replay found.heddle" "stable --hash ./plain 10"; do
	# shellcheck disable=SC2086
	timeout 60 "$heddle" $command 2>/dev/full >/dev/null </dev/null
	[ $? -eq 3 ]
	report "${command%% *} with a full device for messages is an error" $?
done
"$heddle" info --events kept.heddle 2>err.txt | true
[ "${PIPESTATUS[0]}" -eq 3 ] && grep -q 'cannot write standard output' err.txt
report "a reader that goes away is an error" $?

# full DIR: a directory with room for a few kilobytes, and how to use it.
mkdir -p disk
if mount -t tmpfs -o size=16k tmpfs disk 2>/dev/null; then
	small() { "$@"; }
	trap 'umount "$work/disk"; rm -rf "$TEST_TMP"' EXIT
else
	small() { (ulimit -f 4 && "$@"); }
fi
small timeout 60 "$heddle" check -q -o disk/out ./fails >out.txt 2>err.txt
dd if=/dev/zero of=disk/fill bs=1k count=64 2>/dev/null
# Directories that were asked for may be there; nothing is in them.
left_there() { find disk ! -type d -o -name '*.heddle*' | sort; }
full() # NAME TEXT COMMAND...: exit code 3, says so, leaves nothing behind
{
	local name=$1 text=$2 before
	shift 2
	before=$(left_there)
	small timeout 60 "$@" >out.txt 2>err.txt </dev/null
	code=$?
	[ $code -eq 3 ] && grep -Eq "$text" err.txt out.txt && [ "$(left_there)" = "$before" ]
	status=$?
	[ $status -eq 0 ] || { echo "    exit code $code"; tail -n 3 err.txt | show; find disk | show; }
	report "$name on a full disk is an error and leaves nothing" $status
}
space='No space left|too large'
full "the recording of a failure" "$space" "$heddle" check -q -o disk/more ./fails
full "a witness" "$space" "$heddle" predict --save-witness=disk/kept found.heddle
full "a converted trace" "$space" "$heddle" predict --convert=native -o disk/t.trace kept.heddle
rm -rf disk/*
small timeout 60 "$heddle" run -q -o disk/out ./long 3000 >out.txt 2>err.txt
code=$?
left=$(find disk -name '*.heddle*' | wc -l)
[ $code -eq 3 ] && grep -Eq 'No space left|too large' err.txt && [ "$left" -eq 0 ]
status=$?
[ $status -eq 0 ] || { echo "    exit code $code, $left left"; show err.txt; }
report "a recording on a full disk is an error and leaves nothing" $status
small timeout 60 "$heddle" predict --json -o disk/report.json found.heddle >out.txt 2>err.txt
dd if=/dev/zero of=disk/fill bs=1k count=64 2>/dev/null
small timeout 60 "$heddle" predict --json -o disk/report2.json found.heddle >out.txt 2>err.txt
code=$?
[ $code -eq 3 ] && [ ! -e disk/report2.json ]
status=$?
[ $status -eq 0 ] || { echo "    exit code $code"; show err.txt; }
report "a report on a full disk is an error and leaves nothing" $status
small timeout 60 "$heddle" stable --log=disk/log ./plain 20000 >out.txt 2>err.txt
code=$?
[ $code -eq 3 ] && grep -q 'disk is full' err.txt && grep -q 'the program ended with 0' err.txt
status=$?
[ $status -eq 0 ] || { echo "    exit code $code"; show err.txt; }
report "a schedule log on a full disk leaves the program alone" $status

# ---- names ----

bad=0
for i in $(seq 6); do
	(cd "$work" && timeout 60 "$heddle" check -q ./fails >"side$i.txt" 2>&1; echo $? >"side$i.code") &
	pids[i]=$!
done
wait "${pids[@]}"
for i in $(seq 6); do
	[ "$(cat "side$i.code")" -eq 1 ] || { bad=1; show "side$i.txt"; }
done
for bundle in heddle-out/*.heddle; do
	"$heddle" info "$bundle" >/dev/null 2>&1 || bad=1
done
[ "$(find heddle-out -name '*.heddle' | wc -l)" -eq 6 ] || { bad=1; ls heddle-out | show; }
report "checks side by side in one directory keep a recording each" $bad

deep=$work/$(printf 'd%.0s' $(seq 120))/$(printf 'e%.0s' $(seq 120))/$(printf 'f%.0s' $(seq 120))
mkdir -p "$deep"
cp fails "$deep/fails"
timeout 60 "$heddle" check -q -o deep.heddle "$deep/fails" >out.txt 2>err.txt
code=$?
[ $code -eq 1 ] && grep -q 'fails.c' out.txt && timeout 60 "$heddle" replay -q deep.heddle >out2.txt 2>err.txt
[ $? -eq 1 ]
status=$?
[ $status -eq 0 ] || { echo "    exit code $code"; tail -n 4 out.txt err.txt | show; }
report "a long path loses nothing" $status
exit $failed
