# Sourced by run.sh: concurrencykit's regressions, whose atomics are inline assembly, with few rounds.

build_ck()
{
	local from=ck/regressions
	local flags=(-D_GNU_SOURCE -g -O1 -Ick/include "-I$from" -pthread)
	local lib=ck/src/libck.a

	(cd ck && ./configure CC="$heddle cc" && make -j"$(nproc)" CC="$heddle cc") &&
		"$heddle" cc "${flags[@]}" -DITERATE=1 -o ck-ticket "$from/ck_spinlock/validate/ck_ticket.c" $lib &&
		"$heddle" cc "${flags[@]}" -DITERATE=1 -o ck-mcs "$from/ck_spinlock/validate/ck_mcs.c" $lib &&
		"$heddle" cc "${flags[@]}" -DITERATIONS=1 -o ck-fifo "$from/ck_fifo/validate/ck_fifo_spsc.c" $lib &&
		"$heddle" cc "${flags[@]}" -DITERATIONS=1 -o ck-ring "$from/ck_ring/validate/ck_ring_spsc.c" $lib
}

if get ck ck; then
	cp -a "$fetched/ck" .
	if timed "concurrencykit builds" build_ck; then
		for words in "ticket 2 1" "mcs 2 1" "fifo 2 1 2" "ring 2 1 4"; do
			read -r name arguments <<<"$words"
			# shellcheck disable=SC2086
			timeout 60 ./ck-$name $arguments >/dev/null 2>&1
			report "concurrencykit $name works without heddle around it" $?
			# shellcheck disable=SC2086
			answer "concurrencykit $name" "0" 60 ./ck-$name $arguments &&
				! grep -q 'assembly' answer.out
			report "concurrencykit $name: its assembly is understood" $?
		done
	fi
fi
