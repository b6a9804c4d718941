# Programs written for this suite, and those that are right by other suites' word.

printf 'void outside_function(int *to);\nvoid outside_function(int *to) { *to = 1; }\n' >outside.c
"${CC:-cc}" -c -o outside.o outside.c

expected() # NAME EXPECTATION
{
	case $2 in
	none) [ $status -eq 0 ] && [ "$(field '.races + .deadlocks | length')" = 0 ] ;;
	race\ *)
		set -- $2
		[ $status -eq 1 ] && [ "$(field ".deadlocks | length")" = 0 ] &&
			[ "$(field "[.races[] | select(([.a.variable, .b.variable] | tostring |
				contains(\"$2\")))] | length")" -ge "$3" ] ;;
	deadlock) [ $status -eq 1 ] && [ "$(field '.deadlocks | length')" = 1 ] &&
		[ "$(field '.races | length')" = 0 ] ;;
	opaque\ *) [ $status -eq 4 ] && [ "$(field '.opaque[0].what')" = "${2#opaque }" ] ;;
	*) false ;;
	esac
}

for file in "$here"/programs/*.c "$here"/programs/*.cc; do
	name=$(basename "${file%.*}")
	case $file in *.cc) compiler=heddle-c++ ;; *) compiler=heddle-cc ;; esac
	for level in -O0 -O2; do
		if ! "$bin/$compiler" $level -g -pthread -o "$name" "$file" outside.o >log 2>&1; then
			show log
			not_ok "$name $level builds"
			continue
		fi
		analyze "./$name"
		while read -r want; do
			expected "$name" "$want" || {
				echo "$status $(field '[.races[] | [.a.line, .b.line, .a.variable]] | tostring')" |
					show
				false
			}
			report "$name $level: $want" $?
		done < <(sed -n 's/^ \* analyze: *//p' "$file")
	done
done
