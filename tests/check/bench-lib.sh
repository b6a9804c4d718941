# Shared by bench.sh, tables.sh and peers.sh (sourced after ../lib.sh): the cases of the counted
# programs, and one measured run.
bench_limit=${BENCH_LIMIT:-60}

# bench_cases FILE: prints "options|states|violations" per case of its head comment.
bench_cases()
{
	awk 'function out() { if (states != "") print flags "|" states "|" violations }
	/^ \*\// { out(); exit }
	/^ \* case:/ { out(); sub(/^ \* case: */, ""); flags = $0; states = violations = "" }
	/^ \* states:/ { sub(/^ \* states: */, ""); states = $0 }
	/^ \* violations:/ { sub(/^ \* violations: */, ""); violations = $0 }' "$1"
}

# bench_value MODEL LIST: the number of MODEL=number in it, or nothing.
bench_value() { grep -oE "(^| )$1=[0-9]+" <<<"$2" | sed 's/.*=//'; }

# bench_label FILE OPTIONS: how a case is called in tables.
bench_label()
{
	local options

	options=$(sed -e 's/-DLONG//' -e 's/-D[A-Z]*=//g' <<<"$2" | tr -s ' ')
	options=${options% }
	echo "$(basename "$1" .c)${options:+(${options// /,})}"
}

bench_build()
{
	# shellcheck disable=SC2086
	"$bin/heddle-cc" -O1 -g -pthread $2 -o "$3" "$1" >"$3.log" 2>&1 && return
	show "$3.log" >&2
	return 1
}

# bench_time COMMAND…: runs it, stdout to $TEST_TMP/out; seconds in $seconds, those of a processor in
# $cpu: on a busy machine only these say something.
bench_time()
{
	local status wall user system TIMEFORMAT='%R %U %S'

	{ time timeout -k 5 $((bench_limit + 10)) "$@" >"$TEST_TMP/out" 2>"$TEST_TMP/err" \
		</dev/null; } 2>"$TEST_TMP/time"
	status=$?
	read -r wall user system < <(tail -n 1 "$TEST_TMP/time")
	seconds=$wall
	cpu=$(awk -v u="$user" -v s="$system" 'BEGIN { printf("%.3f", u + s) }')
	return $status
}

# bench_check PROGRAM OPTIONS…: one exploration; a tab separated line of what the JSON says:
# states executions complete questions seconds cpu guest solver total memory.  An algorithm that
# may miss behaviours is complete when it came to its end.
bench_check()
{
	local program=$1
	shift
	bench_time "$heddle" check --all --races=off --stats --json --time="${bench_limit}s" \
		-o "$TEST_TMP/found" "$@" "$program"
	jq -r --arg seconds "$seconds" --arg cpu "$cpu" '[.states // "-", .executions // "-",
		(.complete or ((.reason // "") | test("may miss"))), .stats.questions // 0,
		$seconds, $cpu, .stats.guest_seconds // 0, .stats.solver_seconds // 0,
		.stats.total_seconds // 0, .stats.memory_bytes // 0] | @tsv' \
		"$TEST_TMP/out" 2>/dev/null ||
		printf -- '-\t-\tfalse\t0\t%s\t%s\t0\t0\t0\t0\n' "$seconds" "$cpu"
}

# rate NUMBER SECONDS
bench_rate() { awk -v n="$1" -v s="$2" 'BEGIN { if (n ~ /^[0-9]+$/ && s > 0) printf("%.0f", n / s); else printf("-") }'; }
