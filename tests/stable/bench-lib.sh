# Sourced by bench.sh and suites.sh, after lib.sh: interleaved runs, medians, ratios, a table.
#
# A configuration is a way of running a command:
#   native         without heddle
#   plain          heddle stable as it comes, the program's hints ignored
#   hints          the same with the hints in the program and in the file $hints, if any
#   POLICY         another policy (rr, local, batch, fence) without hints
#   POLICY+hints   with them
# BENCH_PREFIX is put before every command, to have the processors for itself on a busy machine;
# BENCH_STAT=min takes the fastest run instead of the median, which a busy machine disturbs less;
# BENCH_PAUSE=SECONDS leaves the machine to others between two runs.
runs=${RUNS:-5}
stat=${BENCH_STAT:-median}
limit=${BENCH_LIMIT:-300}
hints= stdin=/dev/null

# command_of CONFIG COMMAND...: into the array $command.
command_of()
{
	local config=$1 with=(--off=soba,pcs)
	shift
	case $config in
	native) command=("$@"); return ;;
	*hints) with=() ;;
	esac
	[ ${#with[@]} -gt 0 ] || [ -z "$hints" ] || with=("--hints=$hints")
	case ${config%+hints} in
	plain | hints) ;;
	*) with+=("--policy=${config%+hints}") ;;
	esac
	command=("$heddle" stable -q "${with[@]}" "$@")
}

# once CONFIG COMMAND...: microseconds of one run into $elapsed; 1 when the run failed.
once()
{
	local config=$1 start status
	command_of "$@"
	start=${EPOCHREALTIME/./}
	# shellcheck disable=SC2086
	timeout "$limit" ${BENCH_PREFIX-} "${command[@]}" <"$stdin" >"$out/run.out" 2>"$out/run.err"
	status=$?
	elapsed=$((${EPOCHREALTIME/./} - start))
	[ -z "${BENCH_PAUSE-}" ] || sleep "$BENCH_PAUSE"
	[ $status -eq 0 ] && return 0
	echo "    $config ${command[*]}: exit status $status after $((elapsed / 1000)) ms" >&2
	tail -5 "$out/run.err" | show >&2
	return 1
}

# The median of the numbers in a file, or the smallest.
typical()
{
	sort -n "$1" | awk -v stat="$stat" '{ v[NR] = $1 }
		END { print v[stat == "min" && NR ? 1 : int((NR + 1) / 2)] }'
}

# profile COMMAND...: the profiler's hints, a file for each alternative: every soft barrier by itself,
# all long critical sections, all short ones.
profile()
{
	rm -f "$out"/proposal.*
	# shellcheck disable=SC2086
	timeout "$limit" ${BENCH_PREFIX-} "$heddle" stable -q --profile "$@" <"$stdin" \
		2>"$out/profile" >"$out/run.out"
	awk -v out="$out/proposal." '
		/^  soft barrier:/ { barriers++; file = out barriers }
		/^  long critical section:/ { file = out "long" }
		/^  performance-critical section:/ { file = out "short" }
		sub(/.*in (a|the) hints file: /, "") { print >file }' "$out/profile"
}

# best CONFIG COMMAND...: the faster of two runs, into $elapsed.
best()
{
	local first
	once "$@" || return 1
	first=$elapsed
	once "$@" || return 1
	[ "$elapsed" -lt "$first" ] || elapsed=$first
}

# propose COMMAND...: the hint of the profiler that makes the command fastest, into $hints, if any; a
# gain of less than a twentieth is noise.
propose()
{
	local fastest before proposal
	hints=
	profile "$@"
	best plain "$@" || return 0
	fastest=$elapsed
	for proposal in "$out"/proposal.*; do
		[ -e "$proposal" ] || continue
		before=$hints
		hints=$proposal
		if best hints "$@" && [ $((elapsed * 20)) -lt $((fastest * 19)) ]; then
			fastest=$elapsed
		else
			hints=$before
		fi
	done
	[ -z "$hints" ] || { cp "$hints" "$out/chosen"; hints=$out/chosen; }
}

# measure NAME COMMAND...: one row of the table.
measure()
{
	local name=$1 run config
	shift
	for config in $configs; do : >"$out/$name.$config"; done
	for ((run = 0; run < runs; run++)); do
		for config in $configs; do
			once "$config" "$@" && echo "$elapsed" >>"$out/$name.$config"
		done
	done
	row "$name"
}

row()
{
	local name=$1 config base us
	base=$(typical "$out/$name.native")
	printf '%-16s %9.1f' "$name" "$(awk "BEGIN { print ${base:-0} / 1000 }")"
	for config in $configs; do
		[ "$config" = native ] && continue
		us=$(typical "$out/$name.$config")
		if [ -z "$us" ] || [ -z "$base" ]; then
			printf ' %11s' failed
			failed=1
			continue
		fi
		awk "BEGIN { print $us / $base }" >>"$out/ratio.$config"
		awk "BEGIN { printf \" %11.2f\", $us / $base }"
	done
	echo
}

head_row()
{
	local config
	printf '%-16s %9s' program 'native ms'
	for config in $configs; do [ "$config" = native ] || printf ' %11s' "$config"; done
	echo
}

# The last two rows: geometric mean and worst case of each column.
sum_rows()
{
	local config
	printf '%-16s %9s' 'geometric mean' ''
	for config in $configs; do
		[ "$config" = native ] && continue
		awk '{ s += log($1) } END { printf " %11.2f", NR ? exp(s / NR) : 0 }' "$out/ratio.$config"
	done
	printf '\n%-16s %9s' worst ''
	for config in $configs; do
		[ "$config" = native ] && continue
		sort -n "$out/ratio.$config" | tail -1 | awk '{ printf " %11.2f", $1 }'
	done
	echo
}

# wanted NAME [NAME...]: no names mean all.
wanted() { [ $# -eq 1 ] || [[ " ${*:2} " == *" $1 "* ]]; }
