# Sourced by run.sh: pigz, threads of its own making over a foreign library.

build_pigz() { make -C pigz CC="$heddle cc" CFLAGS="-O2 -g" pigz; }

if get pigz pigz; then
	cp -a "$fetched/pigz" .
	if timed "pigz builds" build_pigz; then
		seq 1 60000 | head -c 250000 >input
		pigz/pigz -p 3 -c input | gzip -dc | cmp -s - input
		report "pigz works without heddle around it" $?
		"$heddle" run --quiet -o pigz.heddle pigz/pigz -p 3 -b 128 -c input 2>run.err |
			gzip -dc | cmp -s - input
		report "pigz compresses under control" $?
		# The library that compresses is not instrumented, and that is what the answer says.
		answer pigz "4" 15 pigz/pigz -p 2 -b 128 -c input && grep -q 'deflate' answer.out
		report "pigz: the foreign library is named" $?
	fi
fi
