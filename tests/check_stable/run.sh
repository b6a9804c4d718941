#!/bin/bash
# heddle check --stable: programs with one schedule, and with those that sections leave open.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 40
lib=$TEST_BUILD/lib/heddle
need "$heddle" "$lib/libheddle-stable.so"
cd "$TEST_TMP" || exit 1
for source in "$here"/programs/*.c; do
	name=$(basename "$source" .c)
	"${CC:-cc}" -O1 -g -pthread -I"$here/../../include" "$source" -o "$name" -L"$lib" \
		-lheddle-stable-stub -Wl,-rpath,"$lib" || not_ok "$name is built"
done

# check NAME CODE TEXT OPTION|PROGRAM...: the exit code, and a text in what is printed.
check()
{
	local name=$1 code=$2 text=$3 status
	shift 3
	timeout 120 "$heddle" check --stable -q --hang-limit=5 "$@" >out.txt 2>&1
	status=$?
	if [ $status -eq "$code" ] && grep -qF -- "$text" out.txt; then
		ok "$name"
	else
		show out.txt
		echo "    exit code $status"
		not_ok "$name"
	fi
}

# figure NAME OPTION|PROGRAM...: a number of the JSON report.
figure()
{
	local name=$1
	shift
	timeout 120 "$heddle" check --stable -q --json "$@" |
		sed -n "s/^ *\"$name\": \([-0-9.a-z]*\),*$/\1/p"
}

# equal NAME WANTED GOT
equal()
{
	[ "$2" = "$3" ] || echo "    $3 instead of $2"
	[ "$2" = "$3" ]
	report "$1" $?
}

all="all schedules that heddle stable can give for this input were run"
# One schedule.
check plain_program_has_one 0 "$all; it is one" ./plain
equal one_schedule 1 "$(figure schedules ./plain)"
equal size_of_one_is_known 0 "$(figure weighted ./plain)"
check deadlock_of_the_one 1 "deadlock" ./inversion
check crash_of_the_one 1 "signal 11" ./null x
check the_other_way_round_is_clean 0 "$all" ./null
check its_own_pipe_is_in_the_schedule 0 "$all; it is one" ./world pipe
check status_counts_when_asked 1 "ended with status 3" --exit-code ./world status
check status_is_told_otherwise 0 "status other than 0" ./world status

# What no schedule orders is never taken for all.
check atomic_operations_are_not_ordered 4 "atomic operations" ./atomic
check a_pipe_with_a_name_is_the_world 4 "waited for the world" ./world fifo
check a_child_is_the_world 4 "waited for the world" ./world child
check a_child_without_threads_is_one 4 "started processes" ./world alone
check a_signal_comes_when_it_comes 4 "sends itself signals" ./world signal
check a_pipe_in_a_section 4 "waited for the world" ./world section
check an_object_on_both_sides 4 "in sections and outside" ./mixed
check no_progress_is_no_answer 4 "no progress" --hang-limit=1 ./spin
check random_input_diverges 4 "uncontrolled nondeterminism" --time=20 ./clock
grep -q 'threads stood at {.*lock.*} before and stand at {.*lock.*} now' out.txt
report both_sets_are_named $?

# Sections: closed forms, (mk)!/(k!)^m orders of one lock.
for case in "2 1 2" "2 2 6" "2 3 20" "3 1 6"; do
	read -r threads times orders <<<"$case"
	equal "orders_of_${threads}_threads_${times}_times" "$orders" \
		"$(figure returning_at_once --time=4 ./sections "$threads" "$times")"
done
check sections_are_exhausted 0 "$all, 8 with 2 orders in sections" ./sections 2 1
equal everything_gives_the_same "$(figure schedules ./sections 2 1)" \
	"$(figure schedules --no-reduction ./sections 2 1)"
check deterministic_ends_are_one 0 "heddle stable --pcs-exit=det can give" --pcs-exit=det \
	./sections 2 2
check a_waiter_is_not_waited_for 0 "$all" ./handover
check every_kind_of_object 0 "$all" ./objects

# Failures in some orders only.
check an_order_in_sections 1 'Assertion `seen == 1' ./order
check a_deadlock_in_sections 1 "T1 lock #2 waits" ./abba
check an_order_of_returns 1 'Assertion `number[0] == 0' ./late_return
check a_count_that_two_find_0 1 'Assertion `freed == 1' ./refcount
check a_queue_given_up_too_early 1 'Assertion `q.alive' ./queue
check an_end_of_the_process 1 "signal 6" ./exits
check a_thread_that_was_cut_off 1 "rounds == 0" ./cut_off computes
check a_thread_that_waits_at_the_end 0 "$all" ./cut_off waits

# Recordings fail again.
good=0
for record in heddle-out/{abba,late_return,exits,inversion}-1.stable; do
	timeout 60 "$heddle" replay -q --times=20 "$record" >replay.txt 2>&1
	[ $? -eq 1 ] && grep -q "20 of 20" replay.txt || { show replay.txt; good=1; }
done
report recordings_fail_again $good
check a_partial_answer_in_time 4 "time is up" --time=2 ./sections 4 3

# Wrong usage.
"$heddle" check --stable --model=tso ./plain >/dev/null 2>&1
equal other_schedules_are_refused 2 $?
"$heddle" check --pcs-exit=det ./plain >/dev/null 2>&1
equal options_need_stable 2 $?
exit $failed
