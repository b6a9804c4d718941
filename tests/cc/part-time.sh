# Sourced by run.sh: the wrapper costs a small multiple of the compiler, also where one file becomes
# thousands of functions.  CPU time, not the clock; the bound is far from what is measured
# (tests/bench), because only a cost that grows with the square is an error.
spent() { local TIMEFORMAT=%U; { time "$@" >time.log 2>&1; } 2>&1 | tr -d .; }
plain_ms=$(spent clang++-19 -O2 -g -c -o plain.o "$root/tests/bench/templates.cc")
our_ms=$(spent "$cxx" -O2 -g -c -o ours.o "$root/tests/bench/templates.cc")
echo "    clang++ $plain_ms ms, heddle c++ $our_ms ms"
[ "$((10#$our_ms))" -lt $((10#$plain_ms * 8)) ]
report "thousands of functions in one file" $?
