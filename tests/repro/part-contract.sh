# Exit codes, words and JSON.
refused() # NAME TEXT ARGUMENTS: exit code 3 and the text
{
	local name=$1 text=$2
	shift 2
	"$heddle" reproduce "$@" >out 2>err
	if [ $? -eq 3 ] && grep -qF -- "$text" err && [ ! -s out ]; then
		ok "$name"
	else
		show out err
		not_ok "$name"
	fi
}

cat >lost.c <<'END'
#include <assert.h>
#include <pthread.h>
static int c;
static void *add(void *a)
{
	for (int i = 0; i < 3; i++) {
		int v = c;
		c = v + 1;
	}
	return a;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, add, 0);
	pthread_create(&b, 0, add, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
	assert(c == 6);
	return 0;
}
END
"$bin/heddle-cc" -g lost.c -o lost || not_ok lost_builds

./make_recording lost.rec 3 6 lost.c 19 main check ./lost
"$heddle" reproduce --json -o out1 lost.rec >out.json 2>err
code=$?
[ $code -eq 1 ] && [ "$(field reproduced)" = True ] && [ "$(field model)" = sc ] &&
	[ "$(field replayed)" = "1000 of 1000" ] && [ ! -s err ]
report reproduced_exits_with_1 $?
"$heddle" replay --times=1000 "$(field bundle)" >out 2>&1
[ $? -eq 1 ] && grep -q "1000 of 1000 identical" out
report bundle_replays $?
"$heddle" info "$(field bundle)" 2>&1 | grep -q "reproduced from the recording"
report bundle_says_where_it_comes_from $?
"$heddle" predict "$(field bundle)" >out 2>&1
[ $? -eq 1 ]
report predict_takes_the_bundle $?

./make_recording record.rec 3 6 lost.c 19 main record ./lost
"$heddle" reproduce -o out2 record.rec >out 2>&1
[ $? -eq 1 ] && [ -x out2/lost.check ]
report another_flavor_is_built_again $?
"$heddle" reproduce -o exact/named.heddle record.rec >out 2>&1
[ $? -eq 1 ] && [ -x exact/lost.check ] && "$heddle" replay exact/named.heddle >out 2>&1
[ $? -eq 1 ]
report another_flavor_keeps_the_name_it_is_given $?

./make_recording clean.rec 0 0 - 0 - check ./lost
"$heddle" reproduce --json -o out3 clean.rec >out.json
[ $? -eq 0 ] && [ "$(field reproduced)" = False ] && [ ! -e out3 ]
report a_recording_without_failure_exits_with_0 $?

# Nothing fails at that line: every behaviour is looked at, and the answer is not "no bug".
./make_recording other.rec 3 6 lost.c 18 main check ./lost
"$heddle" reproduce --json -o out4 other.rec >out.json
[ $? -eq 4 ] && [ "$(field reproduced)" = False ] && [ "$(field bundle)" = None ] &&
	field text | grep -q "every behaviour"
report an_impossible_failure_exits_with_4 $?

./make_recording long.rec 3 6 lost.c 18 main check ./lost
begin=$(date +%s)
"$heddle" reproduce --time=1 --model=pso -o out4 long.rec >out 2>&1
[ $? -eq 4 ] && [ $(($(date +%s) - begin)) -le 5 ]
report time_is_kept $?

refused a_bundle_is_no_recording "not a recording but a bundle" "$(ls -d out1/*.heddle)"
refused nothing_there "nowhere" nowhere
refused a_file "lost.c" lost.c
cp lost moved
./make_recording moved.rec 3 6 lost.c 19 main check ./moved
"$bin/heddle-cc" -O1 lost.c -o moved
refused another_build "not the recorded one" moved.rec
rm moved
refused a_program_that_is_gone "cannot be found" moved.rec
cp /bin/true foreign
./make_recording foreign.rec 3 6 - 0 - record ./foreign
refused no_bitcode "no bitcode" -o out5 foreign.rec
"$heddle" reproduce >out 2>&1
[ $? -eq 2 ]
report a_missing_word_exits_with_2 $?
"$heddle" reproduce --model=arm lost.rec >out 2>&1
[ $? -eq 2 ]
report a_wrong_option_exits_with_2 $?
