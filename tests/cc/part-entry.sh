# Sourced by run.sh: both bodies of a function get the arguments the caller gave, whatever they are.
rm -rf n && mkdir n && cd n || exit 3

# entered NAME PROGRAM: right by itself, with the active bodies, and under control?
entered()
{
	local all=0
	"./$2" >expected 2>&1 || all=1
	HEDDLE_ACTIVE=1 "./$2" >got 2>&1 || all=1
	cmp -s expected got || all=1
	LD_LIBRARY_PATH='' "$heddle" run -q -o "$PWD/out" "./$2" >got 2>err || all=1
	cmp -s expected got || all=1
	[ $all -eq 0 ] || { show expected; show got; show err; }
	rm -rf out
	report "$1" $all
}

seeds=$([ "${TEST_LONG:-}" ] && seq 1 20 || echo 1 2)
for seed in $seeds; do
	for language in c cc; do
		python3 "$here/signatures.py" "$seed" 24 $language . || exit 3
		for flags in -O0 -O1 "-O2 -fPIC -fcf-protection"; do
			"$(compiler_for x.$language)" -w $flags caller.$language callee.$language -o drawn
			entered "random signatures, seed $seed, $language, $flags" drawn
		done
	done
done

cat >big.h <<'END'
struct big { long a[20]; };
struct aligned { long a[5]; } __attribute__((aligned(64)));
static inline long sum(struct big b) { long s = 0; for (int i = 0; i < 20; i++) s = s * 3 + b.a[i]; return s; }
#ifdef __cplusplus
inline long twice(big b) { return sum(b) * 2; }
struct base { virtual long with(big b, int k) { return sum(b) + k; } virtual ~base() {} };
struct derived : base { long with(big b, int k) override { return base::with(b, k + 1); } };
base *make();
extern "C"
#endif
long use(struct big b, struct aligned l, const char *text);
END
cat >user.c <<'END'
#include "big.h"
long use(struct big b, struct aligned l, const char *text)
{
	static void *const labels[] = {&&one, &&two};
	goto *labels[text[0] & 1];
one:
	return sum(b) + l.a[4];
two:
	return sum(b) - l.a[4] + ((unsigned long)&l & 63);
}
static long weakly(struct big b) { return b.a[1]; }
long other(struct big b) __attribute__((weak, alias("weakly")));
END
cat >main.cc <<'END'
#include <stdio.h>
#include "big.h"
extern "C" long other(struct big b);
static long (*const table[])(big, aligned, const char *) = {use};
base *make() { return new derived; }
int main(void)
{
	big b; aligned l;
	for (int i = 0; i < 20; i++) b.a[i] = i;
	for (int i = 0; i < 5; i++) l.a[i] = i;
	base *p = make();
	printf("%ld %ld %ld %ld %ld\n", use(b, l, "a"), table[0](b, l, "b"), twice(b), p->with(b, 5), other(b));
	delete p;
	return 0;
}
END
for flags in -O0 -O2 "-O2 -fPIC"; do
	$cc $flags -w -c user.c -o user.o && $cxx $flags -w main.cc user.o -o kinds
	entered "labels, aliases, tables, virtual functions with copied arguments, $flags" kinds
	$cc $flags -w -fPIC -shared user.c -o libuser.so && $cxx $flags -w main.cc -L. -l:libuser.so -Wl,-rpath,"$PWD" -o kinds
	entered "the same from a shared library, $flags" kinds
done
cd ..
