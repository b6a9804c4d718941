# Sourced by run.sh: the wrapper as a drop-in for a compiler driver.
rm -rf w && mkdir w && cd w || exit 3
cat >main.c <<'END'
#include <stdio.h>
#include "part.h"
int main(void) { printf("%d\n", part(VALUE)); return 0; }
END
echo 'int part(int n);' >part.h
printf '#include "part.h"\nint part(int n) { return n + 1; }\n' >part.c
printf '#include "part.h"\nstatic int shared;\nint part(int n) { shared = n; return shared + 1; }\n' >other.c
printf '.globl asm_part\nasm_part: lea 2(%%rdi), %%eax\nret\n.section .note.GNU-stack,"",@progbits\n' >code.s
plain() { clang-19 "$@"; }
left_over() { ls -A "${TMPDIR:-/tmp}" | grep -c '^heddle-cc\.'; }
before=$(left_over)
runs() { local out; out=$("${@:3}" 2>&1); [ "$out" = "$2" ]; report "$1" $?; }

$cc -DVALUE=4 main.c part.c -o several 2>err; runs "several sources at once" 5 ./several
(mkdir -p d && cd d && $cc -DVALUE=4 ../main.c ../part.c && ./a.out) >out 2>&1; runs "the default output is a.out" 5 cat out
$cc -DVALUE=4 -c main.c part.c; report "-c with several sources" $?
runs "-c leaves one object each" "main.o part.o" bash -c 'echo main.o part.o; ls main.o part.o >/dev/null'
$cc main.o part.o -o linked; runs "linking only" 5 ./linked
$cc -c -o named.obj -DVALUE=7 main.c && $cc named.obj part.o -o linked; runs "-c -o" 8 ./linked
ar rc libpart.a part.o && $cc -DVALUE=1 main.c -L. -lpart -o archived; runs "archives" 2 ./archived
$cc -shared -fPIC -o libpart.so part.c && $cc -DVALUE=2 main.c -o dynamic -L. -l:libpart.so -Wl,-rpath,"$PWD"
runs "shared libraries" 3 ./dynamic
$cc -r -o joined.o main.o part.o && $cc joined.o -o relinked; runs "-r" 5 ./relinked
echo '-DVALUE=3 "main.c"
 part.c -o respo\nse' >args; $cc @args; runs "response files" 4 ./response
printf 'int puts(const char *); int main(void) { return puts("in") < 0; }' | $cc -x c - -o stdin; runs "-x c -" in ./stdin
cp part.c part.txt; $cc -DVALUE=3 main.c -x c part.txt -o typed; runs "-x for one input" 4 ./typed
printf 'int asm_part(int); int puts(const char *);\nint main(void) { return asm_part(1) == 3 ? puts("asm") < 0 : 1; }\n' >withasm.c
$cc withasm.c code.s -o withasm; runs "assembly among the sources" asm ./withasm
$cc -c code.s -o code.o && $cc withasm.c code.o -o withasm; runs "assembly alone" asm ./withasm
$cc -S part.c -o part.S.out && grep -q 'part.heddle:' part.S.out; report "-S gives instrumented assembly" $?
$cc -DVALUE=6 -E main.c >ours.i 2>&1; plain -DVALUE=6 -E main.c >plain.i 2>&1; cmp -s ours.i plain.i
report "-E is the compiler's" $?
cp ours.i pre.i; $cc -w pre.i part.c -o preprocessed; runs "preprocessed input" 7 ./preprocessed

for flags in "-MD" "-MMD" "-MD -MF x.dep" "-MD -MT target" "-MD -MP -MQ a\$b" "-MMD -MF d/y.d -MT z"; do
	for out in "" "-o d/named.o" "-o plainname"; do
		rm -f ./*.d d/*.d ./*.dep && plain -DVALUE=1 -c $flags $out main.c; (cat ./*.d d/*.d ./*.dep; ls ./*.d d/*.d ./*.dep) >expected 2>/dev/null
		rm -f ./*.d d/*.d ./*.dep && $cc -DVALUE=1 -c $flags $out main.c; (cat ./*.d d/*.d ./*.dep; ls ./*.d d/*.d ./*.dep) >got 2>/dev/null
		cmp -s expected got; report "dependencies as the compiler writes them: $flags $out" $?
	done
done
rm -f ./*.d; plain -DVALUE=1 -MD main.c part.c -o withdeps && cat ./*.d >expected; rm -f ./*.d
$cc -DVALUE=1 -MD main.c part.c -o withdeps && cat ./*.d >got; cmp -s expected got
report "dependencies when linking at once" $?
for flags in "-M" "-MM" "--version" "-dumpmachine" "-print-search-dirs" "-v" "-print-prog-name=ld" "-fsyntax-only"; do
	plain -DVALUE=1 $flags $([ "${flags#-M}" != "$flags" ] || [ "$flags" = -fsyntax-only ] && echo main.c) >expected 2>&1
	$cc -DVALUE=1 $flags $([ "${flags#-M}" != "$flags" ] || [ "$flags" = -fsyntax-only ] && echo main.c) >got 2>&1
	cmp -s expected got; report "$flags is the compiler's" $?
done

echo 'int main(void) { undeclared(); return "x"; }' >wrong.c
plain -c wrong.c -o wrong.o 2>expected; $cc -c wrong.c -o wrong.o 2>got; status=$?
cmp -s expected got && [ $status -eq 1 ] && [ ! -e wrong.o ]; report "errors in the source are the compiler's, once" $?
echo 'int f(void) { int unused; while (1) ; }' >warned.c
plain -Wall -c warned.c 2>expected; $cc -Wall -c warned.c 2>got; cmp -s expected got
report "warnings are the compiler's, once" $?
$cc -Wall -Werror -c warned.c -o warned2.o 2>/dev/null; [ $? -eq 1 ] && [ ! -e warned2.o ]; report "-Werror" $?
one_line() { "${@:3}" >out 2>&1; local status=$?; [ $status -eq "$2" ] && [ "$(wc -l <out)" -eq 1 ] && grep -q '^heddle-c' out; report "$1" $?; }
one_line "an unknown flavor" 2 $cc --flavor=nothing -c part.c
one_line "-o with several objects" 2 $cc -c main.c part.c -o both.o
one_line "an option without its value" 2 $cc -c part.c -o
one_line "a directory that cannot be written" 3 env TMPDIR=/nonexistent "$cc" -c part.c -o unwritten.o
[ ! -e unwritten.o ]; report "nothing half-written" $?
$cc -flto -O2 -DVALUE=4 main.c part.c -o lto 2>err; runs "-flto is left out" 5 ./lto
[ "$(cat err)" = "heddle-cc: warning: -flto is left out: objects must hold machine code" ]; report "-flto is warned of" $?
$cc missing.c -o missing >out 2>&1; [ $? -eq 1 ] && grep -q "missing.c" out; report "a missing source" $?
$cc -DVALUE=1 main.c -o nolink >out 2>&1; [ $? -eq 1 ] && grep -q "undefined reference to .part'" out && [ ! -e nolink ]
report "a failing link" $?
mkdir -p empty && PATH=$PWD/empty "$cc" -c part.c >out 2>&1; [ $? -eq 3 ] && [ "$(cat out)" = "heddle-cc: clang-19 not found: install the package clang-19" ]
report "no compiler" $?
$cc -c part.c -o /dev/null; report "-o /dev/null" $?
[ "$(ls -A | grep -c part$)" -eq 0 ] && [ "$(left_over)" -eq "$before" ]; report "no intermediate files are left" $?

# What the linker may drop, and what it must not.
$cc -DVALUE=4 -O2 -ffunction-sections -fdata-sections main.c other.c -Wl,--gc-sections -o gc
runs "--gc-sections" 5 ./gc
HEDDLE_ACTIVE=1 STUB_LOG=log ./gc >/dev/null; grep -q 'name=shared' log && grep -q '^function part' log
report "--gc-sections keeps sites and functions" $?
if command -v ld.lld-19 >/dev/null; then
	$cc -fuse-ld=lld-19 -DVALUE=4 -O2 -ffunction-sections main.c other.c -Wl,--gc-sections -o lld 2>err
	HEDDLE_ACTIVE=1 STUB_LOG=log ./lld >out 2>&1; grep -q 'name=shared' log && grep -q '^function part' log && [ "$(cat out)" = 5 ]
	report "linked by lld" $?
else
	skip "linked by lld" "lld-19 is not installed"
fi
$cc -O2 -g -DVALUE=4 main.c other.c -o debug && { ! command -v gdb >/dev/null || HEDDLE_ACTIVE=1 gdb -nx -batch -ex 'break other.c:3' -ex run -ex 'print shared' -ex 'info args' -ex bt ./debug >out 2>&1; }
if command -v gdb >/dev/null; then
	grep -q '^n = 4' out && grep -q 'part.* (n=' out && grep -q ' main.*main.c:3' out; report "debug information of the active body" $?
else
	skip "debug information of the active body" "gdb is not installed"
fi
cd ..
