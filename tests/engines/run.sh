#!/bin/bash
# All engines do the same: the same seeds give the same runs, step for step, and the same schedule
# gives the same events.
#
# For every target: many runs from one seed on each engine must agree in the number of runs,
# failures and scheduling steps, failure by failure; and one run per seed kept by heddle run must
# list the same events.  Long form: more of both, and again with every processor busy.
set -u
. "$(dirname "$0")/../lib.sh"
plan 212
here=$root/tests/targets
long=${TEST_LONG-}
runs=$([ -n "$long" ] && echo 3000 || echo 200)
seeds=$([ -n "$long" ] && echo 20 || echo 2)

field() { sed -nE "s/^ \* $1: *//p" "$file"; }

# What a campaign saw, without times and names of directories.
campaign()
{
	# shellcheck disable=SC2046
	timeout 300 "$heddle" check --engine="$1" --model="$model" --runs="$runs" --seed=7 \
		--keep-going --no-simplify --json -o "$work/out-$1" $(field options) "$program" \
		2>"$work/log" >"$work/report"
	jq -S '{runs, failures, steps, step_limits, findings: [.findings[]
		| {kind, value, runs, seed, events, headline, schedule}]}' "$work/report"
}

# The last campaign said that its engine cannot undo what the program does.
cannot_host() { jq -e '.verdict == "inconclusive" and (.text | test("cannot undo"))' "$work/report" >/dev/null; }

one_run()
{
	timeout 60 "$heddle" run --engine="$1" --model="$model" --seed="$2" -q \
		-o "$work/$1-$2.heddle" "$program" >"$work/log" 2>&1 </dev/null
	"$heddle" info --events "$work/$1-$2.heddle" 2>>"$work/log" >"$work/$1-$2.events"
}

# same WHAT A B: complains with the first difference.
same()
{
	if [ -s "$2" ] && cmp -s "$2" "$3"; then
		return 0
	fi
	echo "    $1: $(basename "$2") and $(basename "$3") differ"
	diff "$2" "$3" | head -n 8 | show
	tail -n 3 "$work/log" | show
	return 1
}

test_campaigns()
{
	local engine bad=0 first=reset

	for engine in reset fork threads; do
		campaign $engine >"$work/$engine.json"
		[ $engine = reset ] && cannot_host && first=fork
	done
	for engine in fork threads; do
		same campaign "$work/$first.json" "$work/$engine.json" || bad=1
	done
	jq -e '.runs == '"$runs" "$work/threads.json" >/dev/null || { jq -r '"    runs are missing: " + .text' "$work/report"; bad=1; }
	report "$name: the same $runs runs on every engine from $first on ($model)" $bad
}

test_runs()
{
	local engine seed bad=0

	for seed in $(seq "$seeds"); do
		for engine in reset fork threads; do
			one_run $engine "$seed"
		done
		for engine in fork threads; do
			same "seed $seed" "$work/reset-$seed.events" "$work/$engine-$seed.events" || bad=1
		done
		rm -rf "$work"/*.heddle "$work"/*.events
	done
	report "$name: the same events on every engine ($model)" $bad
}

test_one()
{
	local compiler=heddle-cc

	file=$here/$1
	name=${1%.*}
	work=$TEST_TMP/$1
	program=$work/prog
	model=$(field model)
	model=${model:-sc}
	mkdir -p "$work"
	case $1 in *.cc) compiler=heddle-c++ ;; esac
	# shellcheck disable=SC2046
	if ! "$bin/$compiler" -O1 -g -pthread $(field flags) -o "$program" "$file" >"$work/log" 2>&1; then
		show "$work/log"
		not_ok "$name builds"
	else
		test_campaigns
		test_runs
	fi
	rm -rf "$work"
}

if [ "${1-}" = --one ]; then
	test_one "$2" >"$TEST_TMP/$$.out" 2>&1
	cat "$TEST_TMP/$$.out"
	exit 0
fi
cd "$here" || exit 3
[ $# -gt 0 ] || set -- buggy/*.c buggy/*.cc correct/*.c correct/*.cc
children "$root/tests/engines/run.sh" "$@"
if [ -n "$long" ]; then
	echo "== again on a loaded machine"
	burners=()
	for i in $(seq "$(nproc)"); do
		while :; do :; done &
		burners+=($!)
	done
	children "$root/tests/engines/run.sh" "$@"
	kill "${burners[@]}"
fi
! grep -q '^not ok' "$TEST_TMP/results"
