# Every program in programs/ by its head.

replays() # BUNDLE: fails as often as it is asked to
{
	"$heddle" replay -q --times="$([ -n "${TEST_LONG-}" ] && echo 1000 || echo 50)" "$1" \
		>replay.log 2>&1
	[ $? -eq 1 ]
}

expect_found() # NAME LINE|KIND
{
	local got

	[ "$status" -eq 1 ] || { show err; field .text | show; not_ok "$1: found (status $status)"; return; }
	got=$(field '[.found[] | (.assertion.line | tostring), .failure.kind] | join(" ")')
	case " $got " in
	*" $2 "*) ok "$1: found at $2" ;;
	*) not_ok "$1: found at $2, not $got" ;;
	esac
	replays "$(field '.found[0].bundle')"
	report "$1: replayed" $?
}

for source in "$here"/programs/*.c; do
	name=$(basename "$source" .c)
	want=$(sed -n 's/.*hunt: \(.*\) \*\/$/\1/p' "$source" | head -n 1)
	build "$name" || continue
	hunt --runs=8 --time=60 -o "$name.out" "./$name"
	case $want in
	"found "*) expect_found "$name" "${want#found }" ;;
	safe)
		[ "$status" -eq 0 ] && [ "$(field .undecided)" = 0 ] && [ "$(field '.found | length')" = 0 ]
		report "$name: proved" $?
		[ "$status" -eq 0 ] || { show err; field .text | show; }
		;;
	*) not_ok "$name: says what is expected" ;;
	esac
done
