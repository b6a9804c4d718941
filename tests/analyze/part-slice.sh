# --slice: what may decide a line is in it, what does not need not be.

"$bin/heddle-cc" -O0 -g -pthread -o slice "$here/programs/slice.c"
lines() { grep -n "/\* $1 \*/" "$here/programs/slice.c" | cut -d: -f1; }
# sliced WORD yes|no: every line with the word is in the slice, or none is.
sliced()
{
	local line
	for line in $(lines "$1"); do
		[ "$(field "[.slice[].line] | any(. == $line)")" = "$([ "$2" = yes ] && echo true || echo false)" ] ||
			{ echo "    line $line ($1)" && return 1; }
	done
}
analyze --slice="slice.c:$(lines here)" ./slice
[ $status -eq 0 ] && sliced in yes && sliced once yes && sliced out no &&
	[ "$(field '.slice[] | select(.what == "the line") | .line')" = "$(lines here)" ]
report "slice" $?
timeout 60 "$heddle" stable --policy=rr --quiet --log=slice.log ./slice 7 >out
analyze --schedule=slice.log --slice="slice.c:$(lines here)" ./slice
[ $status -eq 0 ] && sliced in yes && sliced out no && ! sliced once yes >log &&
	[ "$(field '.counts.slice_all')" -gt "$(field '.slice | length')" ]
report "slice under a schedule" $?
for wrong in "slice.c:99999" "nowhere.c:3" "slice.c" ":3" "slice.c:x"; do
	"$heddle" analyze --slice="$wrong" ./slice >out 2>err
	[ $? -eq 2 ] && grep -q 'no code that may run\|FILE:LINE' err
	report "slice of $wrong" $?
done

# What is in no slice of a line can be changed, and the line prints the same (slices.py).
wrong=0
for seed in $(seq "${ANALYZE_SLICES:-10}"); do
	python3 "$here/slices.py" "$seed" >a.c
	at=$(grep -n '/\* here \*/' a.c | cut -d: -f1)
	"$bin/heddle-cc" -w -g -O$((seed % 2)) -pthread a.c -o a && analyze --slice="a.c:$at" ./a &&
		python3 "$here/slices.py" "$seed" "$(field '[.slice[].line] | join(",")')" >b.c &&
		"${CC:-cc}" -w -pthread a.c -o native && "${CC:-cc}" -w -pthread b.c -o changed
	if [ $? -ne 0 ] || [ $status -ne 0 ] || cmp -s a.c b.c ||
		[ "$(timeout 10 ./native | head -n 1)" != "$(timeout 10 ./changed | head -n 1)" ]; then
		echo "    seed $seed, status $status"
		wrong=$((wrong + 1))
	fi
done
[ $wrong -eq 0 ]
report "slices of random programs" $?
