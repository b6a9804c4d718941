#!/bin/bash
# The exhaustive search and what it is measured with.
#
# programs/, spin/ and bench/sized/: the numbers of states in the head comments (programs/program.h says
# how they are written) are what enumerate.c finds without heddle, and what `heddle check
# --algorithm=complete' must find.  bench/: the search in a program's head comment (bench/bench.h)
# finds its bug, the bundle replays; correct programs are clean.
#
# header/: heddle/heddle.h with and without heddle.
#
# Arguments choose programs (programs/sb.c bench/bugs/pool.c …).
set -u
. "$(dirname "$0")/../lib.sh"
plan 1339
. "$root/tests/check/bench-lib.sh"
here=$root/tests/check
long=${TEST_LONG-}
clean_runs=2000

field() { sed -nE "s/^ \* $1: *//p" "$file" | head -n 1; }

build()
{
	local compiler=heddle-cc

	case $file in *.cc) compiler=heddle-c++ ;; esac
	# shellcheck disable=SC2086
	"$bin/$compiler" -O1 -g -pthread "$@" -o "$program" "$file" >"$work/log" 2>&1 && return
	show "$work/log"
	not_ok "$name builds"
	return 1
}

# The head comment against the enumerator, for one case.
enumerate()
{
	local flags=$1 states=$2 violations=$3 model line want bad status limit=2

	[ -z "$long" ] || limit=600
	# shellcheck disable=SC2086
	if ! ${CC:-cc} -O1 -DENUMERATE $flags -o "$work/enumerate" "$file" \
		"$TEST_TMP"/enumerate*.o >"$work/log" 2>&1; then
		show "$work/log"
		not_ok "$label is enumerated"
		return
	fi
	for model in SC TSO PSO; do
		want=$(bench_value $model "$states")
		[ -n "$want" ] || continue
		line=$(timeout $limit "$work/enumerate" ${model,,})
		if [ $? -eq 124 ]; then
			skip "$label has $want states under $model" "takes more than $limit s"
			continue
		fi
		bad=$(bench_value $model "$violations")
		grep -q "^states=$want violations=${bad:-[0-9]*} stuck=0 " <<<"$line"
		status=$?
		[ $status -eq 0 ] || echo "    $line, not $want, $bad"
		report "$label has $want states under $model" $status
	done
}

# No violation under SC: random schedules find none; some: they find one.
shake()
{
	local want=$1 status

	timeout 60 "$heddle" check --strategy=random --runs=$clean_runs --json -o "$work/out" \
		"$program" >"$work/json" 2>"$work/log" </dev/null
	status=$?
	[ $status -eq "$want" ] || { echo "    status $status"; tail -n 5 "$work/log" | show; }
	[ $status -eq "$want" ]
	report "$label $([ "$want" -eq 1 ] && echo fails || echo is clean) in random schedules" $?
}

# explored ALGORITHM MODEL: sets executions, states, complete.
explored()
{
	timeout 120 "$heddle" check --algorithm="$1" --model="${2,,}" --all --races=off --json \
		-o "$work/out" "$program" >"$work/json" 2>"$work/log" </dev/null
	read -r executions states complete < <(jq -r '[.executions // "-", .states // "-",
		.complete // false] | join(" ")' "$work/json" 2>/dev/null || echo - - false)
}

# The exact algorithms find all states; the default one with at most, `complete' with exactly as
# many executions; with conditions it tells executions apart that differ only in who waits, and may
# leave some out, which it says.
count_states()
{
	local counts=$1 model want executions states complete algorithm abstract spins

	spins=$(grep -q 'AGAIN(' "$file" && echo yes)
	abstract=$(grep -qE '^(CONDITION|SEMAPHORE|BARRIER)' "$file" && echo yes)

	for model in SC TSO PSO; do
		want=$(bench_value $model "$counts")
		[ -n "$want" ] || continue
		for algorithm in learn complete; do
			# Only the default one takes rounds of waits back, whose executions it needs.
			[ -z "$spins" ] || [ $algorithm = learn ] || continue
			# The default form leaves `complete' to the programs that take no time.
			[ $algorithm = learn ] || [ -n "$long" ] || [ "$want" -le 300 ] || continue
			explored $algorithm $model
			if [ $algorithm$(field complete) = completeless ]; then
				[ "$complete" = false ] && [ "$states" -le "$want" ]
			elif [ $algorithm$abstract = completeyes ]; then
				[ "$states" = "$want" ]
			else
				[ "$complete" = true ] && [ "$states" = "$want" ] &&
					{ [ -n "$spins" ] || [ "$executions" -le "$want" ]; } &&
					{ [ $algorithm = learn ] || [ "$executions" -eq "$want" ]; }
			fi ||
				{ echo "    $states states, not $want, in $executions executions"
				tail -n 3 "$work/log" | show
				false; }
			report "$label is explored by $algorithm under $model" $?
		done
	done
}

# The same with wake-ups for no reason, by enumerator and default algorithm.
count_spurious()
{
	local counts=$1 model want line

	for model in SC TSO PSO; do
		want=$(bench_value $model "$counts")
		[ -n "$want" ] || continue
		line=$(timeout 60 "$work/enumerate" ${model,,} spurious)
		grep -q "^states=$want .* stuck=0 " <<<"$line"
		report "$label has $want states under $model with spurious wake-ups" $?
		timeout 120 "$heddle" check --algorithm=learn --spurious=on --model="${model,,}" --all \
			--races=off --json -o "$work/out" "$program" >"$work/json" 2>"$work/log" </dev/null
		jq -e ".complete and .states == $want" "$work/json" >/dev/null ||
			{ jq -c '[.states, .complete]' "$work/json" | show; false; }
		report "$label is explored with spurious wake-ups under $model" $?
	done
}

# compare_published LINE ALGORITHM: "MODEL=executions/states …" of the head comment, exactly.
compare_published()
{
	local each model want executions states complete

	"$heddle" check --help | grep -q -- --algorithm || return
	for each in $1; do
		model=${each%%=*} want=${each#*=}
		case $model in SC | TSO | PSO) ;; *) continue ;; esac
		explored "$2" "$model"
		[ "$executions/$states" = "$want" ] || echo "    $executions/$states, not $want"
		[ "$executions/$states" = "$want" ]
		report "$label takes $want executions/states by $2 under $model" $?
	done
}

# published ALGORITHM OPTIONS: its line in the case with these options.
published()
{
	awk -v key=" * $1: " -v flags="$2" '/^ \*\// { exit }
	/^ \* case:/ { sub(/^ \* case: */, ""); at = $0 }
	index($0, key) == 1 && at == flags { print substr($0, length(key) + 1) }' "$file"
}

test_counted()
{
	local flags states violations bad

	while IFS='|' read -r flags states violations <&3; do
		label=$name${flags:+ $flags}
		case $flags in *-DLONG*) [ -n "$long" ] || continue ;; esac
		enumerate "$flags" "$states" "$violations"
		# shellcheck disable=SC2086
		build $flags || continue
		bad=$(bench_value SC "$violations")
		shake $((${bad:-0} > 0))
		count_states "$states"
		count_spurious "$(field spurious)"
		compare_published "$(published classic "$flags")" classic
		compare_published "$(published se "$flags")" se
	done 3< <(bench_cases "$file")
}

test_found()
{
	local found=$1 expect kind bundle status

	expect=$(field expect)
	# shellcheck disable=SC2046
	build $(field flags) || return
	if [ "$found" = none ]; then
		skip "$name gives $expect" "no search within reach finds it yet"
		return
	fi
	# shellcheck disable=SC2086
	timeout 60 "$heddle" check $found --json -o "$work/out" "$program" \
		>"$work/json" 2>"$work/log" </dev/null
	status=$?
	kind=$(jq -r '.findings[0].kind // "clean"' "$work/json" 2>/dev/null)
	if ! grep -qw -- "${kind:-none}" <<<"$expect" ||
		[ $status -ne "$([ "$kind" = clean ] && echo 0 || echo 1)" ]; then
		echo "    expected $expect, got ${kind:-nothing}, status $status"
		tail -n 5 "$work/log" | show
		not_ok "$name gives $expect"
		return
	fi
	ok "$name gives $expect"
	[ "$kind" != clean ] || return
	bundle=$(jq -r '.findings[0].bundle' "$work/json")
	timeout 60 "$heddle" replay --times=20 "$bundle" >"$work/log" 2>&1 </dev/null
	[ $? -eq 1 ] && grep -q '20 of 20 identical' "$work/log"
	status=$?
	[ $status -eq 0 ] || tail -n 5 "$work/log" | show
	report "$name replays" $status
}

test_one()
{
	local found

	file=$here/$1
	name=${1%.*}
	name=${name#bench/}
	work=$TEST_TMP/$1.d
	program=$work/prog
	mkdir -p "$work" || exit 3
	found=$(field found)
	if [ -n "$found" ]; then
		test_found "$found"
	else
		test_counted
	fi
}

# Without libheddle.so the header's assertion aborts and its assumption does nothing.
test_header()
{
	local compiler language out=$TEST_TMP/property status

	for compiler in gcc:c g++:c++ clang-19:c clang++-19:c++; do
		language=${compiler#*:} compiler=${compiler%:*}
		if ! command -v "$compiler" >/dev/null; then
			skip "header works with $compiler alone" "not installed"
			continue
		fi
		"$compiler" -x "$language" -Wall -Wextra -Wpedantic -Werror -I"$root/include" \
			-o "$out" "$here/header/property.c" && "$out" &&
			! { (ulimit -c 0; "$out" fail; exit) ; } 2>"$out.log" &&
			grep -q 'property.c:8: main: heddle_assert(argc == 1) failed' "$out.log"
		report "header works with $compiler alone" $?
	done
}

# Failed assumptions end runs, are counted, and are neither failures nor the end of the search.
test_assume()
{
	local out=$TEST_TMP/assume engine status

	"$bin/heddle-cc" -O1 -g -pthread -o "$out" "$here/header/assume.c" || return
	for engine in reset fork threads; do
		"$heddle" check --engine=$engine --runs=200 --json -o "$out.d" "$out" >"$out.json"
		status=$?
		[ $status -eq 0 ] && jq -e '.runs == 200 and
			(.text | contains("ended where an assumption does not hold"))' \
			"$out.json" >/dev/null
		report "assumptions end runs quietly on $engine" $?
	done
	sed '/heddle_assume/d' "$here/header/assume.c" >"$out.c"
	"$bin/heddle-cc" -O1 -g -pthread -o "$out" "$out.c" &&
		! "$heddle" check --runs=200 --json -o "$out.d" "$out" >"$out.json"
	[ "$(jq -r '.findings[0].kind' "$out.json")" = assert ]
	report "without the assumption its assertion fails" $?
}

if [ "${1-}" = --one ]; then
	test_one "$2" >"$TEST_TMP/$$.out" 2>&1
	cat "$TEST_TMP/$$.out"
	exit 0
fi
cd "$here" || exit 3
if [ $# -eq 0 ]; then
	test_header
	test_assume
	set -- programs/*.c spin/*.c bench/*/*.c bench/*/*.cc
fi
for source in enumerate*.c; do
	${CC:-cc} -O2 -c -o "$TEST_TMP/${source%.c}.o" "$source" || exit 3
done
children "$root/tests/check/run.sh" "$@"
! grep -q '^not ok' "$TEST_TMP/results" && [ $failed -eq 0 ]
