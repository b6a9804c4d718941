#!/bin/bash
# cores: 1
# heddle stable --memo: what is remembered, for which inputs it is used again, and what happens when
# the cache or the schedule is not what it should be.
set -u
here=$(cd "$(dirname "$0")" && pwd)
. "$here/../lib.sh"
plan 66
need "$heddle" "$bin/heddle-memo" "$bin/heddle-cc"
cd "$TEST_TMP" || exit 1
for p in pbzip transpose example racy static depends seen stands variables bound; do
	"$bin/heddle-cc" -g -O1 -pthread "$here/programs/$p.c" -o "$p" || not_ok "build_$p"
done

# memo CACHE PROGRAM ARGUMENT...: prints what the program printed; what was done is in $did.
options=
memo()
{
	local cache=$1
	shift
	# shellcheck disable=SC2086
	timeout 60 "$heddle" stable --memo="$cache" --json $options "$@" 2>did
	status=$?
	did=$(tail -n 1 did)
}
field() { sed -n "s/.*\"$1\": \(\"[^\"]*\"\|[^,}]*\).*/\1/p" <<<"$did"; }

# expect NAME true|false CACHE PROGRAM ARGUMENT...: whether it is a hit; the output is the native one.
expect()
{
	local name=$1 want=$2 native out
	shift 2
	native=$("./$2" "${@:3}")
	out=$(memo "$1" "./$2" "${@:3}"; echo "$did" >did.line)
	did=$(cat did.line)
	if [ "$(field hit)" = "$want" ] && { [ "$out" = "$native" ] || [ "$2" = example ]; }; then
		ok "$name"
	else
		echo "    $out, natively $native: $did"
		not_ok "$name"
	fi
}

# A result that main prints without waiting: the order was fixed, the conditions are the weakest.
expect example/learns false ex example 2 2 0
[ "$(field constraints)" = '"(argc == 4) && (atoi(argv[1]) <= atoi(argv[2])) && (1 < atoi(argv[1])) && !(2 < atoi(argv[1])) && !(atoi(argv[3]) == 1)"' ]
report example/conditions $?
[ "$(field races)" = 1 ]
report example/race $?
expect example/large true ex example 2 1000 8
expect example/same true ex example 2 2 0
expect example/odd true ex example 2 7 5
cp ex before
expect example/threads false ex example 3 3 0
expect example/adds false ex example 2 2 1
expect example/alone false ex example 1 4 0

# The same schedule for a count of threads and of blocks; waits take no time.
expect pbzip/learns false pb pbzip 2 2
expect pbzip/same true pb pbzip 2 2
expect pbzip/blocks false pb pbzip 2 3
expect pbzip/threads false pb pbzip 3 2
expect transpose/learns false tr transpose 4 3
expect transpose/same true tr transpose 4 3
expect transpose/text true tr transpose 04 +3

# Equal hashes on hits, whatever the threads' speed.
hashes=$(for i in 1 2 3 4 5 6; do
	timeout 60 "$heddle" stable --memo=pb --hash --delay=$((i % 2 * 1000)) ./pbzip 2 2 2>&1 >out$i
done | sed -n 's/.*schedule hash \([0-9a-f]*\).*/\1/p' | sort -u | wc -l)
[ "$hashes" = 1 ] && [ "$(sort -u out? | wc -l)" = 1 ]
report hash/delays $?

# A race of the schedule never decides: one result, always.
memo ra ./racy 3 >first
for i in 1 2 3 4 5 6 7 8; do
	options=--delay=$((i * 300))
	memo ra ./racy 3
done >all
options=
[ "$(field hit)" = true ] && [ "$(sort -u all | wc -l)" = 1 ]
report racy/one-result $?

# Who waits in a loop for what another thread writes is behind it, and does not wait for ever.
expect seen/learns false se seen 3
expect seen/other true se seen 30

# What a thread read before it came to stand at a lock is what it reads again, with other numbers, too.
left=0
for number in 1 5 1 6; do
	memo stn ./stands $number >out
	[ "$(field left)" = false ] || { echo "    $number: $did" && left=1; }
done
[ $left = 0 ] && grep -q '"schedule": [1-9]' <<<"$did"
report stands/one-order $?

# Numbers with a fraction, and a text: what is not understood is only a miss.
expect static/learns false st static 3 9
expect static/same true st static 3 9
expect static/verbose false st static 3 9 -v
expect static/verbose-again true st static 3 9 -v

# Variables of the environment are inputs, by name: that one is set or not, and what is in it.
variable() # NAME true|false ASSIGNMENT...
{
	local name=$1 want=$2
	shift 2
	(
		unset COUNT MODE
		[ $# = 0 ] || export "$@"
		./variables >native
		timeout 60 "$heddle" stable --memo=va --json ./variables >out 2>did
	)
	did=$(tail -n 1 did)
	[ "$(field hit)" = "$want" ] && [ "$(field left)" = false ] && cmp -s native out
	report "$name" $?
}
variable variables/learns false COUNT=4 MODE=fast
[ "$(field constraints)" = '"(argc == 1) && (set($COUNT) == 1) && (set($MODE) == 1) && ((atoi($COUNT) % 2) == 0) && ($MODE[0] == 102)"' ]
report variables/conditions $?
variable variables/even true COUNT=6 MODE=fast OTHER=1
variable variables/other-text true COUNT=08 MODE=faster
variable variables/odd false COUNT=5 MODE=fast
variable variables/mode false COUNT=4 MODE=slow
variable variables/unset false COUNT=4
variable variables/none false
variable variables/none-again true

# Hundreds of conditions on one number say that it is what it was, and are told so.
timeout 120 "$heddle" stable --memo=bo --json ./bound 2 1000 >out 2>did
did=$(tail -n 1 did)
[ "$(field constraints)" = '"(atoi(argv[1]) == 2) && (atoi(argv[2]) == 1000) && (argc == 3)"' ]
report bound/conditions $?
expect bound/same true bo bound 02 1000
expect bound/other false bo bound 2 999

# Left alone and learned beside; only used.
options=--memo-mode=shadow
expect shadow/first false sh pbzip 2 1
options=--memo-mode=use
expect shadow/learned true sh pbzip 2 1
expect use/miss false sh pbzip 2 2
expect use/nothing-learned false sh pbzip 2 2
options=

# For every input the operations of synchronisation are those of round robin, remembered or not, and
# so is the output: branches that do not synchronise decide all the same, in ways that conditions
# must know.
differ=0 hits=0
for way in 0 1 2 3 4 5 6 7; do
	for numbers in '4 2' '9 2' '3 7' '4 2'; do
		# shellcheck disable=SC2086
		{
			timeout 60 "$heddle" stable --memo=de --json --hash ./depends $way $numbers >out 2>did
			HEDDLE_STABLE_STATE=free timeout 60 "$heddle" stable --policy=rr --hash ./depends $way $numbers >want 2>plain.did
		}
		did=$(tail -n 1 did)
		[ "$(field hit)" = false ] || hits=$((hits + 1))
		if [ "$(field left)" = true ] || ! cmp -s out want ||
			[ "$(sed -n 's/.*hash \([0-9a-f]*\).*/\1/p' did)" != \
				"$(sed -n 's/.*hash \([0-9a-f]*\).*/\1/p' plain.did)" ]; then
			echo "    $way $numbers: $did"
			differ=$((differ + 1))
		fi
	done
done
echo "    $hits hits"
[ $differ = 0 ] && [ $hits -ge 8 ]
report depends/as-round-robin $?
expect depends/nothing-matters true de depends 6 1000 3

# ---- the cache ----

"$heddle" stable memo list ex >list && [ "$(wc -l <list)" = 4 ] && grep -q '^1	unknown	7 operations, [1-9]' list
report list $?
"$heddle" stable memo check ex ./example >/dev/null && ! "$heddle" stable memo check ex ./pbzip >/dev/null 2>&1
report check $?
"$heddle" stable memo show ex 1 | grep -q 'then not before'
report show $?
cp before one
"$heddle" stable memo merge one ex && [ "$("$heddle" stable memo list one | wc -l)" = 4 ]
report merge $?
"$heddle" stable memo label one 1 bad && expect label/bad false one example 2 2 0

# Which inputs have a schedule is counted exactly, and a bad one is none.
cover() { "$heddle" stable memo cover "$@" >covered; }
cover ex ./example 2 1..4 0..1
[ $? = 1 ] && grep -q '^6 of 8 inputs have a schedule (75.00 %)' covered && grep -q '^none for: 2 1 0' covered &&
	[ "$(grep -c '^schedule [13]: 3' covered)" = 2 ]
report cover/counted $?
cover ex ./example 2 2..5 0 && grep -q '^4 of 4 inputs have a schedule (100.00 %)' covered && ! grep -q '^none for' covered
report cover/all $?
cover ex ./example 9 9 0
[ $? = 1 ] && grep -q '^none for: 9 9 0' covered
report cover/none $?
cover ex ./example 2 2..100000000 0..100000000
[ $? = 4 ] && grep -q '^about 100000 of 100000 inputs drawn' covered
report cover/drawn $?
cover ex ./example 1..100000 2..100000 0
[ $? = 1 ] && grep -q '^none for: ' covered
report cover/drawn-missing $?
"$heddle" stable memo label one 1 bad; cover one ./example 2 2..4 0
[ $? = 1 ] && grep -q '3 fit only one that is bad' covered
report cover/bad $?
for range in 5..2 "" ; do
	# shellcheck disable=SC2086
	cover ex ${range:+./example 2 $range} 2>err
	[ $? = 2 ]
	report "cover/usage-$range" $?
done

# ---- faults ----

# Another build: told, not used, kept.
cp ex other && expect fault/build false other pbzip 2 2
cmp -s ex other && grep -q 'another build' <<<"$did"
report fault/build-kept $?
# Cut short, changed.
head -c 200 ex >cut && expect fault/cut false cut example 2 2 0
{ head -c 150 ex && printf 'X' && tail -c +152 ex; } >changed && expect fault/changed false changed example 2 2 0
# A schedule that the program does not follow: it is left, and the program ends well.  The order of
# an input that does not fit is put in by way of the runtime's own file.
timeout 60 "$heddle" stable --policy=rr --log=log ./pbzip 2 3 >/dev/null
"$heddle" stable show log | head -n 30 >shown
python3 - <<'PY'
import struct
data = open("log", "rb").read()
at, out, skip = 128, [], 0
while at + 32 <= len(data):
    time, tid, op, res, obj, arg, stack, pad = struct.unpack_from("<QIHHIIII", data, at)
    at += 32
    if skip:
        skip -= 1
        continue
    if op == 0xfff0:
        skip = (arg + 31) // 32
    elif op == 0xfff1:
        skip = (arg + 1) // 2
    elif op:
        out.append(struct.pack("<IHHII", tid, op, res, obj, 0))
open("order", "wb").write(struct.pack("<QII", 0x796c706572646568, 1, len(out)) + b"".join(out))
PY
want=$(./pbzip 2 5)
got=$(HEDDLE_STABLE_REPLAY=order timeout 60 "$heddle" stable ./pbzip 2 5 2>messages)
[ "$got" = "$want" ] && grep -q 'left behind operation' messages
report fault/diverges $?
# Who goes through the whole environment is not followed: no condition can name all of it.
cat >env.c <<'C'
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv, char **environment)
{
	if (argc > 1 ? environment[0] != 0 : 0)
		pthread_mutex_lock(&lock);
	return argv[0] == 0;
}
C
"$bin/heddle-cc" -g -O1 -pthread env.c -o env
memo en ./env x && [ "$(field schedule)" = null ] && [ ! -e en ] && grep -q 'only the run itself knew' <<<"$did" &&
	memo en ./env && [ "$(field schedule)" = 1 ]
report fault/environment $?
# Nor who asks for what heddle itself sets there.
sed 's/environment\[0\] != 0/getenv("LD_PRELOAD") != 0/; 1i #include <stdlib.h>' env.c >preload.c
"$bin/heddle-cc" -g -O1 -pthread preload.c -o preload
memo pr ./preload x && [ "$(field schedule)" = null ] && grep -q 'the environment decides here (LD_PRELOAD)' <<<"$did"
report fault/environment-own $?
# Nor who has put entries of its own there.
cat >entries.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int main(int argc, char **argv, char **environment)
{
	environment[0] = argc > 1 ? "COUNT=3" : "COUNT=1";
	if (atoi(getenv("COUNT")) > 2)
		pthread_mutex_lock(&lock);
	return argv[0] == 0;
}
C
"$bin/heddle-cc" -w -g -O1 -pthread entries.c -o entries
COUNT=7 memo en2 ./entries && [ "$(field schedule)" = null ] && grep -q 'the environment decides here (COUNT)' <<<"$did"
report fault/environment-changed $?
# A thread that waits for memory before an operation that comes first: told, and not after a minute.
cat >waits.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg)
{
	atomic_store(&ready, 1);
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	while (!atomic_load(&ready))
		continue;
	pthread_mutex_lock(&lock);
	pthread_mutex_unlock(&lock);
	return pthread_join(t, NULL);
}
C
"$bin/heddle-cc" -g -O1 -pthread waits.c -o waits
memo wa ./waits && [ "$(field schedule)" = null ] && grep -q 'a thread waits for memory' <<<"$did"
report fault/waits $?
# A program without bitcode.
cc -O1 -pthread "$here/programs/pbzip.c" -o plain
memo pl ./plain 2 2 >out
[ $status = 0 ] && [ "$(cat out)" = "$(./plain 2 2)" ] && grep -q 'bitcode' <<<"$did" && [ ! -e pl ]
report fault/no-bitcode $?
exit "$failed"
