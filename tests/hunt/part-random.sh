# Random programs against enumeration: found exactly when an assertion can fail, and exactly there.
count=${HUNT_COUNT:-$([ -n "${TEST_LONG-}" ] && echo 1000 || echo 12)}
seed=${HUNT_SEED:-7} wrong=0 fails=0 looked=0
# Some in each program: what is not asked about has to be read all the same.
while [ $looked -lt "$count" ]; do
	some=$((count - looked < 40 ? count - looked : 40))
	python3 "$here/generate.py" "$seed" $some random.c random.txt &&
		"$bin/heddle-cc" -O1 -g random.c -o random >log 2>&1 || { show log; not_ok "random programs: built"; break; }
	while read -r number lines; do
		rm -rf random.out
		hunt --method=paths --runs=2 -o random.out ./random "$number"
		got=$(field '[.found[].assertion.line] | sort | unique | join(" ")')
		[ -z "$lines" ] || fails=$((fails + 1))
		if [ "$got" != "$lines" ] || [ "$status" -ne $([ -n "$lines" ] && echo 1 || echo 4) ] ||
			{ [ -z "$lines" ] && [ "$(field .complete)" != true ]; }; then
			echo "seed $seed, program $number: status $status, lines '$got' not '$lines': $(field .text)" | show
			wrong=$((wrong + 1))
		fi
	done <random.txt
	looked=$((looked + some)) seed=$((seed + 1))
done
[ "$wrong" -eq 0 ]
report "random programs: $count agree with enumeration" $?
[ "$fails" -gt $((count / 4)) ] && [ "$fails" -lt "$count" ]
report "random programs: some fail and some do not" $?
