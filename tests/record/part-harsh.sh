# Programs that change the ground they stand on: same output, same status, and nothing is lost of what
# they did before and after.
build harsh || not_ok record/harsh

# harsh MODE LOSS BITS [fail]: the loss that the recording admits, and the least number of bits in it.
harsh()
{
	local mode=$1 loss=$2 bits=$3 want got
	shift 3
	rm -rf harsh.rec
	timeout 60 ./harsh.plain "$mode" "$@" >plain.out 2>/dev/null; want=$?
	timeout 60 "$heddle" record --keep=all -o harsh.rec ./harsh "$mode" "$@" >record.out 2>record.err; got=$?
	if [ "$want" -eq "$got" ] && cmp -s plain.out record.out && [ "$(key harsh.rec .loss)" = "$loss" ] &&
		[ "$(key harsh.rec "[.threads[].bits] | add >= $bits")" = true ]; then
		ok "record/harsh-$mode${1:+-$1}"
	else
		echo "    status $got, not $want; loss $(key harsh.rec .loss), $(key harsh.rec '[.threads[].bits] | add') bits"
		show record.err; not_ok "record/harsh-$mode${1:+-$1}"
	fi
}
for mode in close chdir drop chroot files block early; do
	harsh $mode 0 6000000
done
harsh close 0 6000000 fail
harsh drop 0 6000000 fail
harsh memory 0 3000000
harsh exit 0 3000000
harsh double 0 3000000
harsh last 0 4500000
# Past the limit on the size of files the recording ends, not the program.
harsh size 1 3000000
# Another program takes the place of this one: what there was before is kept.
harsh exec 0 3000000
