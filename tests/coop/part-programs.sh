# The bugs of the literature: a log of all elements is enough for one attempt, or for a few where the
# order of two notes is not that of what they note.
expected() { sed -n 's/^ \* Expected: //p' "$here/programs/$1.c" | head -1; }

for source in "$here"/programs/*.c; do
	name=$(basename "$source" .c)
	kind=$(expected "$name")
	[ "$kind" != "by name" ] || continue
	build "$name" || continue
	record "$name"
	grep -q "^heddle record: log: logs-$name/$name-1.crep" record.log && [ $status -ge 128 ]
	verdict "$name: the failing run leaves a log" $? record.log
	"$heddle" coop show "logs-$name/$name-1.crep" 2>&1 | grep -q "^run .*: [a-z]*, $kind | "
	report "$name: its failure is a $kind" $?
	merge "./$name" "logs-$name"
	: >replay.log
	if [ $status -eq 1 ] && [ "$(field .reproduced)" = true ] && [ "$(field .attempts)" -le 20 ]; then
		"$heddle" replay -q --times=1000 "$(field .bundle)" >replay.log 2>&1 </dev/null
		status=$?
	fi
	[ $status -eq 1 ] && grep -q "1000 of 1000 identical" replay.log
	verdict "$name: merged, and fails 1000 of 1000 times" $? out.json err replay.log
done
