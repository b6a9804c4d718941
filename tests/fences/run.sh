#!/bin/bash
# Failures that need weak memory: heddle says so, shows the late stores and names the fences.
#
# programs/: the head comment and the marks behind stores (programs/fences.h) say under which models
# a program fails and which fences heddle must advise.  With exactly these fences in the source the
# program is clean, and with each of them left out it fails again.
set -u
. "$(dirname "$0")/../lib.sh"
plan 142
here=$root/tests/fences

field() { sed -nE "s/^ \* $1: *//p" "$file" | head -n 1; }

# Prints "line kind number" for every mark of a model in the file.
marks()
{
	awk -v model="$1" '{ at = index($0, "// "); if (!at) next
		count = split(substr($0, at + 3), all, ", ")
		for (i = 1; i <= count; i++) {
			split(all[i], part, ": ")
			split(part[1], word, " ")
			if ((" " part[2] " ") ~ (" " model " ") && (word[1] == "full" || word[1] == "release"))
				print NR, word[1], word[2]
		} }' "$file"
}

# The fences in a report, as marks would write them.
advice()
{
	jq -r --arg file "$(basename "$file"):" '.findings[] | select(.memory.fences | length > 0) |
		.memory.fences[] | (.place | ltrimstr($file)) as $line |
		if .where == "around" then "\($line) full", "\($line) release"
		elif .order == "seq_cst" then "\($line) full" else "\($line) release" end' "$1" |
		sort -u
}

build()
{
	"$bin/heddle-cc" -O1 -g -pthread -I"$root/include" "$@" -o "$program" "$file" \
		>"$work/log" 2>&1 && return
	show "$work/log"
	not_ok "$name builds"
	return 1
}

# check MODEL WANTED-STATUS [OPTION...]
check()
{
	local model=$1 want=$2 status

	shift 2
	timeout 120 "$heddle" check --model="$model" --json -o "$work/out" "$@" "$program" \
		>"$work/json" 2>"$work/log" </dev/null
	status=$?
	[ $status -eq "$want" ] && return
	echo "    status $status, not $want: $(jq -r .text "$work/json")"
	tail -n 3 "$work/log" | show
	return 1
}

bits()
{
	local sum=0 number

	while read -r _ _ number; do
		[ "$number" = "${1-}" ] || sum=$((sum | 1 << number))
	done
	echo $sum
}

test_cure()
{
	local model=$1 number

	build -DPRESENT="$(marks "$model" | bits)" || return
	check "$model" 0
	report "$name with the advised fences is clean under $model" $?
	for number in $(marks "$model" | awk '{ print $3 }'); do
		build -DPRESENT="$(marks "$model" | bits "$number")" || return
		check "$model" 1 --runs=30000
		report "$name without fence $number fails under $model" $?
	done
}

# The finding that has advice, and the words about it.
test_words()
{
	local model=$1 says

	says=$(field says)
	jq -e --arg says "$says" --arg model "${model^^}" 'any(.findings[];
		(.memory.fences | length > 0) and (.late_stores | length > 0) and
		(.memory.needs == "TSO" or .memory.needs == $model) and
		(.memory.text | test("^needs .*: no such failure in an exhaustive search of [0-9]+ " +
			"states under (SC|TSO)$")) and
		(.memory.clean_with_fences | .search == "complete" and .states > 1) and
		(.late_stores[0].text | test("store .* memory (only )?after its ")) and
		all(.memory.fences[].text; contains($says)))' "$work/json" >/dev/null
	report "$name says why under $model" $?
}

test_model()
{
	local model=$1 keep=()

	build || return
	if ! grep -qw "$model" <<<"$(field fails)"; then
		check "$model" 0
		report "$name is clean under $model" $?
		return
	fi
	[ -z "$(field several)" ] || keep=(--keep-going)
	check "$model" 1 "${keep[@]}"
	report "$name fails under $model" $?
	marks "$model" | cut -d ' ' -f 1,2 | sort -u >"$work/want"
	advice "$work/json" >"$work/got"
	diff "$work/want" "$work/got" >"$work/diff"
	status=$?
	[ $status -eq 0 ] || show "$work/diff"
	report "$name gets the right advice under $model" $status
	if [ -s "$work/want" ] && [ "$model" != sc ]; then
		test_words "$model"
		[ -n "$(field several)" ] || test_cure "$model"
	fi
	[ -z "$(field several)" ] || test_several "$model"
}

# Failures that show under SC get no advice beside others that do.
test_several()
{
	[ "$1" != sc ] || return
	jq -e '[.findings[].memory.needs] | sort | unique == ["SC", "TSO"]' "$work/json" >/dev/null
	report "$name has failures of both kinds under $1" $?
}

test_one()
{
	file=$here/$1
	name=$(basename "$1" .c)
	work=$TEST_TMP/$name.d
	program=$work/$name
	mkdir -p "$work" || exit 3
	for model in sc tso pso; do
		test_model $model
	done
}

# What a job's fences do is the same on every engine.
test_engines()
{
	local engine

	file=$here/programs/sb.c name=sb work=$TEST_TMP/engines.d program=$TEST_TMP/engines.d/sb
	mkdir -p "$work" || exit 3
	build || return
	marks tso | cut -d ' ' -f 1,2 | sort -u >"$work/want"
	for engine in reset fork threads; do
		check tso 1 --engine=$engine && advice "$work/json" >"$work/got" &&
			diff "$work/want" "$work/got"
		report "fences are honoured on $engine" $?
	done
}

# The page for a person, and the same again from the bundle.
test_page()
{
	local bundle

	file=$here/programs/sb.c name=sb work=$TEST_TMP/page.d program=$TEST_TMP/page.d/sb
	mkdir -p "$work" || exit 3
	build || return
	"$heddle" check --model=tso -o "$work/out" "$program" >"$work/page" 2>&1 </dev/null
	grep -q "^memory order:$" "$work/page" && grep -q "^  needs TSO: no such failure" "$work/page" &&
		grep -q "^  these fences together would remove it:$" "$work/page" &&
		grep -q "^  with them no failure in an exhaustive search of 3 states under TSO$" "$work/page"
	report "the page explains the order of memory" $?
	bundle=$(sed -n 's/^replay:  heddle replay //p' "$work/page")
	"$heddle" replay "$bundle" >"$work/replay" 2>&1
	[ $? -eq 1 ] && grep -F "$(grep 'reached memory only after' "$work/page")" "$work/replay" >/dev/null
	report "the replay shows the late stores" $?
}

# Known failures are skipped by the guest: counts stay exact, whatever the number of guests.
test_known()
{
	local one two

	file=$here/known.c name=known work=$TEST_TMP/known.d program=$TEST_TMP/known.d/known
	mkdir -p "$work" || exit 3
	build || return
	check sc 1 --keep-going --exit-code --no-simplify --runs=5000 --engine=reset
	one=$(jq -c '[.runs, .failures, [.findings[] | [.kind, .value, .runs, .seed]]]' "$work/json")
	jq -e '.failures == ([.findings[].runs] | add) and (.findings | length) >= 4' \
		"$work/json" >/dev/null
	report "every failing run is counted once" $?
	check sc 1 --keep-going --exit-code --no-simplify --runs=5000 --engine=reset -j 2
	two=$(jq -c '[.runs, .failures, [.findings[] | [.kind, .value, .runs, .seed]]]' "$work/json")
	[ "$one" = "$two" ] || printf '    %s\n    %s\n' "$one" "$two"
	[ "$one" = "$two" ]
	report "counts do not depend on the number of guests" $?
	check sc 1 --keep-going --exit-code --no-simplify --runs=300 --engine=reset
	one=$(jq -c '[.runs, .failures, [.findings[] | [.kind, .value, .runs, .seed]]]' "$work/json")
	check sc 1 --keep-going --exit-code --no-simplify --runs=300 --engine=fork
	two=$(jq -c '[.runs, .failures, [.findings[] | [.kind, .value, .runs, .seed]]]' "$work/json")
	[ "$one" = "$two" ] || printf '    %s\n    %s\n' "$one" "$two"
	[ "$one" = "$two" ]
	report "counts do not depend on the engine" $?
}

if [ "${1-}" = --one ]; then
	test_one "$2" >"$TEST_TMP/$$.out" 2>&1
	cat "$TEST_TMP/$$.out"
	exit 0
fi
cd "$here" || exit 3
if [ $# -eq 0 ]; then
	test_engines
	test_page
	test_known
	set -- programs/*.c
fi
children "$root/tests/fences/run.sh" "$@"
! grep -q '^not ok' "$TEST_TMP/results" && [ $failed -eq 0 ]
