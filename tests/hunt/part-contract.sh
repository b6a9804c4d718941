# What it says and exits with.
have toy counter exmcr
"$heddle" hunt >out.json 2>err
report "no operand is wrong usage" $(($? != 2))
"$heddle" hunt --runs=0 ./toy >out.json 2>err
report "no runs are wrong usage" $(($? != 2))
hunt -o c1 ./there-is-no-such-program
[ "$status" -eq 3 ] && grep -q there-is-no-such-program err
report "a program that is not there" $?
mkdir -p empty
hunt -o c2 empty
[ "$status" -eq 3 ] && grep -q 'no recordings' err
report "a directory without recordings" $?
cc -o plain "$here/programs/counter.c" -pthread
hunt -o c3 ./plain
[ "$status" -eq 3 ]
report "a program that was not built for it" $?

hunt --runs=4 -o c4 ./toy
keys='["found","distinct_runs","proved","undecided","seconds"] - keys == []'
[ "$(field "$keys")" = true ]
report "the object has the keys of the contract" $?
keys='["assertion","bundle","tries","flips","synthesised","schedule_only"] - (.found[0] | keys) == []'
[ "$(field "$keys")" = true ] && [ "$(field '["file","line","function"] - (.found[0].assertion | keys) == []')" = true ]
report "and so has what was found" $?
[ "$(field '.found[0].schedule_only')" = false ] || [ "$(field '.found[0].flips')" = 0 ]
report "schedule_only means no flips" $?

# A schedule that was computed says which event of a thread is which: those of library calls count.
have environment
hunt --runs=2 --method=paths -o c11 ./environment
[ "$status" -eq 1 ] && [ "$(field '.found[0].method')" = paths ]
report "a schedule behind getenv() is followed" $?

# What it does not know of is refused, and what it proves is named.
"$heddle" hunt --model=tso ./counter >out.json 2>err
[ $? -eq 2 ] && grep -q 'heddle check --model=tso' err
report "other memory than sequentially consistent is refused" $?
hunt --runs=2 -o c12 ./counter
[ "$status" -eq 0 ] && [ "$(field .model)" = sc ] && field .text | grep -q 'sequentially consistent'
report "the memory that was looked at is said" $?

# Any number of processes gives the same answers.
have rounds
"$heddle" record -q --keep=all -o rounds.rec ./rounds
same='[.found, .tries, .combinations, .proved, .questions, .complete, .exit_code]'
hunt --method=paths -o c13 rounds.rec
one=$(field "$same")
hunt --method=paths -j 3 -o c14 rounds.rec
[ "$(field .together)" -gt 1 ] && [ "$(field .proved)" -gt 10 ] && [ "$(field "$same")" = "$one" ]
report "three processes answer as one does" $?

# Recordings made elsewhere.
mkdir -p recs
for i in 1 2 3; do "$heddle" record -q --keep=all -o "recs/r$i.rec" ./toy; done
hunt -o c5 recs
[ "$status" -eq 1 ] && [ "$(field .runs)" = 3 ]
report "a directory of recordings" $?
hunt -o c6 recs/r1.rec
[ "$status" -eq 1 ] && [ "$(field .runs)" = 1 ]
report "one recording" $?
"$heddle" record -q --keep=all -o recs/s.rec ./counter
hunt -o c7 recs
[ "$(field .text | grep -c 'another build')" -eq 1 ]
report "a recording of another build is named" $?
printf x >recs/r2.rec/MANIFEST
rm -rf recs/s.rec
hunt -o c8 recs
[ "$status" -eq 1 ] && field .text | grep -q 'not used'
report "a damaged recording is named" $?

# A bound leaves out what lies behind it, and says so.
hunt --runs=4 -D 1 --method=paths -o c9 ./exmcr
[ "$status" -ne 1 ] || [ "$(field '.found[0].flips')" -le 1 ]
report "no more flips than allowed" $?
timeout --preserve-status -s INT 3 "$heddle" hunt --runs=100000 --time=0 -o c10 ./counter >out 2>err
[ $? -ne 3 ] && ls c10/counter.hunt/runs.db >/dev/null 2>&1
report "an interrupted hunt keeps what it has" $?

# What paths do not see is seen by executions under control, or nothing is called safe.
for name in file_numbers local_ended frame_ended; do
	"$bin/heddle-cc" -O1 -g -pthread "$root/tests/truth/programs/$name.c" -o "$name" >log 2>&1
	hunt --runs=2 -o "outside-$name" "./$name"
	[ "$status" -eq 1 ]
	report "$name: not safe" $?
done
# Of a run that passed: now and then it fails by itself, which would be a finding.
for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	rm -rf passed
	"$heddle" record --keep=all -q -o passed/one.rec ./file_numbers >log 2>&1 && break
done
hunt --method=paths -o paths-alone passed
[ "$status" -eq 4 ]
report "paths alone prove nothing" $?
