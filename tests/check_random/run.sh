#!/bin/bash
# Random programs, explored by heddle and enumerated without it (batch.h): as many states, the same
# ones, a deadlock exactly when there is one.
#
# A group is "name:seed:programs:threads:operations:features" (generate.c); one binary holds all
# programs of a group.  Per program and memory model:
#   1. the default algorithm finds as many states as the oracle, in at most as many executions, and
#      no finished state outside of the oracle's set;
#   2. `complete' finds as many, in as many executions (in the short form every third program);
#   3. an assertion that one of the oracle's states does not occur fails;
#   4. when main does not wait for its threads there are as many states (in the short form every
#      third program), and who is stuck then is no deadlock.
# Usage: run.sh [group...]; RANDOM_ALGORITHMS overrides "learn complete".
set -u
. "$(dirname "$0")/../lib.sh"
plan 16
here=$root/tests/check_random
algorithms=${RANDOM_ALGORITHMS-learn complete}
models=${RANDOM_MODELS-sc tso pso}

# complain CASE TEXT: a wrong case, with what to type to see it again.
complain() { printf '%s\t%s\n' "$1" "$2" >>"$out.wrong"; }

# check ALGORITHM ARGUMENTS…: runs heddle check on the program under way; results in $states and so on.
check()
{
	local algorithm=$1 status
	shift
	timeout 60 "$heddle" check --algorithm="$algorithm" --model="$model" --races=off --json \
		-o "$out.found" "$@" >"$out.json" 2>"$out.log" </dev/null
	status=$?
	read -r states executions complete kinds < <(jq -r '[.states // "-", .executions // "-",
		.complete // false, ([.findings[].kind] | unique | join(","))] | join(" ")' \
		"$out.json" 2>/dev/null)
	if [ $status -gt 1 ] && [ -z "${states-}" ]; then
		states=- executions=- complete="status $status: $(tail -n 1 "$out.log")" kinds=
	fi
}

has_kind() { case ",$kinds," in *",$1,"*) return 0 ;; esac; return 1; }
is_stuck() { has_kind deadlock || has_kind livelock; }

# compare ALGORITHM HOW: one exploration of the whole program.
compare()
{
	local algorithm=$1 how=$2 which="$number $how $model $1" want

	want=$([ "$how" = member ] && echo "$told" || echo "$maps")
	check "$algorithm" --all "$program" "$number" "$how" "$model"
	if [ "$complete" != true ] && [ "$algorithm" = complete ] && [ -n "$abstract" ]; then
		echo "$which: $complete" >>"$out.open"
	elif [ "$complete" != true ]; then
		complain "$which" "not complete: $complete"
	# Where threads go round for ever the oracle does not say how they stand.
	elif [ "$asserted" -eq 0 ] && [ "$states" != "$want" ] &&
		{ [ -z "$spinning" ] || [ "$stuck" -eq 0 ]; }; then
		complain "$which" "$states states, not $want ($stuck stuck)"
	elif [ "$algorithm$spinning" = learn ] && [ "$how" != leave ] && [ "$asserted$stuck" = 00 ] &&
		[ "$executions" -gt "$want" ]; then
		complain "$which" "$executions executions for $want states"
	elif [ "$algorithm" = complete ] && [ -z "$abstract" ] && [ "$asserted$stuck" = 00 ] &&
		[ "$executions" -ne "$want" ]; then
		complain "$which" "$executions executions for $want states"
	elif has_kind assert && [ "$asserted" -eq 0 ]; then
		complain "$which" "a state that the oracle does not have"
	elif [ "$asserted" -eq 1 ] && ! has_kind assert; then
		complain "$which" "an assertion can fail, and none did"
	elif [ "$how" = leave ] && is_stuck && [ -z "$locking" ]; then
		complain "$which" "threads that nobody waits for are a deadlock"
	elif [ "$how" != leave ] && [ "$stuck" -gt 0 ] && [ "$asserted" -eq 0 ] &&
		! is_stuck; then
		complain "$which" "a deadlock is missing"
	elif [ "$stuck" -eq 0 ] && is_stuck; then
		complain "$which" "a deadlock that the oracle does not have"
	fi
}

# One of the oracle's states, asserted not to occur.
exclude()
{
	local items item

	mapfile -t items < <(awk -v name="set_${number}_$model[]" '$4 == name { on = 1 }
		on { print } on && /};/ { exit }' "$sets" | grep -oE '[0-9]+u' | tr -d u)
	[ ${#items[@]} -gt 0 ] || return
	item=${items[$(((number * 7 + 3) % ${#items[@]}))]}
	check learn --all "$program" "$number" not "$model" "$item"
	has_kind assert || complain "$number not $model $item" "a state of the oracle is not found"
}

# Without exhaustive search: nothing that the oracle does not have.
shake()
{
	local kinds status

	timeout 60 "$heddle" check --strategy=random --runs=300 --model="$model" --keep-going \
		--no-simplify --json -o "$out.found" "$program" "$number" member "$model" \
		>"$out.json" 2>"$out.log" </dev/null
	status=$?
	kinds=$(jq -r '[.findings[].kind] | unique | join(",")' "$out.json")
	if [ $status -gt 1 ]; then
		complain "$number" "status $status: $(tail -n 1 "$out.log")"
	elif has_kind assert && [ "$asserted" -eq 0 ]; then
		complain "$number" "a state that the oracle does not have under $model"
	elif is_stuck && [ "$stuck" -eq 0 ]; then
		complain "$number" "a deadlock that the oracle does not have under $model"
	fi
}

# Works through the cases of a file.
worker()
{
	local algorithm how

	program=$1 sets=$2 cases=$3 out=$4
	: >"$out.wrong"
	while read -r number model told maps stuck asserted <&3; do
		if [ -n "${RANDOM_SHAKE-}" ]; then
			shake
			continue
		fi
		how=member
		for algorithm in $algorithms; do
			# The published ones count every round.
			[ -z "$spinning" ] || [ $algorithm = learn ] || continue
			[ $how = member ] || [ -n "${TEST_LONG-}" ] || [ $((number % 3)) -eq 0 ] ||
				continue
			compare "$algorithm" $how
			how=count
		done
		[ "$asserted" -eq 1 ] || exclude
		[ -z "${TEST_LONG-}" ] && [ $((number % 3)) -ne 1 ] || compare learn leave
	done 3<"$cases"
}

build()
{
	local features=$1 seed=$2 count=$3 threads=$4 operations=$5

	"$TEST_TMP/generate" "$seed" "$count" "$threads" "$operations" "$features" \
		>"$dir/batch.c" &&
		${CC:-cc} -O1 -w -DENUMERATE -I"$here" -o "$dir/oracle" "$dir/batch.c" \
			"$TEST_TMP"/enumerate*.o &&
		"$dir/oracle" "$dir/sets.h" >"$dir/oracle.txt" &&
		"$bin/heddle-cc" -O1 -g -pthread -w -I"$here" -I"$root/include" \
			-DBATCH_SETS="\"$dir/sets.h\"" -o "$dir/batch" "$dir/batch.c"
}

group()
{
	local name seed count threads operations features workers large

	IFS=: read -r name seed count threads operations features <<<"$1"
	# Conditions, semaphores, rwlocks and barriers are states of objects to `complete': it tells
	# executions apart that differ in nothing else, and gives up on some.
	abstract=$(grep -o '[csrmd]' <<<"$features" | tr -d '\n')
	# Cycles of lock owners are deadlocks also when nobody waits for the threads.
	spinning=$(grep -o v <<<"$features")
	locking=$(grep -o '[lrtc]' <<<"$features" | tr -d '\n')
	dir=$TEST_TMP/$name.d
	mkdir -p "$dir" || exit 3
	if ! build "$features" "$seed" $((count * times)) "$threads" "$operations" \
		>"$dir/log" 2>&1; then
		show "$dir/log"
		not_ok "$name builds"
		return
	fi
	large=$(grep -c -- ' - - - -' "$dir/oracle.txt")
	grep -v -- ' - - - -' "$dir/oracle.txt" | grep -wE "${models// /|}" >"$dir/cases"
	workers=$(nproc)
	split -n "r/$workers" "$dir/cases" "$dir/cases."
	for cases in "$dir"/cases.*; do
		worker "$dir/batch" "$dir/sets.h" "$cases" "$dir/out.${cases##*.}" &
	done
	wait
	show "$dir"/out.*.wrong | head -n 20
	cat "$dir"/out.*.open 2>/dev/null | sed 's/^/    not decided by complete: /' | head -n 5
	awk -v large="$large" '{ states += $3; stuck += $5 > 0 } END { printf("    %d programs and " \
		"models, %d states, %d with deadlocks; %d too large\n", NR, states, stuck, large) }' \
		"$dir/cases"
	! cat "$dir"/out.*.wrong | grep -q .
	report "$name" $?
}

times=$([ -n "${TEST_LONG-}" ] && echo 5 || echo 1)
"$heddle" check --help 2>&1 | grep -q -- --algorithm || export RANDOM_SHAKE=1
[ -z "${RANDOM_SHAKE-}" ] || echo "    heddle check has no --algorithm: random schedules only"
${CC:-cc} -O2 -o "$TEST_TMP/generate" "$here/generate.c" || exit 3
for source in "$root"/tests/check/enumerate*.c; do
	object=${source##*/}
	${CC:-cc} -O2 -c -o "$TEST_TMP/${object%.c}.o" "$source" || exit 3
done
if [ $# -eq 0 ]; then
	set -- accesses:1:30:4:4:bi longer:2:15:3:6:bn locks:3:20:4:4:bl atomics:4:20:3:4:baf \
		trylocks:5:15:3:4:blt conditions:6:25:3:3:lc timed:7:15:3:3:lcd \
		semaphores:8:20:4:4:bs rwlocks:9:15:3:4:brt barriers:10:15:3:4:bm \
		starts:11:15:4:3:bp asserts:12:15:3:4:blaA everything:13:25:3:4:binltafcdsrmp \
		sleepers:14:6:3:2:lcw waits:15:30:3:4:bav \
		waits-locks:16:20:4:4:blatv
fi
for each in "$@"; do
	group "$each"
done
exit $failed
