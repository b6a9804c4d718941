#!/bin/bash
# heddle explain: every failure is shown beside an execution that passes, both really run; what is said is
# tested; the page works in a browser.  TEST_LONG=1: all programs of tests/targets/buggy.
#
# Screenshots of the page are kept in $TEST_BUILD/artefacts/explain.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 84
here=$root/tests/explain
targets=$root/tests/targets/buggy
work=$TEST_TMP/explain
mkdir -p "$work"
cd "$work" || exit 1
need "$heddle" "$bin/heddle-cc"

# Failures of different kinds, for the short form.
chosen="null_between_check_and_use use_after_free deadlock_two lost_wakeup livelock_flag peterson_tso
	message_pso double_free exit_status account_atomicity"

field() { sed -nE "s/^ \* $1: *//p" "$2"; }

# fail_once FILE NAME OPTIONS... -- ARGUMENTS...: NAME.heddle is a failing execution.
fail_once()
{
	local file=$1 name=$2 compiler=heddle-cc options=()
	shift 2
	while [ $# -gt 0 ] && [ "$1" != -- ]; do options+=("$1"); shift; done
	[ $# -gt 0 ] && shift
	case $file in *.cc) compiler=heddle-c++ ;; esac
	# shellcheck disable=SC2046
	"$bin/$compiler" -O1 -g -pthread $(field flags "$file") -o "$name" "$file" >"$name.log" 2>&1 || return
	timeout 100 "$heddle" check --runs=20000 --seed=1 -o "$name.heddle" "${options[@]}" \
		"./$name" "$@" >>"$name.log" 2>&1 </dev/null
	[ -d "$name.heddle" ]
}

explain() { timeout 100 "$heddle" explain -o passing "$@" </dev/null; }

# both_run NAME: exit code 1, both schedules confirmed, few operations shown, and the passing one replays.
both_run()
{
	local status bundle
	explain --json "$1.heddle" >"$1.json" 2>"$1.err"
	status=$?
	if [ $status -ne 1 ] || ! jq -e '.confirmed.failing and .confirmed.alternate and
		.events_shown <= 12 and .pairs_reversed >= 1 and .pairs_reversed <= 3 and
		(.evidence.label == "proved" or .evidence.label == "tested") and .evidence.with == .evidence.with_failed and
		(.same_path == (.branches == [])  or .same_path == false)' "$1.json" >/dev/null; then
		echo "    status $status"; head -c 3000 "$1.json" | show; show "$1.err"
		not_ok "$1 is explained"
		return
	fi
	ok "$1 is explained"
	bundle=$(jq -r .alternate_bundle "$1.json")
	"$heddle" replay -q "$bundle" >"$1.log" 2>&1 </dev/null
	status=$?
	jq -e .alternate_clean "$1.json" >/dev/null
	[ $status -eq $? ]
	report "the passing execution of $1 replays" $?
}

test_targets()
{
	local file name
	for file in "$targets"/*; do
		name=$(basename "$file"); name=${name%.*}
		[ -n "${TEST_LONG-}" ] || grep -qw -- "$name" <<<"$chosen" || continue
		# shellcheck disable=SC2046
		if fail_once "$file" "$name" --model="$(field model "$file" | grep . || echo sc)" \
			$(field options "$file"); then
			both_run "$name"
		else
			not_ok "$name fails"
		fi
	done
}

# says NAME WORDS: the page for the terminal has them, whatever the line breaks.
says()
{
	tr -s ' \n' ' ' <"$1.txt" | grep -qF -- "$2"
	local status=$?
	[ $status -eq 0 ] || show "$1.txt"
	report "$1: $2" $status
}

test_channel()
{
	fail_once "$here/programs/channel.cc" channel || { not_ok "channel fails"; return; }
	explain channel.heddle >channel.txt 2>&1
	says channel "it signals ch.cv: wakes T1 (lambda at channel.cc:"
	says channel "which was on its way out and wakes nobody in turn"
	says channel "sleeps at ch.cv (channel.cc:"
	says channel "nobody is left to wake it"
	says channel "wake all sleepers (broadcast, notify_all) instead of one"
	says channel "schedules that hang: with all awake, each ends"
	[ "$(wc -l <channel.txt)" -le 50 ]
	report "channel fits one screen" $?
	! grep -q "0x7f" channel.txt
	report "channel has names for its objects" $?
}

# variation NAME PATTERN: a variation "variable read failing alternate" that matches.
variation()
{
	fail_once "$here/programs/$1.c" "$1" || { not_ok "$1 fails"; return; }
	explain --json "$1.heddle" >"$1.json" 2>"$1.err"
	jq -r '.variations[] | "\(.variable) \(.read) \(.failing_writer) \(.alternate_writer)"' "$1.json" |
		grep -qE -- "$2"
	local status=$?
	[ $status -eq 0 ] || jq -c .variations "$1.json" | show
	report "$1 has the published variation" $status
}

# advice NAME KIND PLACES
advice()
{
	jq -e --arg k "$2" --arg p "$3" '.advice[] | select(.kind == $k and (.places | join(" ")) == $p and
		.failed == 0 and .schedules >= 5)' "$1.json" >/dev/null
	local status=$?
	[ $status -eq 0 ] || jq -c .advice "$1.json" | show
	report "$1: advice $2 $3" $status
}

test_published()
{
	variation pfscan '^filled pfscan.c:26 pfscan.c:27 pfscan.c:12$'
	advice pfscan atomic "pfscan.c:19 pfscan.c:26"
	variation stringbuf '^from->count stringbuf.c:36 stringbuf.c:27 null$'
	advice stringbuf atomic "stringbuf.c:19 stringbuf.c:36"
	variation bbuf '^head bbuf.c:30 bbuf.c:31 null$'
	advice bbuf atomic "bbuf.c:25 bbuf.c:30"
	variation pbzip2 '^fifo pbzip2.c:17 pbzip2.c:33 null$'
	variation bank '^bank_total bank.c:14 null bank.c:14$'
	advice bank atomic "bank.c:14 bank.c:14"
	variation cache4j '^in_try_block cache4j.c:25 null cache4j.c:11$'
	advice cache4j order "cache4j.c:11 cache4j.c:25"
	variation samepath '^wrong samepath.c:36 samepath.c:22 null$'
	jq -e '.same_path == false and (.branches | length) > 0' samepath.json >/dev/null
	report "samepath: other branches are said" $?
}

# proved NAME EXECUTIONS WITH SAME: so many executions, with all that decides, passing on the same path.
proved()
{
	jq -e --argjson n "$2" --argjson w "$3" --argjson s "$4" '.evidence | .label == "proved" and .all and
		.executions == $n and .with == $w and .with_failed == $w and
		.same_path_passing == $s' "$1.json" >/dev/null
	local status=$?
	[ $status -eq 0 ] || jq -c .evidence "$1.json" | show
	report "$1: proved on all $2 executions" $status
}

# The numbers are those of paper and pencil, or of `heddle check --algorithm=dpor'.
test_proved()
{
	proved pfscan 8 4 2
	proved samepath 2 1 0
	variation toy '^y toy.c:15 toy.c:25 toy.c:14$'
	jq -e '(.same_path | not) and (.branches | length) == 1 and .evidence.all and
		.evidence.same_path_passing == 0' toy.json >/dev/null
	report "toy: proved that nothing passes with its branches" $?
	variation two_sites '^balance '
	proved two_sites 5 1 3
	advice two_sites atomic "two_sites.c:17 two_sites.c:17 two_sites.c:10 two_sites.c:10"
	variation check_then_free '.*'
	proved check_then_free 17 10 3
	advice check_then_free atomic "check_then_free.c:10 check_then_free.c:11"
	variation if_not_while '^items '
	advice if_not_while wakeup "if_not_while.c:13 if_not_while.c:15"
	fail_once "$here/programs/always.c" always
	answers "no schedule passes" 4 "proved, the program has .* executions" explain always.heddle
}

# holds NAME WORDS FILTER: what is said of it, in JSON.
holds()
{
	jq -e "$3" "$1.json" >/dev/null
	local status=$?
	[ $status -eq 0 ] || jq -c . "$1.json" | head -c 4000 | show; echo
	report "$1: $2" $status
}

# explained FILE NAME OPTIONS...
explained()
{
	fail_once "$here/programs/$1" "$2" "${@:3}" || { not_ok "$2 fails"; return; }
	explain --json "$2.heddle" >"$2.json" 2>"$2.err"
}

test_kinds()
{
	explained pso_message.c pso_message --model=pso
	holds pso_message "needs PSO, as every state of TSO shows" '.memory.needs == "PSO"'
	holds pso_message "fences and nothing else are advised" \
		'.advice | length > 0 and all(.kind == "fence" and .checked and .failed == 0)'
	holds pso_message "the late store is told" '.story | test("store message.* had not reached memory")'
	explained pipe_turns.c pipe_turns
	holds pipe_turns "the order of writes to the pipe decides" \
		'.evidence.label == "tested" and (.cause | length > 0 and all(.kind == "synchronisation"))'
	explained local_cache.cc local_cache
	holds local_cache "what is read decides, not who locks first" \
		'.cause | length > 0 and all(.kind == "memory" and (.read | startswith("local_cache.cc:")))'
	advice local_cache atomic "local_cache.cc:15 local_cache.cc:25"
	explained sem_cycle.c sem_cycle
	advice sem_cycle lock-order "sem_cycle.c:10 sem_cycle.c:11 sem_cycle.c:20 sem_cycle.c:21"
}

# The published cores: one pair each (Machado, dissertation, section 4.3.4).  The stretch of the chain that
# ends with the unlock in figure 4.2 ends with the thread here.
test_orderings()
{
	holds pfscan "one ordering of conflicts and one of the chain keep out all that passes" \
		'.orderings | .proved and ([.conflicts[], .chain[] | .first.place, .second.place] ==
		["pfscan.c:27", "pfscan.c:26", "pfscan.c:44", "pfscan.c:25"])'
}

# check tells why before how.
test_story()
{
	"$heddle" check --seed=1 -o story ./bank >story.txt 2>&1 </dev/null
	sed -n '/^why, beside/,/^schedule:/p' story.txt | grep -q "reads bank_total = "
	local status=$?
	[ $status -eq 0 ] || show story.txt
	report "check says why before the schedule" $status
	grep -q "^explain: heddle explain --html=why.html story/bank-1.heddle" story.txt
	report "check says how to learn more" $?
	"$heddle" check --json --seed=1 -o story ./bank </dev/null 2>/dev/null |
		jq -e '.. | .story? // empty | test("reads bank_total = ")' >/dev/null
	report "check says why in JSON" $?
}

test_forms()
{
	explain --sarif --dot=f.dot --chrome=f.trace pfscan.heddle >f.sarif 2>f.err
	jq -e '.runs[0].results[0].codeFlows[0].threadFlows | length >= 2' f.sarif >/dev/null
	report "SARIF has a thread flow per thread" $?
	grep -q "cluster_1" f.dot && [ "$(tail -n 1 f.dot)" = "}" ]
	report "the graph has both sides" $?
	jq -e '[.traceEvents[] | select(.ph == "X") | .pid] | unique == [0, 1]' f.trace >/dev/null
	report "the trace has both executions" $?
}

# answers NAME STATUS WORDS COMMAND...
answers()
{
	local name=$1 want=$2 words=$3 status
	shift 3
	"$@" >answer.txt 2>&1 </dev/null
	status=$?
	[ $status -eq "$want" ] && grep -q -- "$words" answer.txt
	local good=$?
	[ $good -eq 0 ] || { echo "    status $status"; show answer.txt; }
	report "$name" $good
}

test_bad_input()
{
	answers "no bundle named" 2 "bundle is missing" explain
	answers "one word too many" 2 "too many" explain a b
	answers "a bundle that is not there" 3 "explain: " explain nothing.heddle
	mkdir -p empty && answers "a directory that is none" 3 "explain: " explain empty
	answers "a passing bundle" 0 "did not fail" explain passing/bank-passing-1.heddle
	cp -r cache4j.heddle old.heddle
	"$bin/heddle-cc" -O2 -g -pthread -o cache4j "$here/programs/cache4j.c"
	answers "another build" 3 "not the recorded one" explain old.heddle
	cp "$here/programs/stringbuf.c" gone.c
	fail_once "$work/gone.c" gone && rm gone.c
	answers "no source files" 1 "gone.c:36" explain gone.heddle
	"$bin/heddle-cc" -O1 -pthread -o bare "$here/programs/pbzip2.c" &&
		"$heddle" check -q --runs=5000 -o bare.heddle ./bare >/dev/null 2>&1 </dev/null
	answers "no debug information" 1 "FAILS" explain bare.heddle
}

test_targets
test_channel
test_published
test_proved
test_kinds
test_orderings
test_story
test_forms
test_bad_input
. "$here/page.sh"
. "$here/random.sh"
exit $failed
