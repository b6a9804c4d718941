# What the commands promise.
build two && build never && build other || exit 1

# ---- profiles ----

k=$(sed -n 's/^elements //p' two.profile)
[ "$k" -eq 4 ] && [ "$(grep -c '^element ' two.profile)" -eq 4 ]
verdict "profile: all elements, by name" $? two.profile
for percent in 1 25 37 38 50 62 63 99; do
	want=$(((k * percent + 50) / 100))
	[ $want -gt 0 ] || want=1
	[ "$("$heddle" coop profile --percent=$percent ./two | grep -c '^element ')" -eq $want ] || break
done
[ "$percent" -eq 99 ]
report "profile: the share is rounded, one at least" $?
"$heddle" coop profile --percent=50 --seed=7 ./two >a && "$heddle" coop profile --percent=50 --seed=7 ./two >b &&
	cmp -s a b && for s in 1 2 3 4 5 6 7 8; do "$heddle" coop profile --one --seed=$s ./two; done |
	grep '^element ' | sort -u | wc -l | grep -qx '[2-4]'
report "profile: the seed decides" $?
"$heddle" coop profile --percent=50 --policy=overlap --number=2 ./two >a &&
	"$heddle" coop profile --percent=50 --policy=correlated ./two >b && [ -s a ] && [ -s b ]
report "profile: overlap and correlated" $?
"$heddle" coop profile --policy=balanced ./two >a 2>err
[ $? -eq 2 ] && grep -q -- --from err
report "profile: balanced needs logs" $?
printf -- '-value\n' >over
"$heddle" coop profile --percent=100 --override=over ./two | grep -q ' value$'
[ $? -eq 1 ]
report "profile: an override leaves an element out" $?
printf '+files\n+ready\n' >over
[ "$("$heddle" coop profile --percent=100 --override=over ./two | grep '^element ' | cut -d' ' -f3 | xargs)" = "files ready" ]
report "profile: an override asks for elements" $?
printf -- '-nothing\n' >over
"$heddle" coop profile --override=over ./two >a 2>err
[ $? -eq 3 ] && grep -q "no shared element called 'nothing'" err
report "profile: an unknown name is an error" $?
cat >first.c <<'END'
#include <pthread.h>
static struct entry { int valid, value; } cache[2];
static void *clear(void *arg)
{
	cache[0].valid = 0;
	cache[0].value = 0;
	cache[(long)arg].value = 1;
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, clear, &t == 0 ? &t : 0);
	pthread_join(t, 0);
	return cache[1].value;
}
END
"$bin/heddle-cc" -O1 -g first.c -o first >log 2>&1 &&
	[ "$("$heddle" coop profile --percent=100 ./first | sed -n 's/^element [0-9]* //p' | xargs)" = "entry.valid entry.value" ]
report "profile: the first of an array is one of its elements" $?

# ---- two failures ----

record two early
"$heddle" coop show --program=./two logs-two/two-1.crep >text
grep -q '^ready: \[T0:1 x1, T0:2 x1\]$' text && grep -q '^value: \[T0:2 x1\]$' text
verdict "record: the order is the one that was" $? text
record two early
record two late
merge ./two logs-two
[ $status -eq 1 ] && [ "$(field .logs)" -eq 2 ] && [ "$(field '.failures | length')" -eq 2 ] &&
	field .signature | grep -q 'value == 1'
verdict "merge: two failures in one build are kept apart" $? out.json err
bundle=$(field .bundle)
"$heddle" replay "$bundle" 2>&1 | grep -q 'value == 1'
report "merge: the bundle has the failure of most logs" $?
merge --failure='files == 0' ./two logs-two
[ $status -eq 1 ] && [ "$(field .logs)" -eq 1 ] && field .signature | grep -q 'files == 0'
verdict "merge: --failure takes the other one" $? out.json err
merge --failure=nothing ./two logs-two
[ $status -eq 3 ]
report "merge: an unknown failure is an error" $?

# ---- what merge says ----

merge ./two logs-two/two-1.crep
[ "$(field '[.reproduced, .attempts, .bundle, .heuristic, .logs, .elements, .verdicts.failed,
	.verdicts.passed, .verdicts.stuck] | map(type) | join(" ")')" = \
	"boolean number string string number number number number number" ]
verdict "merge: the keys of the object" $? out.json
for heuristic in sgm dgm one hybrid solve auto; do
	for similarity in psim dhs dsim; do
		merge --heuristic=$heuristic --similarity=$similarity ./two logs-two/two-1.crep
		[ $status -eq 1 ] || break 2
	done
done
report "merge: every heuristic with every similarity" $((status != 1))
record never
merge --attempts=7 ./never logs-never
[ $status -eq 4 ] && [ "$(field .reproduced)" = false ] && [ "$(field .bundle)" = null ] &&
	[ "$(field .attempts)" -eq 7 ] && [ "$(field .verdicts.passed)" -eq 7 ]
verdict "merge: what never fails is not reproduced" $? out.json err
record other
merge --attempts=5 --heuristic=dgm ./other logs-other
[ $status -eq 4 ] && [ "$(field .verdicts.stuck)" -eq 5 ]
verdict "merge: orders that cannot be followed get stuck" $? out.json err
unset NUDGE
"$heddle" record --keep=all --partial=never.profile -o passed ./never >log 2>&1
merge ./never passed
[ $status -eq 4 ] && grep -q "no log is of a failing run" out.json
verdict "merge: logs of passing runs are no failure" $? out.json err
merge ./two logs-two logs-never
[ $status -eq 3 ] && grep -q "is a log of another build than ./two" err
verdict "merge: logs of another build are refused" $? err
"$heddle" record --partial=two.profile -o x ./never >log 2>&1
[ $? -eq 3 ] && grep -q "profile is of another build" log
verdict "record: a profile of another build is refused" $? log

# ---- locks without an order ----

# Each step is a section of a lock of which no log has the order; who takes it too early keeps the other
# from the turn that is waited for.
build sections
printf '+pos\n+written\n+buffer\n' >over
"$heddle" coop profile --percent=100 --override=over ./sections >sections.profile
record sections
for heuristic in solve auto; do
	merge --heuristic=$heuristic --attempts=12 ./sections logs-sections
	[ $status -eq 1 ] || break
done
verdict "merge: a lock is not taken against the order of what follows" $((status != 1)) out.json err
