# Times are hints: a recording whose clocks contradict each other is as good as any.
cc -D_GNU_SOURCE -I"$root/src" -o clock "$TEST_HERE/clock.c" "$TEST_BUILD/src/libroom_trace.a" \
	"$TEST_BUILD/src/libroom_base.a" -lzstd >log 2>&1 || { show log; not_ok record/clocks; }
for name in null assertion; do
	build $name -g
	rm -rf straight.rec crooked.rec
	"$heddle" record -q -o straight.rec ./$name >/dev/null 2>&1
	./clock straight.rec crooked.rec >log || show log
	"$heddle" info --events crooked.rec >record.out 2>&1
	report "record/clocks-$name-shown" $?
	XDG_CACHE_HOME=$PWD/cache timeout 100 "$heddle" reproduce --time=60s -o clocks crooked.rec >record.out 2>&1
	status=$?
	# Found again, or not in time; never an error, and never "no failure".
	[ $status -eq 1 ] || { [ $name != null ] && [ $status -eq 4 ]; } || show record.out
	report "record/clocks-$name-reproduced" $([ $status -eq 1 ] || { [ $name != null ] && [ $status -eq 4 ]; }; echo $?)
done
# Locks that were refused are no operations, those of dead owners are: the last of eight is at 7.
build relock -g
rm -rf relock.rec
"$heddle" record -q --keep=all -o relock.rec ./relock >log 2>&1
[ $? -eq 0 ] && [ "$("$heddle" info --json relock.rec | jq '.threads[0].operations')" = 7 ]
report record/refused-locks-are-no-operations $?
