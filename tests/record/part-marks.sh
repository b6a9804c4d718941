# Which points are recorded: only those that another thread or something unlogged has a say in.

# marked NAME: "marked/points" of a program's recording.
marked()
{
	local name=$1
	build "$name" || return
	rm -rf marks.rec
	"$heddle" record --keep=all -q -o marks.rec "./$name" >/dev/null 2>&1
	"$heddle" info marks.rec | sed -n 's/^points *\([0-9]*\) of \([0-9]*\) .*/\1 of \2/p'
}

# Filled in before there are threads, or handed to each of them: nothing of it is recorded.
report "record/marks-handed ($(marked handed))" $([ "$(marked handed)" = "1 of 9" ]; echo $?)
# The same object for all threads, changed while they run: its members are.
report "record/marks-shared ($(marked sharedarg))" $([ "$(marked sharedarg)" = "1 of 2" ]; echo $?)
# A copy of the whole has what its members had.
report "record/marks-copied ($(marked copied))" $([ "$(marked copied)" = "1 of 1" ]; echo $?)
# What is read from a descriptor is in the log: only the shared flag is recorded.
report "record/marks-inputs ($(marked inputs </dev/null))" $([ "$(marked inputs </dev/null)" = "1 of 3" ]; echo $?)

# Every point, when that is asked for; the recording says so.
"$heddle" cc --flavor=record --mark=all -O2 -o handed.all "$TEST_HERE/programs/handed.c" 2>log || show log
rm -rf marks.rec
"$heddle" record --keep=all -q -o marks.rec ./handed.all >/dev/null 2>&1
report record/marks-all $([ "$(key marks.rec .every_point)" = true ] &&
	"$heddle" info marks.rec | grep -q '^points *9 of 9 '; echo $?)
