#!/bin/bash
# heddle predict on trace files: worked examples, kernels, hostile input, published traces.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 405
here=$(cd "$(dirname "$0")" && pwd)
data=${TEST_TRACES:-$root/../shared/data/traces}
tmp=$TEST_TMP

need "$heddle" "$bin/heddle-cc"
p() { "$heddle" predict "$@"; }

# expect NAME STATUS TEXT ARGUMENT...: exit status and a text in the output.
expect()
{
	local name=$1 status=$2 text=$3
	shift 3
	p "$@" >"$tmp/out" 2>&1
	local got=$?
	if [ $got -eq "$status" ] && grep -qF -- "$text" "$tmp/out"; then
		ok "$name"
	else
		not_ok "$name"
		echo "    exit $got instead of $status, or no \"$text\" in:"
		head -5 "$tmp/out" | show
	fi
}

if command -v python3 >/dev/null; then
	python3 "$here/compare.py" "$heddle" vectors "$here"/vectors/*.trace | sed 's/ok /ok vector-/'
	python3 "$here/compare.py" "$heddle" kernels "$here"/kernels/*.trace | sed 's/ok /ok kernel-/'
	for d in 1 2 3 4 5 6; do
		python3 "$here/f3r.py" $d >"$tmp/f3r$d.trace"
		expect "f3r$d-refuted" 0 "infeasible under cdsr" "$tmp/f3r$d.trace"
		expect "f3r$d-closure-is-undecided" 4 "unknown under cdsr" --stages=closure "$tmp/f3r$d.trace"
		expect "f3r$d-search-alone" 0 "(stage search)" --stages=search "$tmp/f3r$d.trace"
		expect "f3r$d-depth-$d" 0 "(stage lookahead)" --stages=lookahead --lookahead=$d \
			"$tmp/f3r$d.trace"
		expect "f3r$d-depth-$((d - 1))-too-little" 4 "unknown under cdsr" --stages=lookahead \
			--lookahead=$((d - 1)) "$tmp/f3r$d.trace"
	done
else
	skip vectors "python3 is not installed"
fi
# ---- the list of races: nothing is lost, nothing is there twice ----
printf 'T0|r(x)|b\nT0|w(x)|c\nT1|w(x)|d\n' >"$tmp/t"
expect list-has-the-read 1 "x: T0 reads at b, T1 writes at d" --find=race "$tmp/t"
expect list-has-the-write 1 "x: T0 writes at c, T1 writes at d" --find=race "$tmp/t"
printf 'T0 r(x)\nT0 r(x)\nT1 w(x)\n' >"$tmp/t"
expect list-without-places-first-line 1 "T0 reads at line 1 of the trace" --find=race "$tmp/t"
expect list-without-places-second-line 1 "T0 reads at line 2 of the trace" --find=race "$tmp/t"
if command -v python3 >/dev/null; then
	mkdir "$tmp/listed"
	for kind in race deadlock; do
		python3 "$here/listed.py" "$heddle" "$tmp/listed" $kind "$([ -n "${TEST_LONG-}" ] && echo 10000 || echo 400)"
	done
fi
expect fig4-by-search 1 "(stage search)" --stages=search "$here/vectors/fig4.trace"
expect f4r-by-search 1 "(stage search)" --stages=search "$here/vectors/f4r.trace"

# ---- a general solver gives the same answers ----
for model in csr cdsr; do
	expect "z3-agrees-on-kernels-$model" 0 "the same answers" --versus=z3 --model=$model "$here"/kernels/*.trace
	expect "z3-agrees-on-vectors-$model" 0 "the same answers" --versus=z3 --model=$model "$here"/vectors/*.trace
done

# ---- hostile input ----
bad() { expect "bad-$1" 3 "$3" "$2"; }
: >"$tmp/empty"; bad empty-file "$tmp/empty" "the file is empty"
head -c 4096 /dev/urandom >"$tmp/binary"; bad binary-file "$tmp/binary" "not a text trace"
bad missing-file "$tmp/none" "No such file"
printf '# only a comment\n' >"$tmp/t"; bad no-events "$tmp/t" "no events"
printf 'T1|w(x)|1\nT1|zap(x)|2\nT1|w(x)|3\n' >"$tmp/t"; bad unknown-operation "$tmp/t" 'line 2: unknown operation "zap"'
printf 'T1|w(x)|1\nT1|w(x\nT2|w(x)|3\n' >"$tmp/t"; bad std-two-fields "$tmp/t" "line 2: not"
printf 'T1|w|1\n' >"$tmp/t"; bad missing-operand "$tmp/t" "needs an operand"
printf 'T1 w(x\nT2 w(x)\n' >"$tmp/t"; bad open-parenthesis "$tmp/t" "line 1:"
printf 'w(x) w(y)\n' >"$tmp/t"; bad no-thread "$tmp/t" "begins with the name of a thread"
printf '1,WR,1,a:1:1,1\n1,XX,1,a:1:1,1\n' >"$tmp/t"; bad speedygo-operation "$tmp/t" 'line 2: unknown operation "XX"'
printf 'T1 w(x)\nT1 wait(c)^nowhere\n' >"$tmp/t"; bad unknown-signal "$tmp/t" "names no earlier signal"
printf 'T1 w(x)@p\nT2 w(x)\n? race p q\n' >"$tmp/t"; bad question-event "$tmp/t" 'line 3: no event "q"'
printf 'T1 w(x)@p r(x)@q\n? race p q\n' >"$tmp/t"; bad question-one-thread "$tmp/t" "belong to one thread"
printf 'T1 w(x)@p\nT2 w(y)@q\n? race p q\n' >"$tmp/t"; bad question-other-location "$tmp/t" "do not access one location"
expect bad-option 2 "no stage 'nonsense'" --stages=nonsense "$here/vectors/s1.trace"
expect bad-kind 2 "none of race" --find=nonsense "$here/vectors/s1.trace"
expect no-file 2 "missing"
long=$(printf 'x%.0s' $(seq 1 5000))
printf 'T1 %s\n' "$long" >"$tmp/t"; bad long-word "$tmp/t" "unknown operation"

# ---- repaired input says so ----
printf 'T1 w(x) rel(l)\nT2 w(x)\n' >"$tmp/t"; expect unmatched-release 1 "line 1: thread T1 releases lock l without holding it" "$tmp/t"
expect unmatched-release-strict 3 "without holding it" --strict "$tmp/t"
printf 'T1 acq(l)\nT2 acq(l) w(x) rel(l)\nT1 w(x) rel(l)\n' >"$tmp/t"; expect lock-held-by-other 1 "while another thread holds it" "$tmp/t"
printf 'T2 w(x)\nT1 fork(T2) w(x)\n' >"$tmp/t"; expect event-before-fork 1 "before it is forked" "$tmp/t"
printf 'T1 fork(T2) join(T2) w(x)\nT2 w(x)\n' >"$tmp/t"; expect event-after-join 1 "after it is joined" "$tmp/t"
printf 'T1 wait(c) w(x)\nT2 w(x)\n' >"$tmp/t"; expect wait-without-signal 1 "spurious wake-up" "$tmp/t"
printf 'T1|w(x)|1\nT2|w(x)|2\nT1|w(' >"$tmp/t"; expect cut-off-line 1 "ends in the middle of this line" "$tmp/t"
printf 'T1 acq(l) w(x)\nT2 w(x) acq(l)' >"$tmp/t"; expect open-sections 1 "ends inside 1 critical section" "$tmp/t"
printf 'T1 r(x)\nT2 r(x)\n' >"$tmp/t"; expect never-written 0 "2 events" "$tmp/t"

# ---- other ways in and out ----
round()
{
	p --convert=native "$1" >"$tmp/a.trace" && p --convert=native "$tmp/a.trace" >"$tmp/b.trace" &&
		cmp -s "$tmp/a.trace" "$tmp/b.trace" && p --table "$tmp/a.trace" | grep '^total' >"$tmp/a.total" &&
		p --table "$1" | grep '^total' | cmp -s - "$tmp/a.total"
}
for f in "$here"/kernels/{cp7,vtex6,TimerThread}.trace; do
	round "$f"
	report "round-trip-$(basename "$f" .trace)" $?
done
p --convert=std "$here/kernels/cp5.trace" >"$tmp/std"
report convert-std-counts "$([ "$(p --table "$tmp/std" | grep '^total' | cut -c25-)" = "$(p --table "$here/kernels/cp5.trace" | grep '^total' | cut -c25-)" ]; echo $?)"
printf 'T1 racq(l) w(x)@p rel(l)\nT2 racq(l) w(x)@q rel(l)\n? race p q\n' >"$tmp/t"; expect readers-race 1 "feasible under cdsr" "$tmp/t"
printf 'T1 acq(l) w(x)@p rel(l)\nT2 racq(l) w(x)@q rel(l)\n? race p q\n' >"$tmp/t"; expect reader-and-writer-exclude 0 "infeasible" "$tmp/t"
printf 'T1 aw(x)\nT2 rmw(x)\n' >"$tmp/t"; expect atomics-do-not-race 0 "2 events" "$tmp/t"
printf 'T1 post(s) w(x)@p\nT2 take(s) w(x)@q\n? race p q\n' >"$tmp/t"; expect post-take 1 "feasible" "$tmp/t"
printf 'T1 w(x)@p post(s)\nT2 take(s) w(x)@q\n? race p q\n' >"$tmp/t"; expect post-take-orders 0 "infeasible" "$tmp/t"
printf 'T1 w(x)@p arrive(b)\nT2 arrive(b) leave(b) w(x)@q\nT1 leave(b)\n? race p q\n' >"$tmp/t"; expect barrier-orders 0 "infeasible" "$tmp/t"
meeting()
{
	# N threads meet at one barrier; what each wrote before, another one reads after.
	seq -f 'T0|fork(T%.0f)|a' 1 $(($1 - 1))
	for t in $(seq 0 $(($1 - 1))); do echo "T$t|w(x$t)|b"; done
	seq -f 'T%.0f|arrive(b)|c' 0 $(($1 - 1))
	seq -f 'T%.0f|leave(b)|d' 0 $(($1 - 1))
	for t in $(seq 0 $(($1 - 1))); do echo "T$t|r(x$((($t + 1) % $1)))|e"; done
	echo 'T1|w(y)|f'
	echo 'T2|w(y)|g'
}
meeting 3000 >"$tmp/t"
timeout 60 "$heddle" predict --find=race "$tmp/t" >"$tmp/out" 2>&1
grep -q 'race: 1 feasible, 3000 infeasible, 0 unknown (of 3001 candidates)' "$tmp/out"
report barrier-of-3000-threads $?
meeting 5 >"$tmp/t"
round "$tmp/t"
report round-trip-barrier $?
printf 'T1 w(f) w(x)@p\nT2 r(f) w(x)@q\n? race p q\n' >"$tmp/t"; expect read-kept 1 "feasible" "$tmp/t"
printf 'T1 w(x)@p w(f)\nT2 r(f) w(x)@q br\n? race p q\n' >"$tmp/t"
expect branch-model-off 0 "infeasible under cdsr" --model=cdsr "$tmp/t"
expect branch-model-by-itself 1 "feasible under branch" "$tmp/t"
expect branch-model-on 1 "feasible under branch" --model=branch "$tmp/t"
printf 'T1 w(x)@p w(f)\nT2 r(f) br w(x)@q\n? race p q\n' >"$tmp/t"; expect branch-between 0 "infeasible under branch" --model=branch "$tmp/t"
expect csr-named 1 "feasible under csr" --model=csr "$tmp/t"
printf 'T1 w(x)@p w(f)\nT2 r(f) w(x)@q\n? race p q\n' >"$tmp/t"
expect branch-model-without-branches 0 "the trace has no branch events: every read keeps its writer, the model is cdsr" --model=branch "$tmp/t"
p --json --model=branch "$tmp/t" | grep -q '"model": *"cdsr"'
report json-says-the-model-that-was-used $?

# ---- steps of several events ----
step() { expect "step-$1" "$2" "$3" "$tmp/t"; }
printf 'T1 w(x) +w(y)\nT2 r(x) w(y)@q\nT1 w(y)@p\n? race p q\n' >"$tmp/t"; step is-done-as-a-whole 1 "feasible under cdsr"
printf 'T1 w(x) +w(y)@p\nT2 r(x) w(y)@q\n? race p q\n' >"$tmp/t"; step is-not-half-done 0 "infeasible under cdsr"
printf 'T1 w(x) w(y)@p\nT2 r(x) w(y)@q\n? race p q\n' >"$tmp/t"; step unlike-two-steps 1 "feasible under cdsr"
printf 'T2 w(z)@q\nT1 join(T2) +w(z)@p\n? race p q\n' >"$tmp/t"; step what-is-before-must-be-possible 0 "infeasible under cdsr"
printf 'T1 r(f) +w(z)@p\nT2 w(f) w(z)@q\n? race p q\n' >"$tmp/t"; step what-is-before-must-read-the-same 0 "infeasible under cdsr"
printf 'T1 r(f) &r(z)@p\nT2 w(f) w(z)@q\n? race p q\n' >"$tmp/t"; step but-not-parts-of-one-access 1 "feasible under cdsr"
printf 'T1 w(x) +w(y) &w(z)\nT2 r(x)\n' >"$tmp/t"; round "$tmp/t"; report round-trip-steps $?

# ---- deadlocks ----
handed()
{
	# Twelve threads go down a list hand over hand and take locks in one order; two do not.
	for t in $(seq 12); do
		printf 'T%d acq(l0)' $t
		for l in $(seq 24); do printf ' acq(l%d) rel(l%d)' $l $((l - 1)); done
		printf ' rel(l24)\nT%d' $t
		for l in $(seq 10); do printf ' acq(n%d)' $l; done
		for l in $(seq 10); do printf ' rel(n%d)' $l; done
		echo
	done
	[ -z "$1" ] || printf 'A acq(a) acq(b) rel(b) rel(a)\nB acq(b) acq(a) rel(a) rel(b)\n'
}
handed "" >"$tmp/t"; expect acyclic-orders-need-no-search 0 "no deadlock is predictable" --find=deadlock "$tmp/t"
handed both >"$tmp/t"; expect acyclic-orders-hide-nothing 1 "deadlock: 1 feasible, 0 infeasible, 0 unknown (of 1 candidate)" --find=deadlock "$tmp/t"
for t in $(seq 0 199); do printf 'T%d acq(l%d) acq(l%d) rel(l%d) rel(l%d)\n' $t $t $(((t + 1) % 200)) $(((t + 1) % 200)) $t; done >"$tmp/t"
expect one-cycle-of-200 1 "deadlock: 1 feasible, 0 infeasible, 0 unknown (of 1 candidate)" --find=deadlock "$tmp/t"
# Every thread takes every pair of locks in both orders, one thread after the other.
for t in $(seq 16); do
	for a in $(seq 9); do for b in $(seq 9); do
		[ $a -ne $b ] && printf 'T%d acq(l%d) acq(l%d) rel(l%d) rel(l%d)\n' $t $a $b $b $a
	done; done
	printf 'T%d w(done%d)\nT%d r(done%d)\n' $t $t $((t + 1)) $t
done >"$tmp/t"
expect too-many-cycles-are-said 4 "nothing found, but not every cycle of locks was looked at" --find=deadlock "$tmp/t"
expect too-many-cycles-name-a-length 4 "or more locks were not all looked at" --find=deadlock "$tmp/t"
p --json --find=deadlock "$tmp/t" | grep -q '"cycles_complete_below"'
report json-says-too-many-cycles $?
stuck() { expect "$1" "$2" "$3" "$tmp/t"; }
printf 'T1 acq(a)@p rel(a)\nT2 acq(b)@q rel(b)\n? deadlock p q\n' >"$tmp/t"; stuck deadlock-without-locks-held 0 "infeasible under cdsr"
printf 'T1 acq(a) acq(b)@p rel(b) rel(a)\nT2 acq(b) acq(c)@q rel(c) rel(b)\n? deadlock p q\n' >"$tmp/t"; stuck deadlock-of-one-side 0 "infeasible"
printf 'T1 acq(a) tacq(b)@p rel(b) rel(a)\nT2 acq(b) acq(a)@q rel(a) rel(b)\n? deadlock p q\n' >"$tmp/t"; stuck deadlock-of-a-trylock 0 "infeasible"
printf 'T1 racq(a) racq(b)@p rel(b) rel(a)\nT2 racq(b) racq(a)@q rel(a) rel(b)\n? deadlock p q\n' >"$tmp/t"; stuck deadlock-of-readers 0 "infeasible"
printf 'T1 acq(a) acq(b)@p rel(b) rel(a)\nT2 acq(b) acq(c)@q rel(c) rel(b)\nT3 acq(c) acq(a)@r rel(a) rel(c)\n? deadlock r q p\n' >"$tmp/t"; stuck deadlock-named-backwards 1 "feasible under cdsr"

printf 'T0 acq(a) +acq(b) rel(b) rel(a)\nT1 acq(b) acq(a) rel(a) rel(b)\n' >"$tmp/t"
expect nobody-waits-inside-a-step 0 "no deadlock is predictable" --find=deadlock "$tmp/t"
printf 'T0 acq(a) +acq(b)@p rel(b) rel(a)\nT1 acq(b) acq(a)@q rel(a) rel(b)\n? deadlock p q\n' >"$tmp/t"
stuck deadlock-inside-a-step 0 "infeasible"

# ---- which blocks are taken as atomic ----
blocks() { expect "$1" "$2" "$3" --find=atomicity "$tmp/t"; }
printf 'T1 acq(l) r(x) rel(l) acq(l) w(x) rel(l)\nT2 acq(l) w(x) rel(l)\n' >"$tmp/t"
blocks stale-update-is-inferred 1 "is inferred (two consecutive critical sections of one lock)"
printf 'T1 acq(l) r(x) rel(l) acq(l) r(x) rel(l)\nT2 acq(l) w(x) rel(l)\n' >"$tmp/t"
blocks two-reads-are-inferred 1 "pattern RWR"
printf 'T1 acq(l) r(x) rel(l) acq(l) r(x) br rel(l)\nT2 acq(l) w(x) rel(l)\n' >"$tmp/t"
blocks second-section-looks-anew 0 "atomicity: no candidates"
printf 'T1 acq(l) w(x) rel(l) acq(l) r(x) w(x) rel(l)\nT2 acq(l) w(x) rel(l)\n' >"$tmp/t"
blocks second-section-updates-by-itself 0 "no atomicity violation is predictable from this trace"
printf 'T1 acq(l) w(x) rel(l) acq(l) r(x) rel(l)\nT2 acq(l) w(x) rel(l)\n' >"$tmp/t"
blocks own-write-lost 1 "pattern WWR"
printf 'T1 acq(l) w(x) rel(l) acq(l) w(x) rel(l)\nT2 acq(l) r(x) rel(l)\nT3 br\n' >"$tmp/t"
blocks published-under-the-lock 0 "atomicity: no candidates"
printf 'T1 acq(l) w(x) rel(l) acq(l) w(x) rel(l)\nT2 r(x) acq(l) rel(l)\nT3 br\n' >"$tmp/t"
blocks seen-without-the-lock 1 "pattern WRW"
printf 'T1 acq(l) w(x) w(x) rel(l)\nT2 r(x)\n' >"$tmp/t"
blocks one-section 1 "is inferred (one critical section)"
printf 'T1 begin acq(l) r(x) rel(l) acq(l) r(x) br rel(l) end\nT2 acq(l) w(x) rel(l)\n' >"$tmp/t"
blocks annotated-needs-no-evidence 1 "that belong together (annotated block)"

printf 'race:^y$\n' >"$tmp/supp"
expect suppressed 0 "2 suppressed" --find=race --suppressions="$tmp/supp" "$here/vectors/fig7a.trace"
printf 'nonsense\n' >"$tmp/supp"; expect bad-suppression 3 'not "kind:pattern"' --suppressions="$tmp/supp" "$here/vectors/s1.trace"
printf 'race p q\n' >"$tmp/ask"; printf 'T1 w(x)@p\nT2 w(x)@q\n' >"$tmp/t"; expect question-file 1 "feasible under cdsr" --ask="$tmp/ask" "$tmp/t"
expect witness-listing 1 "schedule:" --witness "$here/vectors/f4r.trace"
rm -rf "$tmp/w"; p --save-witness="$tmp/w" --find=deadlock "$here/vectors/d5.trace" >/dev/null
report saved-witness-is-a-trace "$(p --find=none "$tmp/w/deadlock-1.trace" >"$tmp/out" 2>&1; echo $?)"
if command -v python3 >/dev/null; then
	p --json "$here/vectors/d9.trace" "$here/vectors/a1.trace" | python3 -c 'import json,sys
r = json.load(sys.stdin)["files"]
assert len(r) == 2 and r[0]["findings"][0]["schedule"] and r[1]["findings"][0]["kind"] == "atomicity"'
	report json $?
	p --sarif --find=race,deadlock,atomicity "$here/vectors/d9.trace" | python3 -c 'import json,sys
r = json.load(sys.stdin)
assert r["version"] == "2.1.0" and all(x["locations"] for x in r["runs"][0]["results"])'
	report sarif $?
fi

# ---- programs: every prediction is run, and must get there ----
confirm()
{
	local source=$1 name cc=cc seed
	name=$(basename "$(dirname "$source")")-$(basename "$source" | tr . _)
	case $source in *.cc) cc=c++ ;; esac
	"$heddle" $cc -g -O1 -o "$tmp/$name" "$source" -pthread >/dev/null 2>&1 || return
	for seed in $seeds; do
		timeout 60 "$heddle" predict --confirm --all --show=0 --seed=$seed "$tmp/$name" \
			>"$tmp/$name.out" 2>&1
		got=$?
		if [ $got -eq 1 ] && [ "${name#correct-}" != "$name" ]; then
			not_ok "confirm-$name-$seed (nothing is wrong with it)"
			grep -E '^(race|deadlock|atomicity) [0-9]+:|the run failed' "$tmp/$name.out" | head -3 | show
			return
		fi
		if [ $got -gt 1 ] && [ $got -ne 4 ] || grep -q 'diverged' "$tmp/$name.out"; then
			not_ok "confirm-$name-$seed"
			grep -E '^heddle|diverged' "$tmp/$name.out" | head -3 | show
			return
		fi
		confirmed=$((confirmed + $(grep -c ': confirmed in' "$tmp/$name.out")))
	done
	ok "confirm-$name"
}
# ---- call stacks ----
stacks()
{
	local want=$1
	shift
	p --find=race "$@" 2>/dev/null | grep -A40 '^race 1:' | grep -B40 -m1 '  why:' |
		sed -n 's/^      \([^ ]*\) .*[:.][a-z]*:\([0-9]*\):[0-9]*$/\1:\2/p' | tr '\n' ' ' >"$tmp/out"
	[ "$(cat "$tmp/out")" = "$want" ] || { show "$tmp/out"; return 1; }
}
"$heddle" cc -g -O2 -o "$tmp/stacks" "$here/stacks.c" -pthread &&
	stacks "deep:11 deep:9 deep:9 work:22 thread:31 deep:10 deep:9 deep:9 work:22 main:32 " "$tmp/stacks"
report both-stacks-of-a-race $?
"$heddle" c++ -g -O2 -o "$tmp/unwind" "$here/unwind.cc" -pthread &&
	{ stacks "catcher:18 thread:27 catcher:18 main:28 " "$tmp/unwind" ||
		stacks "catcher:18 main:28 catcher:18 thread:27 " "$tmp/unwind"; }
report stacks-after-an-exception $?
"$heddle" run --markers -o "$tmp/stacks.heddle" "$tmp/stacks" >/dev/null 2>&1
stacks "deep:11 deep:9 deep:9 work:22 thread:31 deep:10 deep:9 deep:9 work:22 main:32 " "$tmp/stacks.heddle"
report both-stacks-from-a-bundle $?
"$heddle" cc -g -O1 -o "$tmp/flow" "$here/flow.c" -pthread
for case in 0 1 2 3 4; do
	for seed in 1 2 3 4; do
		p --model=branch --seed=$seed "$tmp/flow" $case >"$tmp/out" 2>&1 || break
	done
	report "dependence-without-a-branch-$case" $?
done
"$heddle" cc -g -O1 -o "$tmp/fields" "$here/programs/bytes/fields.c" -pthread &&
	"$heddle" cc -g -O1 -o "$tmp/cleared" "$here/programs/bytes/cleared.c" -pthread
for seed in 1 2 3 4 5 6; do
	expect "fields-of-one-structure-$seed" 0 "no data race, deadlock or atomicity violation" --seed=$seed "$tmp/fields"
done
"$heddle" cc -g -O1 -o "$tmp/trywait" "$here/programs/sync/trywait.c" -pthread
for seed in 1 2 3; do
	expect "token-got-without-waiting-$seed" 0 "no data race" --find=race --seed=$seed "$tmp/trywait"
done
"$heddle" cc -g -O1 -o "$tmp/handler" "$here/programs/sync/handler.c" -pthread
"$heddle" cc -g -O1 -o "$tmp/strcpy" "$here/programs/bytes/strcpy.c" -pthread
expect signal-before-its-handler 0 "no data race" --find=race "$tmp/handler"
expect library-call-races 1 "race: 1 feasible, 0 infeasible, 0 unknown (of 1 candidate)" --find=race "$tmp/strcpy"
expect library-call-races-and-happens 1 "1 of 1 prediction confirmed by running it" --find=race --confirm "$tmp/strcpy"
expect structure-and-its-fields 1 "race: 2 feasible, 0 infeasible, 0 unknown (of 2 candidates)" --find=race "$tmp/cleared"
expect structure-and-its-fields-happen 1 "2 of 2 predictions confirmed by running them" --confirm "$tmp/cleared"
printf 'race:^deep$\n' >"$tmp/supp"
expect function-on-the-stack-suppressed 0 "suppressed" --find=race --suppressions="$tmp/supp" "$tmp/stacks"
p --sarif --find=race "$tmp/stacks" | python3 -c 'import json,sys
r = json.load(sys.stdin)["runs"][0]["results"][0]["stacks"]
assert [len(s["frames"]) for s in r] == [4, 5] and all(f["location"]["physicalLocation"] for s in r for f in s["frames"])'
report sarif-has-both-stacks $?
p --json --find=race "$tmp/stacks" | python3 -c 'import json,sys
r = json.load(sys.stdin)["files"][0]["findings"][0]["events"]
assert [f["function"] for f in r[1]["stack"]] == ["deep", "deep", "deep", "work", "main"]'
report json-has-both-stacks $?

target() { "$heddle" cc -g -O1 -o "$tmp/$1" "$root/tests/targets/$2/$1.c" -pthread >/dev/null 2>&1; }
if target deadlock_two buggy && target account_locked correct; then
	expect program-without-findings 0 "no data race, deadlock or atomicity violation is predictable from this run under branch" "$tmp/account_locked"
	expect program-that-ended-well 1 "the run ended without a failure" --seed=3 "$tmp/deadlock_two"
	expect program-that-failed 1 "the run failed: deadlock; looked at are the events up to there" --seed=1 "$tmp/deadlock_two"
	expect program-that-failed-has-its-cycle 1 "cycle: T1 -> T2 -> T1" --seed=1 "$tmp/deadlock_two"
	expect program-that-failed-says-who-waits 1 "T1 (forth) waits for mutex accounts+0x30, held by T2, at " --seed=1 "$tmp/deadlock_two"
	p --json --seed=1 "$tmp/deadlock_two" 2>/dev/null | grep -q '"cycle: T1 -> T2 -> T1"'
	report json-has-the-cycle-of-the-run $?
	"$heddle" run --seed=1 -o "$tmp/failed.heddle" "$tmp/deadlock_two" >/dev/null 2>&1
	expect failure-in-a-bundle-is-known 0 "the recorded run failed: deadlock" "$tmp/failed.heddle"
	expect witness-is-kept 1 "replay: heddle replay $tmp/kept/deadlock-1.heddle" --seed=3 --save-witness="$tmp/kept" "$tmp/deadlock_two"
	"$heddle" replay "$tmp/kept/deadlock-1.heddle" >"$tmp/out" 2>&1
	report kept-witness-replays-its-deadlock "$([ $? -eq 1 ] && grep -q 'identical: .*deadlock' "$tmp/out"; echo $?)"
	report kept-witness-is-a-trace-too "$(p --find=none "$tmp/kept/deadlock-1.trace" >"$tmp/out" 2>&1; echo $?)"
	p --json --seed=3 --confirm "$tmp/deadlock_two" 2>/dev/null | grep -q '"confirmed": *true'
	report json-says-confirmed $?
	expect confirmed-out-of-all 1 "1 of 1 prediction confirmed by running it" --seed=3 --confirm "$tmp/deadlock_two"
	expect nothing-to-confirm 0 "there is no prediction to confirm" --confirm "$tmp/account_locked"
	"$heddle" run --seed=3 -o "$tmp/saved.heddle" "$tmp/deadlock_two" >/dev/null 2>&1
	expect recording-without-markers-is-said 1 "the recording has no branch markers" "$tmp/saved.heddle"
	expect recording-without-markers-is-said-when-asked 1 "the model is cdsr" --model=branch "$tmp/saved.heddle"
	expect bundle-witness-is-kept 1 "replay: heddle replay $tmp/kept2/deadlock-1.heddle" --save-witness="$tmp/kept2" "$tmp/saved.heddle"
	cp "$tmp/account_locked" "$tmp/deadlock_two"
	expect changed-binary-is-said 1 "witnesses were not run" --save-witness="$tmp/kept3" "$tmp/saved.heddle"
else
	not_ok "targets build"
fi
seeds=1
[ -n "${TEST_LONG-}" ] && seeds=$(seq 1 20)
confirmed=0
for source in "$root"/tests/targets/{buggy,correct}/*.{c,cc}; do
	[ -e "$source" ] && confirm "$source"
done
report "predictions-confirmed-at-least-10" $((confirmed < 10))
echo "    $confirmed predictions confirmed, none diverged"

# ---- published traces ----
if [ ! -d "$data" ]; then
	skip published-traces "no directory $data (set TEST_TRACES)"
	exit $failed
fi
python3 "$here/compare.py" "$heddle" totals "$here/totals.txt" "$data" | sed 's/ok /ok totals-/'
injected()
{
	# The injected pair is the only one on its location; its witness has passed the judge.
	p --find=race --show=0 "$1" 2>/dev/null | grep -A1 'BUGGY_ADDR: ' | grep -q 'feasible under cdsr'
}
for f in "$data"/raceinjector/*_missed/*/*; do
	case $f in */jigsaw/*) [ -n "${TEST_LONG-}" ] || continue ;; esac
	injected "$f"
	report "injected-$(echo "${f#"$data"/raceinjector/}" | tr / -)" $?
done
if [ -n "${TEST_LONG-}" ]; then
	f=$(ls "$data"/raceinjector/hb_missed/jigsaw/* | head -1)
	timeout 600 "$heddle" predict "$f" >"$tmp/out" 2>&1
	grep -q 'race: .* 0 unknown' "$tmp/out"
	report jigsaw-all-decided $?
fi
exit $failed
