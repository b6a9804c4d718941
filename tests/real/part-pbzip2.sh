# Sourced by run.sh: pbzip2 compresses and expands a file under many schedules.

build_pbzip2()
{
	# Its sources predate C++11's user-defined literals, which clang takes for an error.
	make -C pbzip2 CXX="$heddle c++" CXXFLAGS="-O2 -Wno-reserved-user-defined-literal \
		-D_LARGEFILE64_SOURCE -D_FILE_OFFSET_BITS=64 -DUSE_STACKSIZE_CUSTOMIZATION"
}

# Seed by seed, so that the result of every single schedule is looked at.
round_trips()
{
	local seed bad=0
	for ((seed = 1; seed <= runs; seed++)); do
		"$heddle" run --quiet --seed=$seed -o out.heddle pbzip2/pbzip2 -k -f -p3 -b1 -c input \
			>packed 2>run.err && bunzip2 -c packed 2>>run.err | cmp -s - input &&
			"$heddle" run --quiet --seed=$seed -o out.heddle pbzip2/pbzip2 -d -k -f -p3 -c packed \
			>unpacked 2>run.err && cmp -s unpacked input || { bad=1; echo "    seed $seed"; show run.err; break; }
		rm -rf out.heddle
	done
	return $bad
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
		"$heddle" check --strategy=random --runs=$runs --exit-code --quiet \
			pbzip2/pbzip2 -k -f -p3 -b1 -c input >/dev/null 2>check.err || show check.err
		report "pbzip2 has no failure in $runs random schedules" "$(grep -c . check.err | sed 's/[1-9].*/1/')"
	fi
fi
