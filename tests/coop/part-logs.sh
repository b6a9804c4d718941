# Logs as files: partial ones, damaged ones, private ones, and runs that are killed.

# ---- parts of one run are enough, put together ----

build ticketorder && rm -rf logs-ticketorder
for seed in 1 2 3 4 5 6 7 8; do
	"$heddle" coop profile --percent=50 --seed=$seed ./ticketorder >ticketorder.profile
	record ticketorder
done
[ "$(ls logs-ticketorder | wc -l)" -eq 8 ]
report "partial: a log for each of eight profiles" $?
merge ./ticketorder logs-ticketorder
[ $status -eq 1 ] && [ "$(field .logs)" -eq 8 ]
verdict "partial: halves of eight runs are merged" $? out.json err
n=$("$heddle" coop show logs-ticketorder/ticketorder-1.crep | grep -c '^#')
[ "$n" -eq $((($(sed -n 's/^elements //p' ticketorder.profile) * 50 + 50) / 100)) ]
report "partial: a log has the elements of its profile only" $?

# ---- cut ----

"$heddle" coop profile --percent=100 ./two >two.profile
"$heddle" coop cut --percent=50 -o cut logs-two/two-1.crep >names && [ -s "$(cat names)" ] &&
	[ "$("$heddle" coop show "$(cat names)" | grep -c '^#')" -eq 2 ]
report "cut: half of the elements stay" $?
"$heddle" coop cut --one -o cut logs-two >names && [ "$(wc -l <names)" -eq 3 ] &&
	[ "$("$heddle" coop show $(cat names) | grep -c '^#')" -eq 3 ]
report "cut: one element of each log" $?
merge ./two cut
[ $status -eq 1 ] || [ $status -eq 4 ]
report "cut: cut logs are logs" $?

# ---- names ----

"$heddle" coop show --program=./two logs-two/two-1.crep | grep -q '^value: \[T0:'
report "show: names of elements and threads" $?

# ---- hostile files ----

head -c 60 logs-two/two-1.crep >short.crep
{ cat logs-two/two-1.crep; echo; } >long.crep
echo text >text.crep
good=0
for file in short.crep long.crep text.crep nothing.crep; do
	"$heddle" coop show $file >log 2>&1
	[ $? -eq 3 ] || good=1
	merge ./two $file
	[ $status -eq 3 ] || good=1
done
report "damaged logs are refused" $good
sed 's/^element 0/element 9/' two.profile >bad.profile
"$heddle" record --partial=bad.profile ./two >log 2>&1
[ $? -eq 3 ] && grep -q "damaged logging profile: line 4" log
verdict "damaged profiles are refused" $? log
[ "$(stat -c %a logs-two/two-1.crep)" = 600 ]
report "a log is the user's alone" $?
! grep -q -a -e "$work" -e "$HOME" logs-two/two-1.crep
report "a log has no paths in it" $?

# ---- two threads fail at once ----

cat >both.c <<'END'
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t start;
static int zero;
static void *fail(void *arg)
{
	pthread_barrier_wait(&start);
	assert(zero == 1);
	return arg;
}
int main(void)
{
	pthread_t t[4];
	pthread_barrier_init(&start, 0, 4);
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], 0, fail, &zero);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], 0);
	zero = 1;
	return 0;
}
END
"$bin/heddle-cc" -O1 -g both.c -o both >log 2>&1 && "$heddle" coop profile --percent=100 ./both >both.profile
for i in $(seq 60); do
	"$heddle" record -q --partial=both.profile -o logs-both ./both >log 2>&1 </dev/null
done
"$heddle" coop show logs-both | grep '^run' | sed 's/.*failed, //' | cut -d'|' -f1,5,6 | cut -d';' -f1 | sort | uniq -c >said
[ "$(wc -l <said)" -eq 1 ] && grep -q '60 assertion | fail | zero == 1' said
verdict "two threads that fail at once are one failure, and that is noted" $? said

# ---- usage ----

good=0
for words in "" "nothing" "merge" "merge ./two" "profile" "profile ./two ./two" "show" "cut" \
	"merge --heuristic=best ./two logs-two" "profile --percent=0 ./two" "profile --percent=101 ./two" \
	"show --percent=5 logs-two"; do
	"$heddle" coop $words >log 2>&1
	[ $? -eq 2 ] || { good=1; echo "    $words"; }
done
"$heddle" record --partial=two.profile --backend=sim ./two >log 2>&1
[ $? -eq 2 ] || good=1
report "usage errors" $good
for words in "--help" "merge --help" "profile --help" "cut --help" "show --help"; do
	"$heddle" coop $words | grep -q "^usage: heddle coop" || break
done
report "help of the command and of its parts" $?

# ---- a run that is killed ----

cat >killed.c <<'END'
#include <pthread.h>
#include <signal.h>
static int shared;
static void *worker(void *arg)
{
	for (int i = 0; i < 100000; i++)
		shared++;
	return arg;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, worker, 0);
	pthread_join(t, 0);
	raise(SIGKILL);
	return shared;
}
END
"$bin/heddle-cc" -g killed.c -o killed && "$heddle" coop profile --percent=100 ./killed >killed.profile &&
	"$heddle" record --partial=killed.profile -o logs-killed ./killed >log 2>&1
[ $? -eq 137 ] && "$heddle" coop show --program=./killed logs-killed/killed-1.crep |
	grep -q '^shared: \[T0:1 x200000\]$'
verdict "record: nothing is lost when the program is killed" $? log
