# Simulated cores: the same seed is the same run, and stores are late only where the model allows it.
"$heddle" cc -O1 -g -o buffering.check "$TEST_HERE/programs/buffering.c" 2>log || show log
"$heddle" cc -O1 -g -o counting.check "$TEST_HERE/programs/assertion.c" 2>log || show log

# tries MODEL: how many of 25 seeds fail.
tries()
{
	local n=0
	for seed in $(seq 1 25); do
		rm -rf sim.rec
		"$heddle" record --backend=sim --cores=2 --seed=$seed --model=$1 -q -o sim.rec ./buffering.check >/dev/null 2>&1
		[ $? -eq 134 ] && n=$((n + 1))
	done
	echo $n
}
report record/sim-sc-keeps-order $([ "$(tries sc)" -eq 0 ]; echo $?)
report record/sim-tso-delays-stores $([ "$(tries tso)" -gt 0 ]; echo $?)

rm -rf one.rec two.rec other.rec
for to in one two; do "$heddle" record --backend=sim --seed=5 -q -o $to.rec ./counting.check >/dev/null 2>&1; done
"$heddle" record --backend=sim --seed=6 --cores=3 -q -o other.rec ./counting.check >/dev/null 2>&1
report record/sim-same-seed-same-run $(cmp -s one.rec/streams two.rec/streams && cmp -s one.rec/stamps two.rec/stamps &&
	cmp -s one.rec/tasks two.rec/tasks; echo $?)
report record/sim-other-seed-other-run $(! cmp -s one.rec/tasks other.rec/tasks; echo $?)
report record/sim-says-so $([ "$(key other.rec .backend)/$(key other.rec .cores)/$(key other.rec .failure.kind)" = sim/3/assertion ]; echo $?)

# A program built for recording is built again for control.
build assertion
rm -rf sim.rec
XDG_CACHE_HOME=$PWD/cache "$heddle" record --backend=sim -o sim.rec ./assertion >record.out 2>record.err
report record/sim-of-record-flavour $([ $? -eq 134 ] && [ "$(key sim.rec .backend)" = sim ]; echo $?)
# And the other way round; what was built is used again.
for i in 1 2; do
	rm -rf derived.rec
	XDG_CACHE_HOME=$PWD/cache "$heddle" record -o derived.rec ./counting.check >record.out 2>record.err
	report "record/check-flavour-$i" $([ $? -eq 134 ] && [ "$(key derived.rec .executable.path)" = "$PWD/counting.check" ]; echo $?)
done
report record/check-flavour-kept $([ "$(ls cache/heddle/counting.check-*.record | wc -l)" -eq 1 ]; echo $?)

# What is not there is said.
"$heddle" record --backend=pt -o pt.rec ./assertion >record.out 2>record.err
status=$?
if [ -e /sys/bus/event_source/devices/intel_pt ]; then
	skip record/pt-absent "this machine has Intel PT"
else
	report record/pt-absent $([ $status -eq 3 ] && grep -q 'no Intel Processor Trace' record.err && [ ! -s record.out ]; echo $?)
fi
