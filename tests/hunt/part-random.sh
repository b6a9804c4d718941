# Random programs against enumeration: found exactly when an assertion can fail, and exactly there.
count=${HUNT_COUNT:-$([ -n "${TEST_LONG-}" ] && echo 1000 || echo 12)}
python3 "$here/generate.py" "${HUNT_SEED:-7}" "$count" random.c random.txt &&
	"$bin/heddle-cc" -O1 -g random.c -o random >log 2>&1
report "random programs: built" $?
wrong=0 fails=0
while read -r number lines; do
	rm -rf random.out
	hunt --method=paths --runs=2 -o random.out ./random "$number"
	got=$(field '[.found[].assertion.line] | sort | unique | join(" ")')
	[ -z "$lines" ] || fails=$((fails + 1))
	if [ "$got" != "$lines" ] || [ "$status" -ne $([ -n "$lines" ] && echo 1 || echo 4) ] ||
		{ [ -z "$lines" ] && [ "$(field .complete)" != true ]; }; then
		echo "program $number: status $status, lines '$got' not '$lines': $(field .text)" | show
		wrong=$((wrong + 1))
	fi
done <random.txt
[ "$wrong" -eq 0 ]
report "random programs: $count agree with enumeration" $?
[ "$fails" -gt $((count / 4)) ] && [ "$fails" -lt "$count" ]
report "random programs: some fail and some do not" $?
