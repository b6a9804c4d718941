#!/bin/bash
# Wrong changes, each of which some test must notice.
#
# mutants.txt has one block per mutant: a name, a file, the text to be replaced (once, to the
# letter) and what it becomes, and the suite that has to fail.  A copy of the sources is built once;
# each mutant is applied to it, what its suite needs is built, it is tried and taken back.  The short
# form takes a few that change with every commit; TEST_LONG=1 takes all.  MUTANT='NAME...' takes those
# named; MUTANT_TREE=DIR keeps the copy there, and builds only what has changed since.
#
#   name: WHAT-IS-WRONG
#   file: src/…
#   old: TEXT          (\n for a new line, \t for a tab)
#   new: TEXT
#   kill: truth PATTERN | unit REGEX | COMMAND… run in the copy with $TEST_BUILD set
#
# cores: 1
set -u
. "$(dirname "$0")/../lib.sh"
plan 4
here=$(cd "$(dirname "$0")" && pwd)
few=3
long=${TEST_LONG-}
unset TEST_LONG # the suites that have to notice something are quick

if ! command -v python3 >/dev/null; then
	skip mutants "python3 is not there"
	exit 77
fi
tree=${MUTANT_TREE:-$TEST_TMP/tree}
mkdir -p "$tree"
(
	cd "$root" && git ls-files -z | while IFS= read -r -d '' file; do
		[ -f "$file" ] && ! cmp -s "$file" "$tree/$file" && printf '%s\0' "$file"
	done | xargs -0 -r cp --parents -t "$tree"
)
export TEST_BUILD=$tree/build
bin=$TEST_BUILD/bin

compile() { ninja -C "$TEST_BUILD" --quiet "$@" >"$TEST_TMP/build.log" 2>&1; }

# needs SUITE: what has to be built for it.
needs()
{
	case $1 in
	unit\ *) ctest --test-dir "$TEST_BUILD" -N -R "${1#unit }" |
		sed -n 's|^ *Test *#[0-9]*: ||p' | tr / _ ;;
	*) echo heddle heddle-cc heddle-deps heddle_rt heddle-record heddle-stable heddle-stable-stub ;;
	esac
}

cmake -S "$tree" -B "$TEST_BUILD" -G Ninja >"$TEST_TMP/build.log" 2>&1 || {
	show "$TEST_TMP/build.log"
	not_ok "the copy is configured"
	exit 1
}

# apply NAME DIRECTION: 1 puts the mutant in, 0 takes it out.
apply() { python3 "$here/mutate.py" "$here/mutants.txt" "$tree" "$1" "$2"; }

# What a mutant's suite says: 0 when nothing was noticed.
try()
{
	local kind rest
	local -x TEST_TMP=$TEST_TMP/try

	rm -rf "$TEST_TMP"
	mkdir "$TEST_TMP"
	read -r kind rest <<<"$1"
	case $kind in
	truth) (cd "$tree" && TRUTH_ONLY=$rest tests/truth/run.sh) ;;
	unit) ctest --test-dir "$TEST_BUILD" --timeout 120 -R "$rest" ;;
	*) (cd "$tree" && eval "$1") ;;
	esac >"$TEST_TMP.log" 2>&1
}

# A change of the sources must not leave a mutant behind that applies nowhere, whichever the short
# form happens to take.
if python3 "$here/mutate.py" "$here/mutants.txt" "$tree" >"$TEST_TMP/stale"; then
	ok "every mutant applies"
else
	show "$TEST_TMP/stale"
	not_ok "every mutant applies"
fi

choose()
{
	local all commit
	mapfile -t all < <(python3 "$here/mutate.py" "$here/mutants.txt")
	if [ -n "${MUTANT-}" ]; then
		printf '%s\n' $MUTANT
	elif [ -n "$long" ]; then
		printf '%s\n' "${all[@]}"
	else
		commit=$((16#$(git -C "$root" rev-parse HEAD | cut -c1-6)))
		for ((i = 0; i < few; i++)); do
			echo "${all[$(((commit + i * 7) % ${#all[@]}))]}"
		done
	fi
}

while read -r name; do
	suite=$(apply "$name" 1) || { not_ok "$name applies"; continue; }
	# shellcheck disable=SC2046
	if ! compile $(needs "$suite"); then
		show "$TEST_TMP/build.log"
		not_ok "$name builds"
	elif try "$suite"; status=$?; grep -Eq '^not ok|[1-9][0-9]* tests? failed out of' "$TEST_TMP/try.log"; then
		ok "$name"
	elif [ $status -eq 0 ]; then
		not_ok "$name is noticed by: $suite"
	else
		show "$TEST_TMP/try.log" | tail -n 5
		not_ok "$name: its suite runs"
	fi
	apply "$name" 0 >/dev/null
done < <(choose)
exit $failed
