#!/bin/bash
# The house keeps its own rules: layers, exported symbols, headers, man pages, compilers, sizes.
set -u
. "$(dirname "$0")/../lib.sh"
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

check layers tools/check-layers
check headers_compile_alone tools/check-headers
check exported_symbols tools/check-symbols
check man_pages tools/check-man
check sources_have_no_trailing_blanks clean_text
check scripts_parse bash -n tests/run-all tests/lib.sh tools/setup.sh examples/demo.sh
check builds_with_gcc gcc_builds
check builds_with_clang_and_passes_under_sanitizers tools/check-compilers sanitize
[ -n "${TEST_LONG-}" ] && check builds_with_plain_clang tools/check-compilers clang-19
exit $failed
