# Sourced by run.sh: the bitcode kept in a binary.
rm -rf b && mkdir b && cd b || exit 3
printf 'int part(int n);\nint puts(const char *);\nint main(void) { return part(1) == 2 ? puts("from bitcode") < 0 : 1; }\n' >main.c
printf 'static int one = 1;\nint part(int n) { return n + one; }\n' >part.c
$cc -O2 -fPIC -c part.c && $cc -O1 main.c part.o -o prog && strip prog
$cc --extract-bitcode prog -o all.bc && clang-19 -w -x ir all.bc -o again && [ "$(./again)" = "from bitcode" ]
report "the bitcode survives strip and is one program again" $?
llvm-nm-19 all.bc 2>/dev/null | grep -q ' T main' || clang-19 -w -x ir -S -emit-llvm -o - all.bc | grep -q '^define.*@main'
report "every unit is in it" $?
! clang-19 -w -x ir -S -emit-llvm -o - all.bc | grep -q heddle_hook
report "it is not instrumented" $?
grep -q -a -- '-fPIC' prog; report "code generation options are kept with it" $?
refused() { "${@:3}" >out 2>&1; [ $? -eq 3 ] && [ "$(wc -l <out)" -eq 1 ] && grep -q "$2" out && [ ! -e none.bc ]; report "$1" $?; }
clang-19 main.c part.c -o foreign
refused "a foreign binary is refused" "carries no bitcode" $cc --extract-bitcode foreign -o none.bc
refused "a text is refused" "not a 64-bit ELF file" $cc --extract-bitcode main.c -o none.bc
refused "a missing file is refused" "nowhere" $cc --extract-bitcode nowhere -o none.bc
at=$(LC_ALL=C grep -obUaP '\xffHDDECB1' prog | head -1 | cut -d: -f1)
cp prog damaged && printf '\x55\x55\x55' | dd of=damaged bs=1 seek=$((at + 600)) conv=notrunc 2>/dev/null
refused "damaged bitcode is refused" "damaged" $cc --extract-bitcode damaged -o none.bc
cp prog lying && printf '\xff\xff\xff\xff\xff\xff\xff\xff' | dd of=lying bs=1 seek=$((at + 8)) conv=notrunc 2>/dev/null
refused "a lying length is refused" "damaged" $cc --extract-bitcode lying -o none.bc
bad=0
for size in $(seq 1 997 "$(stat -c %s prog)"); do
	head -c "$size" prog >cut; $cc --extract-bitcode cut -o none.bc >out 2>&1; [ $? -eq 3 ] || bad=1
done
report "every truncated binary is refused" $bad
cd ..
