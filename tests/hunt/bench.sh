#!/bin/bash
# Measurements of heddle hunt on the 17 configurations of the published evaluation (Machado, "Finding and
# fixing concurrency bugs", tables 5.1 to 5.4), written anew in C; see docs/bench-hunt.md.  Beside each
# figure of hunt stands what was published, or what heddle check needs on the same program in the same
# run.  In the environment: NAMES (all), RUNS recorded runs (20), NATIVE runs to count failures in (1000),
# TRIALS of each strategy (5).
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
RUNS=${RUNS-20} NATIVE=${NATIVE-1000} TRIALS=${TRIALS-5}
work=${WORK-$TEST_TMP/bench}
mkdir -p "$work"
cd "$work" || exit 3
ulimit -c 0

# name, argument, published: found by schedules alone, tries, flips, seconds until the answer
configurations()
{
	cat <<'END'
account - sd 0 0 29
critical - - 6 2 1
exmcr - - 6 6 1
pingpong - sd 0 0 1
piper - - 1 1 1
airline - sd 0 0 1
garage - - 9 6 2
bubblesort - - 4 4 1
manager - - 1 1 9
loader - - 11 11 25
stringbuf - sd 0 0 9
ticketorder - - 1 1 1
bufwriter - sd 0 0 10560
pool - - 17 15 1
cache4j 1 sd 0 0 5
cache4j 5 sd 0 0 5400
cache4j 10 sd 0 0 7680
END
}

now() { date +%s%N; }
seconds() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", (b - a) / 1e9 }'; }

# native NAME ARGUMENT: "failures of runs, microseconds of a run" of the plain program.
native()
{
	local i failed=0 begin
	[ -x "$1.native" ] || ${CC:-cc} -O1 -pthread -o "$1.native" "$here/programs/$1.c" || return 1
	begin=$(now)
	for ((i = 0; i < NATIVE; i++)); do
		timeout 10 "./$1.native" $2 >/dev/null 2>&1 || failed=$((failed + 1))
	done
	echo "$failed/$NATIVE $((($(now) - begin) / NATIVE / 1000))"
}

# overhead NAME ARGUMENT: of recording, in percent, many rounds of the whole program.
overhead()
{
	local i begin plain with
	"$bin/heddle-cc" --flavor=record -O1 -g -pthread -o "$1.record" "$here/programs/$1.c" 2>/dev/null || return 1
	begin=$(now)
	for ((i = 0; i < 100; i++)); do "./$1.native" $2 >/dev/null 2>&1; done
	plain=$(($(now) - begin))
	begin=$(now)
	for ((i = 0; i < 100; i++)); do "./$1.record" $2 >/dev/null 2>&1; done
	with=$(($(now) - begin))
	echo $(((with - plain) * 100 / plain))
}

hunted() # ORDER NAME ARGUMENT: the object in NAME.ORDER.json, seconds
{
	local begin
	begin=$(now)
	rm -rf "$2.$1.out"
	timeout 100 "$heddle" hunt --json --method=paths --order="$1" --runs="$RUNS" --time=30 \
		-o "$2.$1.out" "./$2" $3 >"$2.$1.json" 2>/dev/null </dev/null
	seconds "$begin" "$(now)"
}

# attempts STRATEGY NAME ARGUMENT: mean number of schedules until the first failure, - for none.
attempts()
{
	local seed n sum=0 found=0 trials=$TRIALS options=(--strategy="$1")
	[ "$1" = dfs ] && { options+=(--preemptions=2); trials=1; }
	for ((seed = 1; seed <= trials; seed++)); do
		n=$(timeout 30 "$heddle" check --json "${options[@]}" --seed=$((seed * 100003)) --runs=20000 \
			--time=10 -o "$2.check" "./$2" $3 2>/dev/null </dev/null |
			jq -r 'select(.verdict == "failure") | .runs')
		[ -n "$n" ] && { sum=$((sum + n)); found=$((found + 1)); }
	done
	[ $found -gt 0 ] && awk -v s=$sum -v n=$found -v t=$trials \
		'BEGIN { printf "%.1f%s", s / n, n < t ? "(" n "/" t ")" : "" }' || echo -
}

# explained NAME: flows and events of the projection, "shown/all" each.
explained()
{
	local bundle
	bundle=$(jq -r '.found[0].bundle // empty' "$1.feasible.json")
	[ -n "$bundle" ] || { echo "- -"; return; }
	timeout 60 "$heddle" explain --json "$bundle" 2>/dev/null |
		jq -r '"\(.flows_shown)/\(.flows_all) \(.events_shown)/\(.events_all)"' || echo "- -"
}

first() { jq -r "(.found[0].$2) // \"-\"" "$1.json"; }

one() # NAME ARGUMENT SD TRIES FLIPS SECONDS
{
	local name=$1 argument=${2#-} sd=$3 tries=$4 flips=$5 published=$6 failing us took took2 s row
	"$bin/heddle-cc" -O1 -g -pthread -o "$name" "$here/programs/$name.c" || return
	read -r failing us < <(native "$name" "$argument")
	took=$(hunted feasible "$name" "$argument")
	took2=$(hunted published "$name" "$argument")
	printf -v row '%-12s %9s %5s %4s %5s' "$name${argument:+ $argument}" "$failing" \
		"$(jq -r .distinct_runs "$name.feasible.json")" "$sd" "$tries"
	row+=$(printf ' | %5s %5s %5s %6s | %5s %5s %6s | %6s' "$(first "$name.feasible" tries)" \
		"$(first "$name.feasible" flips)" "$(first "$name.feasible" synthesised)" "$took" \
		"$(first "$name.published" tries)" "$(first "$name.published" flips)" "$took2" "$published")
	row+=$(printf ' | %4s%% %6s' "$(overhead "$name" "$argument")" "$us")
	read -r flows events < <(explained "$name")
	row+=$(printf ' | %7s %7s |' "$flows" "$events")
	for s in random pct surw feedback dfs; do
		row+=$(printf ' %9s' "$(attempts "$s" "$name" "$argument")")
	done
	echo "$row"
}

cat <<'END'
rate: native runs that failed; runs: distinct of those recorded; SD, tries, s: as published; then tries,
flips, synthesised and seconds (recording included) of hunt, those of --order=published, the cost of
recording and microseconds of a native run, flows and events of the explanation, and schedules until
heddle check finds it with random, pct, surw, feedback and dfs of two preemptions.
END
printf '%-12s %9s %5s %4s %5s | %5s %5s %5s %6s | %5s %5s %6s | %6s | %5s %6s | %7s %7s | %9s %9s %9s %9s %9s\n' \
	program rate runs SD tries tries flips synth s tries flips s publ. cost us flows events random pct \
	surw feedback dfs
while read -r line; do
	# shellcheck disable=SC2086
	set -- $line
	case " ${NAMES-$1} " in *" $1 "*) one "$@" ;; esac
done < <(configurations)
