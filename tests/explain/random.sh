# Part of run.sh: random programs of which every execution is known (tests/check_random).  One of their
# final states is asserted not to occur; when explain says that it saw all executions, it has seen as many
# states as the enumeration.

random_group()
{
	local name seed count threads operations features dir from=$root/tests/check_random
	local number model told maps stuck asserted items item n=0 all=0 wrong=0 found states

	IFS=: read -r name seed count threads operations features <<<"$1"
	dir=$work/$name.d
	mkdir -p "$dir"
	"$work/generate" "$seed" "$count" "$threads" "$operations" "$features" >"$dir/batch.c" &&
		${CC:-cc} -O1 -w -DENUMERATE -I"$from" -o "$dir/oracle" "$dir/batch.c" "$work"/enumerate*.o &&
		"$dir/oracle" "$dir/sets.h" >"$dir/oracle.txt" &&
		"$bin/heddle-cc" -O1 -g -pthread -w -I"$from" -I"$root/include" \
			-DBATCH_SETS="\"$dir/sets.h\"" -o "$dir/batch" "$dir/batch.c" ||
		{ not_ok "random programs: $name"; return; }
	while read -r number model told maps stuck asserted; do
		[ "$model" = sc ] && [ "$told" != - ] || continue
		mapfile -t items < <(awk -v name="set_${number}_sc[]" '$4 == name { on = 1 }
			on { print } on && /};/ { exit }' "$dir/sets.h" | grep -oE '[0-9]+u' | tr -d u)
		[ ${#items[@]} -gt 1 ] || continue
		item=${items[$(((number * 7 + 3) % ${#items[@]}))]}
		rm -rf "$dir/f.heddle"
		timeout 60 "$heddle" check -q --runs=5000 --seed=1 -o "$dir/f.heddle" \
			"$dir/batch" "$number" not sc "$item" >"$dir/log" 2>&1 </dev/null
		[ -d "$dir/f.heddle" ] || continue
		explain --json "$dir/f.heddle" >"$dir/f.json" 2>>"$dir/log"
		n=$((n + 1))
		read -r found states < <(jq -r '"\(.evidence.all) \(.evidence.states)"' "$dir/f.json")
		[ "$found" = true ] || continue
		all=$((all + 1))
		[ "$states" = "$maps" ] || [ "$states" = "$told" ] && continue
		wrong=$((wrong + 1))
		echo "    $name $number not $item: $states states, not $maps"
	done <"$dir/oracle.txt"
	echo "    $name: $n failures, $all with all executions seen"
	[ $wrong -eq 0 ] && [ $((all * 2)) -gt "$n" ]
	report "random programs: $name" $?
}

test_random()
{
	local source object group

	${CC:-cc} -O2 -o "$work/generate" "$root/tests/check_random/generate.c" || return
	for source in "$root"/tests/check/enumerate*.c; do
		object=${source##*/}
		${CC:-cc} -O2 -c -o "$work/${object%.c}.o" "$source" || return
	done
	for group in accesses:1:16:4:4:bi locks:3:16:3:4:bl conditions:6:16:3:3:lc; do
		random_group "$group"
	done
}

test_random
