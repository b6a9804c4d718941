# Projects of others, small ones, by the installed tree.
cp -r "$root/examples" .
export PATH=$prefix/bin:$PATH
[ -z "$(find "$stage" -mindepth 1 -maxdepth 1 ! -name usr)" ]; report "nothing is installed beside the prefix" $?
heddle --version | grep -q '^heddle '; report "the installed program runs" $?

cd examples/projects/cmake || exit 3
cmake -B b --toolchain="$prefix/lib/cmake/heddle/heddle-toolchain.cmake" >c.log 2>&1 && cmake --build b >>c.log 2>&1
status=$?; [ $status -eq 0 ] || show c.log
report "CMake: the example builds" $status
# The program has the race natively too, and fails now and then on its own.
ctest --test-dir b -R '^transfer$' --repeat until-pass:50 >plain.out 2>&1
ctest --test-dir b >ctest.out 2>&1
grep -qE '100% tests passed' plain.out && grep -qE 'Test +#2: heddle.transfer \.+\*+Failed' ctest.out
status=$?; [ $status -eq 0 ] || show plain.out ctest.out
report "CMake: the test passes, and fails under heddle" $status
ls b/heddle-out/transfer-1.heddle >/dev/null; report "CMake: and leaves a bundle" $?
cmake -B plain -DCMAKE_PREFIX_PATH="$prefix" >c.log 2>&1 && ctest --test-dir plain -N | grep -q 'Total Tests: 1'
report "CMake: without its compilers heddle adds nothing" $?
cp "$root/tests/home/programs/fake_gtest.c" . && cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.18)
project(tests C)
enable_testing()
find_package(heddle 0.1 REQUIRED)
add_executable(fake fake_gtest.c)
target_compile_options(fake PRIVATE -pthread)
target_link_libraries(fake PRIVATE -pthread heddle::heddle)
heddle_discover_gtests(fake OPTIONS --runs=1000)
END
cmake -B g --toolchain="$prefix/lib/cmake/heddle/heddle-toolchain.cmake" >c.log 2>&1 && cmake --build g >>c.log 2>&1
ctest --test-dir g -j2 >ctest.out 2>&1
[ "$(grep -oE 'heddle\.[A-Za-z.]+ \.+ *(Passed|\*+Failed)' ctest.out | sed 's/ \.*[ *]*/ /' | sort | tr '\n' ' ')" = \
	"heddle.Adds.Up Passed heddle.Adds.Wrong Failed heddle.Locks.Cross Failed " ]
status=$?; [ $status -eq 0 ] || show ctest.out
report "CMake: every test of a GoogleTest program" $status
sed -i 's/find_package(heddle 0.1/find_package(heddle 7.0/' CMakeLists.txt
cmake -B h --toolchain="$prefix/lib/cmake/heddle/heddle-toolchain.cmake" >c.log 2>&1
[ $? -ne 0 ] && grep -q 'version: 0.1' c.log; report "CMake: a version that is not there is refused" $?
cd ../../..

if command -v meson >/dev/null; then
	cd examples/projects/meson || exit 3
	meson setup b --cross-file heddle.ini >m.log 2>&1 || show m.log
	meson test -C b >test.out 2>&1
	[ $? -ne 0 ] && grep -qE 'transfer +FAIL' test.out && grep -q 'balance == 200' b/meson-logs/testlog.txt
	report "Meson: the test fails under heddle" $?
	cd ../../..
else
	skip "Meson: the test fails under heddle" "no meson"
fi

cd examples/projects/make || exit 3
make -s CC="heddle cc" && for _ in $(seq 50); do make -s check 2>/dev/null && break; done; report "Make: the example builds and passes" $?
make -s check-threads >make.out 2>&1; [ $? -ne 0 ] && grep -q '"balance == 200"' make.out
report "Make: it fails under heddle" $?
cd ../../..

export PKG_CONFIG_PATH=$prefix/share/pkgconfig
[ "$(pkg-config --modversion heddle)" = "$(heddle --version | sed -n 's/^heddle //p')" ]
report "pkg-config: the version" $?
[ "$(realpath "$(pkg-config --variable=cc heddle)")" = "$(realpath "$prefix/bin/heddle-cc")" ] &&
	[ -e "$(pkg-config --variable=toolchain heddle)" ]; report "pkg-config: the compilers and the toolchain file" $?
echo '#include <heddle/heddle.h>
int main(void) { return 0; }' >inc.c
gcc $(pkg-config --cflags heddle) -c inc.c; report "pkg-config: the headers" $?
