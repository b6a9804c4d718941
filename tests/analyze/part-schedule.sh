# One schedule of heddle stable: what it orders is impossible, what it does not is not.

# under PROGRAM ARGUMENTS…: runs it, and analyses it under the schedule.
under()
{
	rm -f run.log
	"$heddle" stable --policy="${policy:-local}" --state="${state:-order}" --log=run.log "$@" \
		>/dev/null 2>&1 </dev/null
	analyze --schedule=run.log "$1"
}
classes() { field "[.races[].class] | unique | join(\",\")"; }

analyze ./running
before=$(field .alias_pairs.specialised)
# Printing would be a turn, in which the other thread comes in between.
state=free under ./running 2 2 0
[ "$(classes)" = impossible ] && [ $status -eq 0 ] &&
	[ "$(field .alias_pairs.specialised)" -lt "$before" ]
report "the running example: the schedule ends before the other thread adds" $?

policy=rr under ./early
[ $status -eq 1 ] && field '[.races[].class] | index("possible") != null' | grep -q true
report "what runs between the same operations stays possible" $?

under ./regions
[ $status -eq 0 ] && [ "$(classes)" = impossible ]
report "different locks, one section after the other: impossible" $?

analyze ./regions
[ $status -eq 1 ]
report "but not under every schedule" $?

policy=rr under ./c11_threads
[ $status -eq 0 ] && [ "$(classes)" = impossible ]
report "threads of C11 are those of the log" $?

under ./regions
head -c 200 run.log >cut.log
"$heddle" analyze --schedule=cut.log ./regions >text 2>err
[ $? -eq 3 ] && [ -s err ]
report "a damaged log is an error" $?

under ./locked
"$heddle" analyze --schedule=run.log ./unlocked >text 2>err
[ $? -eq 3 ] && grep -q 'no thread of the program' err
report "a log of another program is one, too" $?
