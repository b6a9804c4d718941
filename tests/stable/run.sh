#!/bin/bash
# heddle stable: schedules known byte for byte, programs over every primitive, stress.
#
# Programs with "det" in their first line must have one schedule hash over repeated runs, also with
# random delays; "nondet" ones must only end well.  TEST_LONG=1: more runs of everything; a number
# of seconds in TEST_STRESS sets the length of the random stress (3600 in the long form).
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 151
lib=$TEST_BUILD/lib/heddle
heddle=${HEDDLE:-$heddle}
runs=5 racey=100 stress=${TEST_STRESS:-20}
if [ -n "${TEST_LONG-}" ]; then
	runs=50 racey=1000 stress=${TEST_STRESS:-3600}
fi
need "$heddle" "$lib/libheddle-stable.so"
cd "$TEST_TMP" || exit 1

# build NAME SOURCE [FLAG...]
build()
{
	local name=$1 source=$here/programs/$2 compiler=${CC:-cc}
	shift 2
	case $source in *.cc) compiler=${CXX:-c++} ;; esac
	"$compiler" -O1 -g -pthread -I"$here/../../include" "$@" "$source" -o "$name" \
		-L"$lib" -lheddle-stable-stub -Wl,-rpath,"$lib"
}

# build_ordered NAME SOURCE: the flavour in which atomic operations are operations of the schedule.
build_ordered()
{
	local compiler=$bin/heddle-cc standard=
	case $2 in *.cc) compiler=$bin/heddle-c++ standard=-std=c++20 ;; esac
	# shellcheck disable=SC2086
	"$compiler" --flavor=stable $standard -O1 -g -pthread "$2" -o "$1_ordered" || not_ok "build_$1_ordered"
}

# hash PROGRAM... prints what the program printed and its hash; the runtime's options in $options.
options=
hash_of()
{
	# shellcheck disable=SC2086
	timeout 60 "$heddle" stable -q --hash-all $options "$@" 2>hash.err || return 1
	sed -n 's/.*schedule hash //p' hash.err
}

# same NAME RUNS PROGRAM...: one output and hash over all runs, half of them with delays.
same()
{
	local name=$1 n=$2 first='' i out
	shift 2
	for ((i = 0; i < n; i++)); do
		options="--delay=$((i % 2 * 200)) ${policy_option-}"
		out=$(hash_of "$@") || { show hash.err; echo "    run $i failed"; not_ok "$name"; return; }
		[ -n "$first" ] || first=$out
		if [ "$out" != "$first" ]; then
			echo "    run $i: $out; first run: $first"
			not_ok "$name"
			return
		fi
	done
	ok "$name"
}

# vector NUMBER PROGRAM EXIT: with plain round robin the log is byte for byte the expected one, RUNS
# times.
vector()
{
	local i rc
	for ((i = 0; i < runs; i++)); do
		timeout 20 "$heddle" stable -q --policy=rr --clamp=0 --delay=$((i % 2 * 100)) --log=vector.log "./$2" \
			>vector.out 2>&1
		rc=$?
		"$heddle" stable show vector.log | sed -e '/^hash/d' -e 's/^ *//' >vector.text
		if [ $rc -ne "$3" ] || ! cmp -s vector.text "$here/vectors/$1"; then
			diff "$here/vectors/$1" vector.text | show
			show vector.out
			echo "    exit status $rc, expected $3"
			not_ok "vector_$1"
			return
		fi
	done
	ok "vector_$1"
}

# expect NAME STATUS TEXT COMMAND...: exit status and a text somewhere in the output.
expect()
{
	local name=$1 status=$2 text=$3 rc
	shift 3
	timeout 60 "$@" >expect.out 2>&1
	rc=$?
	if [ $rc -eq "$status" ] && { [ -z "$text" ] || grep -q -- "$text" expect.out; }; then
		ok "$name"
	else
		show expect.out
		echo "    exit status $rc, expected $status and '$text'"
		not_ok "$name"
	fi
}

# What the first lines of a program's source say it does.
primitive()
{
	local source=$1 name
	name=$(basename "${source%.*}")
	case $(head -2 "$source" | tr -d '\n') in
	*' det: '*) same "$name" "$runs" "./$name" ;;
	*' virtual: '*) policy_option=--virtual-time same "$name" "$runs" "./$name" ;;
	*' nondet: '*) expect "$name" 0 '' "$heddle" stable --stall=1 "./$name" ;;
	# One order of memory only when one thread runs at a time; else they end well, and it is said.
	*' atomics: '*)
		policy_option=--policy=serial same "${name}_serial" "$runs" "./$name"
		expect "${name}_is_partial" 0 'operations, partial' "$heddle" stable --hash "./$name"
		build_ordered "$name" "$source"
		same "${name}_ordered" "$runs" "./${name}_ordered"
		expect "${name}_ordered_is_whole" 0 'operations)' \
			"$heddle" stable --strict --hash "./${name}_ordered"
		expect "${name}_ordered_alone" 0 '' "./${name}_ordered"
		expect "${name}_strict" 4 'not scheduled: ' "$heddle" stable -q --strict "./$name"
		;;
	esac
}

# STABLE_PROGRAM=FILE: that one alone.
if [ -n "${STABLE_PROGRAM-}" ]; then
	build "${STABLE_PROGRAM%.*}" "$STABLE_PROGRAM" && primitive "$here/programs/$STABLE_PROGRAM"
	exit $failed
fi

build pbzip2_model pbzip2_model.c
build pbzip2_hint pbzip2_model.c -DHINT
build lock_order_shift lock_order.c -DSHIFT
build toy_null_clear toy_null.c -DCLEAR_FIRST
build pcs_violate pcs.c -DVIOLATE
for name in cxx20_waits futures_deadlock; do
	build $name $name.cc -std=c++20 || not_ok "build_$name"
done
for source in "$here"/programs/*.c "$here"/programs/*.cc; do
	name=$(basename "${source%.*}")
	case $name in omp_*) continue ;; esac
	[ -x "$name" ] || build "$name" "$(basename "$source")" || not_ok "build_$name"
done

echo "# vectors"
vector 12.1a pbzip2_model 0
vector 12.1b pbzip2_hint 0
vector 12.2 mutex_handoff 0
vector 12.3 timed_wait 0
vector 12.4 sleepers 0
vector 12.5 barrier_twice 0
vector 12.6 sem_barging 0
vector 12.7 broadcast 0
vector 12.8 soba_timeout 0
vector 12.9 lock_order_shift 1
expect vector_12.8_counters 0 '0 complete, 1 timeouts' \
	"$heddle" stable --policy=rr --stats ./soba_timeout
expect vector_12.9_report 1 'cycle: T1 waits for T2, which waits for T1' \
	"$heddle" stable --policy=rr ./lock_order_shift
same vector_12.9_plain "$runs" ./lock_order
same vector_12.10_use_first "$runs" ./toy_null
expect vector_12.10_clear_first 139 '' \
	"$heddle" stable --policy=rr ./toy_null_clear
same vector_12.11_racey "$racey" ./racey 4 50
for policy in rr batch; do
	policy_option=--policy=$policy same "vector_12.11_racey_$policy" $((racey / 5)) ./racey 4 50
done
# Another input of the same kind: other data, the same schedule.
a=$(hash_of ./racey 3 40 | tail -1) b=$(hash_of ./racey 3 40 other input | tail -1)
[ -n "$a" ] && [ "$a" = "$b" ]
report racey_same_schedule_for_other_input $?

echo "# under load"
for ((i = 0; i < 4; i++)); do
	(while :; do :; done) &
	load[i]=$!
done
same racey_under_load $((racey / 10)) ./racey 4 20
same pbzip2_under_load $((racey / 10)) ./pbzip2_hint 3 9
kill "${load[@]}"
wait "${load[@]}" 2>/dev/null

echo "# primitives"
for source in "$here"/programs/*.c "$here"/programs/*.cc; do
	primitive "$source"
done
expect channel_nobody_writes 1 'T1 waits in channel' "$heddle" stable ./channel_dead
expect channel_and_world_are_partial 0 'beside its place in the schedule' \
	"$heddle" stable --hash ./channel_mixed
expect pipes_too_many_are_partial 0 'operations, partial' "$heddle" stable --hash ./channel_many
options=--state=free same shared_state_is_free 1 ./shared_state
expect pcs_violation_is_named 0 'isolation: object' "$heddle" stable ./pcs_violate
expect pcs_violation_may_abort 1 'isolation: object' "$heddle" stable --isolation=abort ./pcs_violate
expect pcs_ignored 0 'schedule hash' "$heddle" stable --off=pcs,soba --hash ./pcs
expect pcs_quiescent 0 '' "$heddle" stable --pcs-mode=quiesce ./pcs
options='--pcs-exit=32'
a=$(hash_of ./pcs) b=$(options='--pcs-exit=32 --delay=20' hash_of ./pcs)
[ -n "$a" ] && [ "$a" = "$b" ]
report pcs_exit_deterministic $?
options=
# Said while the program runs, and waited for once in each place.
"$heddle" stable --stall=1 ./spin_again >/dev/null 2>early.out &
again=$!
sleep 3
grep -q 'kept its turn' early.out && kill -0 $again
report stall_is_said_at_once $?
wait $again
[ "$(grep -c 'kept its turn' early.out)" -le 2 ]
report stall_is_learned $?
grep -q '    by ' early.out
report stall_has_a_stack $?
# A thread that provably waits for memory is none that computes: nobody waits for the clock.
expect spin_is_no_stall 0 'operations)' "$heddle" stable --hash --stall=600 ./spin_chain
expect raw_futex_is_partial 0 'of its own that may be futexes' \
	"$heddle" stable --hash --stall=600 ./raw_futex
expect atomics_of_a_child_are_partial 0 'decides by atomic operations;' \
	"$heddle" stable --hash sh -c './atomic_counter; true'
expect strict_is_clean 0 '' "$heddle" stable --strict ./mutex_handoff
expect futex_shared_with_another_process 0 'shared with other processes' \
	"$heddle" stable ./futex_ops shared
expect foreign_threads_are_named 0 'not started through pthread_create' "$heddle" stable ./notified

# Workers are passed over while they work: nearly every item is taken beside another.
together=$("$heddle" stable -q ./pool_queue | cut -d' ' -f1)
[ "${together:-0}" -ge 40 ]
report pool_works_together $?
for program in first_act file_locks; do
	"$heddle" stable --stall=1 ./$program >stall.out 2>&1 && ! grep -q 'kept its turn' stall.out
	report "${program}_keeps_no_turn" $?
done

echo "# deadlocks"
for kind in cond:cond_wait sem:sem_wait barrier:barrier_wait self:'T1 waits for T1' \
	upgrade:wrlock ended:'T0 waits in lock' once:once futex:futex_wait; do
	expect "deadlock_${kind%%:*}" 1 "${kind#*:}" "$heddle" stable ./deadlocks "${kind%%:*}"
done

expect deadlock_of_futures 1 'T0 waits in futex_wait' "$heddle" stable ./futures_deadlock
expect deadlock_of_futex_and_mutex 1 'T0 waits in lock, held by T1' \
	"$heddle" stable ./futures_deadlock locks

if build omp_team omp_team.c -fopenmp 2>/dev/null; then
	same omp_team "$runs" ./omp_team
	expect omp_without_ours 0 '^[0-3]' "$heddle" stable --omp=0 ./omp_team
	build omp_ordered omp_ordered.c -fopenmp || not_ok build_omp_ordered
	same omp_ordered "$runs" ./omp_ordered
	expect omp_ordered_without_ours 0 '^done' "$heddle" stable --omp=0 ./omp_ordered
else
	skip omp_team "the compiler has no OpenMP"
fi

echo "# policies"
for policy in rr batch local fence serial fcfs off; do
	expect "policy_$policy" 0 '^[0-9]' "$heddle" stable --policy=$policy ./racey 3 50
done
for policy in rr batch fence serial; do
	for program in ./racey ./rwlock_mix ./life ./random_program; do
		a=$(options=--policy=$policy hash_of $program)
		b=$(options="--policy=$policy --delay=50" hash_of $program)
		[ -n "$a" ] && [ "$a" = "$b" ]
		report "policy_${policy}_deterministic_${program#./}" $?
	done
done
for spin in 0 only 100000; do
	expect "spin_$spin" 0 '^[0-9]' "$heddle" stable --spin=$spin ./racey 2 50
done

echo "# logs"
"$heddle" stable -q --log=a.log ./racey 2 20 >/dev/null
expect replay_check_same 0 'the schedule is the one in' \
	"$heddle" stable --replay-check=a.log ./racey 2 20
expect replay_check_differs 1 'the schedules differ at operation' \
	"$heddle" stable --replay-check=a.log ./racey 2 21
"$heddle" stable -q --log=b.log ./racey 3 20 >/dev/null
expect diff_shows_stacks 1 'at main at racey.c' "$heddle" stable diff a.log b.log
expect diff_same 0 'the schedules are the same' "$heddle" stable diff a.log a.log
"$heddle" stable -q --log=fork.log ./fork_threads >/dev/null
expect log_of_a_program_that_forks 0 'T0 end' "$heddle" stable show fork.log
head -c 1000 a.log >cut.log
expect log_truncated 3 'truncated' "$heddle" stable show cut.log
head -c 4096 /dev/zero >zero.log
expect log_foreign 3 'not a schedule log' "$heddle" stable show zero.log
expect log_unwritable 3 'was not written to its end' "$heddle" stable --log=/nonexistent/log ./mutex_handoff

echo "# settings"
printf 'policy = fence # baseline\n\nhash = 1\n' >conf
expect config_file 0 '' "$heddle" stable --config=conf ./mutex_handoff
printf 'polisy = rr\n' >conf
expect config_unknown 0 "unknown setting 'polisy'" "$heddle" stable --config=conf ./mutex_handoff
expect option_bad_value 2 'is not one of' "$heddle" stable --policy=fast ./mutex_handoff
[ "$("$heddle" stable --help | grep -c -e '--log=')" -eq 1 ]
report help_has_each_option_once $?
expect option_unknown 2 '' "$heddle" stable --nonsense ./mutex_handoff
expect program_missing 2 'a program is missing' "$heddle" stable
expect program_not_found 3 'no such program' "$heddle" stable ./nowhere
expect program_not_executable 3 'not an executable file' "$heddle" stable ./a.log
cp mutex_handoff setuid_program && chmod u+s setuid_program
expect program_setuid 3 'set-user-ID' "$heddle" stable ./setuid_program
if "${CC:-cc}" -static -pthread "$here/programs/mutex_handoff.c" -o static_program 2>/dev/null; then
	expect program_static 3 'statically linked' "$heddle" stable ./static_program
fi
expect profile_names_the_region 0 'soft barrier: soba_wait' \
	"$heddle" stable --policy=rr --profile ./serialised
"$heddle" stable --policy=rr --profile ./serialised 2>&1 | sed -n 's/.*in a hints file: //p' | head -1 >hints
expect hints_file_from_profile 0 '13 complete' \
	"$heddle" stable --policy=rr --hints=hints --stats ./serialised
expect profile_says_why_there_is_no_hint 0 'no hints file can name this place: a thread begins' \
	"$heddle" stable --profile ./long_start
expect profile_survives_exec 0 'work at serialised.c' \
	"$heddle" stable --policy=rr --profile env ./serialised
expect profile_names_the_long_section 0 'long critical section: pcs_enter() before lock at work' \
	"$heddle" stable --profile ./long_section
"$heddle" stable --policy=rr --depth=1 --profile ./wrapped >wrapped.out 2>&1
expect depth_sees_through_wrappers 0 'work at wrapped.c' cat wrapped.out
sed -n 's/.*hints file: pcs /pcs /p' wrapped.out >hints
expect sections_from_a_hints_file 0 '^6000$' "$heddle" stable --depth=1 --hints=hints ./wrapped
"$heddle" stable -q --depth=1 --hints=hints --stats ./wrapped >stats 2>&1
turns=$(sed -n 's/.*: \([0-9]*\) turns.*/\1/p' stats)
[ "${turns:-100}" -lt 100 ]
report sections_from_a_hints_file_need_no_turns $?
[ "${turns:-100}" -lt 100 ] || show wrapped.out hints stats
mkdir -p elsewhere
TMPDIR=$PWD/elsewhere "$heddle" stable --replay-check=a.log ./racey 2 20 >/dev/null 2>&1 &&
	[ -z "$(ls elsewhere)" ] && ! TMPDIR=/nonexistent "$heddle" stable --replay-check=a.log ./racey 2>/dev/null
report temporary_files_go_to_tmpdir $?
expect hints_file_missing 3 'no such file' "$heddle" stable --hints=nowhere ./serialised
printf 'barrier here\n' >hints
expect hints_file_malformed 0 'not a hint' "$heddle" stable --hints=hints ./mutex_handoff
./pbzip2_hint && ./pcs
report hints_do_nothing_without_heddle $?

echo "# servers"
"$here/servers.sh" || failed=1

echo "# stress: $stress s of random programs"
end=$((SECONDS + stress / 4)) seed=0 bad=0
while [ $SECONDS -lt $end ] && [ $bad -eq 0 ]; do
	seed=$((seed + 1))
	set -- ./random_program $seed $((2 + seed % 5)) $((20 + seed % 30))
	first=$(hash_of "$@") || bad=1
	for delay in 0 100; do
		[ "$(options=--delay=$delay hash_of "$@")" = "$first" ] || bad=1
	done
done
echo "    $seed programs"
[ $bad -eq 0 ] || { echo "    seed $seed: $first"; show hash.err; }
report random_programs $bad
"$here/stress.sh" $((stress - stress / 4)) || failed=1
exit $failed
