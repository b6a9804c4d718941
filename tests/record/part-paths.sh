# Numbers of paths (Ball and Larus) mean the same ways as bits of every point.  Runs differ from each
# other in programs where one thread decides what another does: recordings of both kinds are gathered,
# on all processors and on one in turn, until two of different kinds are of the same way.  That none
# are is a fault only where all runs of a kind went one way; other programs are skipped.  In the short
# form a part of the targets, in the long form all.
cc -D_GNU_SOURCE -I"$root/src" -o same "$TEST_HERE/same.c" "$TEST_BUILD/src/libroom_trace.a" \
	"$TEST_BUILD/src/libroom_base.a" -lzstd >log 2>&1 || { show log; not_ok record/paths-compared; }

one_cpu=$(taskset -cp $$ 2>/dev/null | sed -E 's/.*: *([0-9]+).*/\1/')

# record_as BACKEND PROGRAM TO ROUND: one run, whatever comes of it.
record_as()
{
	local where=""
	[ $(($4 % 2)) -eq 1 ] || [ -z "$one_cpu" ] || where="taskset -c $one_cpu"
	rm -rf "$3"
	# shellcheck disable=SC2086
	timeout -k 5 10 $where "$heddle" record --backend="$1" --keep=all --inputs=off -q -o "$3" "$2" \
		>/dev/null 2>&1 </dev/null
	case $? in 124|137|143) return 2 ;; esac
	[ -d "$3" ]
}

# one_way KIND: whether all recordings of it are of one way.
one_way()
{
	local first="" r
	for r in "$1".*.rec; do
		[ -n "$first" ] || first=$r
		./same "$first" "$r" >/dev/null || return 1
	done
}

# meet: whether two recordings of different kinds are of one way; what differs stays in log.
meet()
{
	local a b
	for a in bits.*.rec; do
		for b in paths.*.rec; do
			./same "$a" "$b" >log && return 0
		done
	done
	return 1
}

# both FILE: builds it both ways, and compares.
both()
{
	local file=$1 name flags cc=cc i
	name=$(basename "$file")
	flags=$(sed -nE 's/^ \* flags: *//p' "$file")
	[ "${file##*.}" = c ] || cc=c++
	# shellcheck disable=SC2086
	"$heddle" $cc --flavor=paths -O1 -g -pthread -DN=3 -I"$root/include" $flags -o both.paths "$file" 2>log &&
		"$heddle" $cc --flavor=record --mark=all -O1 -g -pthread -DN=3 -I"$root/include" $flags -o both.bits "$file" 2>>log ||
		{ show log; not_ok "record/paths-$name"; return; }
	rm -rf bits.*.rec paths.*.rec
	for i in 1 2 3 4 5 6 7 8; do
		record_as bits ./both.bits bits.$i.rec $i && record_as paths ./both.paths paths.$i.rec $i
		case $? in
		0) ;;
		2) skip "record/paths-$name" "it does not end by itself"; return ;;
		*) continue ;;
		esac
		meet && { ok "record/paths-$name"; return; }
	done
	if one_way bits && one_way paths; then
		show log; not_ok "record/paths-$name"
	else
		skip "record/paths-$name" "its runs differ from each other"
	fi
}
number=0
for file in "$root"/tests/targets/*/*.c*; do
	number=$((number + 1))
	[ -n "${TEST_LONG-}" ] || [ $((number % 8)) -eq 1 ] || continue
	both "$file"
done
for name in fine handed jumps throws inputs; do
	both "$(ls "$TEST_HERE/programs/$name".c*)"
done

# A program of another flavour is built again for it, and fails in the same way.
build assertion
rm -rf derived.rec
XDG_CACHE_HOME=$PWD/cache "$heddle" record --backend=paths -o derived.rec ./assertion >record.out 2>record.err
report record/paths-derived $([ $? -eq 134 ] && [ "$(key derived.rec .backend)/$(key derived.rec .failure.kind)/$(key derived.rec .every_point)" = paths/assertion/true ]; echo $?)
