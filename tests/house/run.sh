#!/bin/bash
# The house keeps its own rules: layers, exported symbols, headers, man pages, compilers, sizes.
set -u
. "$(dirname "$0")/../lib.sh"
plan 10 exactly
cd "$root" || exit 3

check()
{
	local name=$1 log=$TEST_TMP/log
	shift
	"$@" >"$log" 2>&1
	case $? in
	0) ok "$name" ;;
	77) skip "$name" "$(head -n 1 "$log")" ;;
	*) show "$log"; not_ok "$name" ;;
	esac
}

# No path or host of the machine it was written on; no trailing blanks in sources.
clean_text()
{
	! git grep -nIE '[[:blank:]]+$' -- 'src/*.[chS]' 'src/*.def' 'tests/*.[ch]' 'tests/*.sh' 'tools/*'
}

# The build tree itself, when gcc made it (warnings are errors there too).
gcc_builds()
{
	if grep -qE '^CMAKE_C_COMPILER:.*/(gcc|cc)$' "$TEST_BUILD/CMakeCache.txt"; then
		cc --version | grep -qi gcc && ninja -C "$TEST_BUILD" && return
	fi
	tools/check-compilers gcc
}

# run-all itself, on a tree with one suite: one that stops half-way without a word, one that does not.
fake_suite() # LINES
{
	mkdir -p "$TEST_TMP/fake/tests/half" "$TEST_TMP/fake/build"
	cp tests/run-all tests/lib.sh "$TEST_TMP/fake/tests/"
	printf '#!/bin/bash\n. "$(dirname "$0")/../lib.sh"\n%s\n' "$1" >"$TEST_TMP/fake/tests/half/run.sh"
	chmod +x "$TEST_TMP/fake/tests/half/run.sh"
	env -u TEST_TMP -u TEST_LONG TEST_BUILD="$TEST_TMP/fake/build" "$TEST_TMP/fake/tests/run-all" half
}
run_all_misses_results()
{
	fake_suite 'plan 2; ok a; exit 0; ok b' | tail -n 1 | grep -qx '1 passed, 1 failed' &&
		fake_suite 'ok a' | tail -n 1 | grep -qx '1 passed, 1 failed' &&
		fake_suite 'plan 2; ok a; ok b' | tail -n 1 | grep -qx '2 passed, 0 failed' &&
		fake_suite 'plan 1 exactly; ok a; ok b' | tail -n 1 | grep -qx '2 passed, 1 failed' &&
		fake_suite 'plan 2 exactly; ok a; ok b' | tail -n 1 | grep -qx '2 passed, 0 failed' &&
		fake_suite 'plan 1; ok a; ok b' | tail -n 1 | grep -qx '2 passed, 0 failed' &&
		fake_suite 'plan 3; ok a; ok b' | tail -n 1 | grep -qx '2 passed, 1 failed' &&
		fake_suite $'# cores: 1\nplan 2; ok a; ok b' | tail -n 1 | grep -qx '2 passed, 0 failed' &&
		fake_suite $'# cores: 1\nplan 2; ok a; exit 3' | tail -n 1 | grep -qx '1 passed, 1 failed'
}

check layers tools/check-layers
check headers_compile_alone tools/check-headers
check exported_symbols tools/check-symbols
check man_pages tools/check-man
check documents_name_what_exists tools/check-documents
check sources_have_no_trailing_blanks clean_text
check scripts_parse bash -n tests/run-all tests/lib.sh tools/setup.sh examples/demo.sh
check a_suite_that_dies_is_a_failure run_all_misses_results
check builds_with_gcc gcc_builds
check builds_with_clang_and_passes_under_sanitizers tools/check-compilers sanitize
[ -n "${TEST_LONG-}" ] && check builds_with_plain_clang tools/check-compilers clang-19
exit $failed
