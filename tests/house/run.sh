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

check layers tools/check-layers
check headers_compile_alone tools/check-headers
check exported_symbols tools/check-symbols
check man_pages tools/check-man
check sources_have_no_trailing_blanks clean_text
check scripts_parse bash -n tests/run-all tests/lib.sh tools/setup.sh examples/demo.sh
check builds_with_gcc tools/check-compilers gcc
check builds_with_clang tools/check-compilers clang-19
check unit_tests_under_sanitizers tools/check-compilers sanitize
exit $failed
