#!/bin/bash
# Litmus programs under random schedules show exactly the outcomes each memory model allows.
#
# NAME/shape is the abstract program, NAME/program.c the C program, NAME/expected.MODEL the outcomes
# ("status a=… b=…").  The oracle recomputes the expectations from the shape; then heddle's distinct
# exit statuses must be that set: all of them and no other.
# After a change of a shape: run.sh --update writes the expectations anew.
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 75
here=$root/tests/litmus
runs=$([ -n "${TEST_LONG-}" ] && echo 100000 || echo 5000)

${CC:-gcc} -O2 -Wall -Wextra -Werror -o "$TEST_TMP/oracle" "$here/oracle.c" || {
	not_ok oracle_builds
	exit 1
}
if [ "${1-}" = --update ]; then
	for shape in "$here"/*/shape; do
		for model in sc tso pso; do
			"$TEST_TMP/oracle" $model "$shape" >"${shape%/shape}/expected.$model" || exit 1
		done
	done
	exit 0
fi

# Sorted distinct exit statuses of program $1 under model $2; fails unless every run reported one.
outcomes()
{
	local json=$TEST_TMP/$name.$2.json

	"$heddle" check --model="$2" --strategy=random --runs="$runs" --seed=1 --keep-going \
		--exit-code --no-simplify --json -o "$TEST_TMP/out" "$1" >"$json" 2>"$json.err"
	if [ $? -ne 1 ]; then
		echo "heddle check failed:"
		cat "$json" "$json.err"
		return 1
	fi
	jq -e '.runs == '"$runs"' and .failures == .runs and ([.findings[].kind] | unique) == ["exit"]' \
		"$json" >/dev/null || { echo "not every run ended with an outcome"; cat "$json"; return 1; }
	jq -r '.findings[].value' "$json" | sort -n
}

for dir in "$here"/*/; do
	name=$(basename "$dir")
	program=$TEST_TMP/$name
	"$bin/heddle-cc" -O2 -g -pthread -o "$program" "$dir/program.c" >"$TEST_TMP/log" 2>&1 || {
		show "$TEST_TMP/log"
		not_ok "$name builds"
		continue
	}
	for model in sc tso pso; do
		expected=$dir/expected.$model
		if ! "$TEST_TMP/oracle" $model "$dir/shape" | cmp -s - "$expected"; then
			echo "    $expected is not what the oracle says"
			not_ok "$name $model"
			continue
		fi
		if ! outcomes "$program" $model >"$TEST_TMP/got"; then
			show "$TEST_TMP/got"
			not_ok "$name $model"
		elif ! cut -d ' ' -f 1 "$expected" | sort -n | diff - "$TEST_TMP/got" >"$TEST_TMP/diff"; then
			show "$TEST_TMP/diff"
			not_ok "$name $model"
		else
			ok "$name $model"
		fi
	done
done
exit $failed
