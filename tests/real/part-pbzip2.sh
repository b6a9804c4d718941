# Sourced by run.sh: pbzip2 compresses and expands a file under many schedules.

build_pbzip2()
{
	# Its sources predate C++11's user-defined literals, which clang takes for an error.
	make -C pbzip2 CXX="$heddle c++" CXXFLAGS="-O2 -Wno-reserved-user-defined-literal \
		-D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION"
}

controlled() { rm -rf out.heddle; "$heddle" run --quiet --seed="$1" -o out.heddle pbzip2/pbzip2 "${@:2}" 2>run.err; }

# There and back, both under control, and once back by the ordinary tool.
round_trip()
{
	controlled "$1" -k -f -p3 -b1 -c input >packed && bunzip2 -c packed | cmp -s - input &&
		controlled "$1" -d -k -f -p3 -c packed >unpacked && cmp -s unpacked input
}

# Seed by seed, so that the result of every single schedule is looked at.
round_trips()
{
	local seed
	for ((seed = 1; seed <= runs; seed++)); do
		round_trip $seed && continue
		echo "    seed $seed"
		show run.err
		return 1
	done
}

if get pbzip2 pbzip2; then
	cp -a "$fetched/pbzip2" .
	if timed "pbzip2 builds" build_pbzip2; then
		seq 1 60000 | head -c 250000 >input
		pbzip2/pbzip2 -k -f -p3 -b1 -c input | bunzip2 | cmp -s - input
		report "pbzip2 works without heddle around it" $?
		SECONDS=0
		round_trips
		report "pbzip2 round-trips a file under $runs random schedules" $?
		echo "    $((2 * runs)) controlled runs: $SECONDS s"
		"$heddle" check --strategy=random --runs=$runs --exit-code \
			pbzip2/pbzip2 -k -f -p3 -b1 -c input >check.out 2>&1
		status=$?
		[ $status -eq 0 ] || show check.out
		report "pbzip2 has no failure in $runs random schedules" $status
	fi
fi
