#!/bin/bash
# Many seeds and every strategy: each bug is found from different seeds, not from a lucky one, and
# by the other strategies as well.  Short form: a sample of the programs, picked by position.
set -u
. "$(dirname "$0")/../lib.sh"
plan 33
here=$root/tests/targets
long=${TEST_LONG-}
every=$([ -n "$long" ] && echo 1 || echo 6)
seeds=$([ -n "$long" ] && echo 20 || echo 3)

field() { sed -nE "s/^ \* $1: *//p" "$file"; }

# finds STRATEGY SEED: the expected failure, within 20,000 runs?
finds()
{
	local kind

	# shellcheck disable=SC2046
	kind=$(timeout 300 "$heddle" check --strategy="$1" --model="$model" --runs=20000 --seed="$2" \
		--no-simplify --json -o "$work/out" $(field options) "$program" 2>"$work/log" |
		jq -r '.findings[0].kind')
	grep -qw -- "${kind:-none}" <<<"$(field expect)"
}

test_one()
{
	local compiler=heddle-cc strategy bad=0 i

	file=$here/$1
	name=${1%.*}
	work=$TEST_TMP/$1
	program=$work/prog
	model=$(field model)
	model=${model:-sc}
	mkdir -p "$work"
	case $1 in *.cc) compiler=heddle-c++ ;; esac
	# shellcheck disable=SC2046
	if ! "$bin/$compiler" -O2 -g -pthread $(field flags) -o "$program" "$file" >"$work/log" 2>&1; then
		show "$work/log"
		not_ok "$name builds"
		return
	fi
	for i in $(seq "$seeds"); do
		finds random "$((i * 1000003))" || { bad=1; echo "    not from seed $((i * 1000003))"; }
	done
	report "$name: found from $seeds different seeds" $bad
	for strategy in pct dfs; do
		finds $strategy 1
		report "$name: found by $strategy" $?
	done
	rm -rf "$work"
}

if [ "${1-}" = --one ]; then
	test_one "$2" >"$TEST_TMP/$$.out" 2>&1
	cat "$TEST_TMP/$$.out"
	exit 0
fi
cd "$here" || exit 3
[ $# -gt 0 ] || set -- $(ls buggy/*.c buggy/*.cc | awk -v every="$every" 'NR % every == 1 || every == 1')
children "$root/tests/chaos/run.sh" "$@"
! grep -q '^not ok' "$TEST_TMP/results"
