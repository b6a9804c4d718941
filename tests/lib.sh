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

ok() { echo "ok $1"; }
not_ok() { echo "not ok $1"; failed=1; }
skip() { echo "skip $1 $2"; }
# report NAME STATUS: ok when STATUS is 0.
report() { if [ "$2" -eq 0 ]; then ok "$1"; else not_ok "$1"; fi; }
# Indents what a failed step printed, so that it cannot be taken for a result line.
show() { sed 's/^/    /' "$@"; }
