# Sourced by run.sh: build systems take the wrapper for a compiler.
rm -rf s && mkdir s && cd s || exit 3

# What a configure script does, in short: a series of compile and link probes.
probe() { printf '%s\n' "$2" >conftest.c; shift; $cc -o conftest conftest.c "${@:2}" >conftest.log 2>&1; }
all=0
probe "works" 'int main(void) { return 0; }' && ./conftest || all=1
probe "function" 'char pthread_create(void); int main(void) { return pthread_create() != 0; }' -w || all=1
probe "library" 'char sqrt(void); int main(void) { return sqrt() != 0; }' -w -lm || all=1
! probe "absent" 'char no_such_function(void); int main(void) { return no_such_function(); }' -w || all=1
! probe "header" '#include <no_such_header.h>' || all=1
probe "size" 'static int test[1 - 2 * !(sizeof(long) == 8)]; int main(void) { return test[0]; }' || all=1
probe "flag" 'int main(void) { return 0; }' -Wall -Wextra -fstack-protector-strong -Wl,-z,relro -O2 || all=1
! probe "bad flag" 'int main(void) { return 0; }' -fno-such-flag || all=1
report "probes of a configure script" $all

if command -v autoconf >/dev/null && command -v make >/dev/null; then
	mkdir ac && cd ac
	printf 'AC_INIT([probe],[1])\nAC_PROG_CC\nAC_C_BIGENDIAN\nAC_CHECK_SIZEOF([long])\nAC_CHECK_FUNCS([pthread_create nothing_at_all])\nAC_CHECK_HEADERS([stdatomic.h])\nAC_OUTPUT\n' >configure.ac
	autoconf 2>/dev/null && ./configure CC="$cc" >out 2>&1 && grep -q 'pthread_create... yes' out && grep -q 'nothing_at_all... no' out && grep -q 'size of long... 8' out
	report "autoconf" $?
	cd ..
else
	skip "autoconf" "autoconf is not installed"
fi

if command -v cmake >/dev/null; then
	cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.10)
project(probe C CXX)
include(CheckCSourceCompiles)
include(CheckIncludeFile)
include(CheckTypeSize)
check_c_source_compiles("int main(void) { return 0; }" COMPILES)
check_c_source_compiles("int main(void) { return nothing; }" BROKEN)
check_include_file(pthread.h HAVE_PTHREAD_H)
check_type_size(long LONG)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
if(NOT COMPILES OR BROKEN OR NOT HAVE_PTHREAD_H OR NOT LONG EQUAL 8)
  message(FATAL_ERROR "checks went wrong")
endif()
add_library(part SHARED part.cc)
add_executable(prog main.c)
target_link_libraries(prog part Threads::Threads)
END
	printf '#include <atomic>\nstatic std::atomic<int> n{41};\nextern "C" int part(void) { return ++n; }\n' >part.cc
	printf '#include <stdio.h>\nint part(void);\nint main(void) { printf("%%d\\n", part()); return 0; }\n' >main.c
	generator=$(command -v ninja >/dev/null && echo Ninja || echo "Unix Makefiles")
	cmake -S . -B out -G "$generator" -DCMAKE_C_COMPILER="$cc" -DCMAKE_CXX_COMPILER="$cxx" \
		-DCMAKE_BUILD_TYPE=Release >cmake.log 2>&1 && cmake --build out >>cmake.log 2>&1
	if [ $? -eq 0 ] && [ "$(out/prog)" = 42 ]; then ok "CMake"; else show cmake.log; not_ok "CMake"; fi
	cmake --build out >again.log 2>&1; ! grep -qi 'building' again.log; report "CMake has nothing to do the second time" $?
	touch part.cc; cmake --build out >again.log 2>&1; grep -qi 'building.*part' again.log; report "CMake sees what changed" $?
	HEDDLE_ACTIVE=1 STUB_LOG=log out/prog >out.txt; [ "$(grep -c ^module log)" -eq 2 ] && grep -q 'atomic_rmw.*name=n' log
	report "a program and its library register apart" $?
else
	skip "CMake" "cmake is not installed"
fi
cd ..
