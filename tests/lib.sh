# Shared by the suites (sourced): where things are, and the three result lines.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
export TEST_BUILD=${TEST_BUILD:-$root/build}
bin=$TEST_BUILD/bin
heddle=$bin/heddle
if [ -z "${TEST_TMP-}" ]; then
	TEST_TMP=$(mktemp -d "${TMPDIR:-/tmp}/heddle-test.XXXXXX")
	export TEST_TMP
	trap 'rm -rf "$TEST_TMP"' EXIT
fi
failed=0

# plan N [exactly]: the suite has so many results, or more; tests/run-all counts them, so that nothing
# that dies on the way is taken for success.  Children and single items plan nothing.
plan() { [ -n "${TEST_CHILD-}" ] || echo "plan $*"; }
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1"; failed=1; }
skip() { echo "skip $1 $2"; }
# report NAME STATUS: ok when STATUS is 0.
report() { if [ "$2" -eq 0 ]; then ok "$1"; else not_ok "$1"; fi; }
# Indents what a failed step printed, so that it cannot be taken for a result line.
show() { sed 's/^/    /' "$@"; }

# need FILE...: what the build makes; without it nothing was tested, which is no success.
need()
{
	local file
	for file; do
		[ -e "$file" ] || { not_ok "$file is built"; exit 1; }
	done
}

# One item in a process of its own; its results, and one more when it died.
run_child()
{
	local out status
	out=$(TEST_CHILD=1 "$1" --one "$2" 2>&1)
	status=$?
	[ -z "$out" ] || printf '%s\n' "$out"
	if [ $status -ge 126 ] || ! grep -qE '^(ok|not ok|skip) ' <<<"$out"; then
		echo "not ok $2 (its test died: status $status)"
	fi
}
export -f run_child

# children SCRIPT ITEM...: SCRIPT --one ITEM for each, side by side; the results are also in
# $TEST_TMP/results.  Every item has results, or it is a failure.
children()
{
	local script=$1
	shift
	printf '%s\n' "$@" | xargs -P "$(nproc)" -d '\n' -n 1 bash -c 'run_child "$0" "$1"' "$script" |
		tee -a "$TEST_TMP/results"
}

# peak_of PROCESS: the most memory it has had when it ends, in KB.
peak_of()
{
	local peak=0 now
	while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$1/status" 2>/dev/null) && [ "$now" ]; do
		peak=$now
		sleep 0.1
	done
	echo "$peak"
}
