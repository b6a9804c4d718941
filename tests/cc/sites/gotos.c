/* Computed gotos, switches, variable arguments, long jumps, aliases, weak and inline functions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

static jmp_buf back;
int steps;

static int run(const unsigned char *code)
{
	static const void *const table[] = { &&stop, &&add, &&twice, &&jump };
	int value = 1;

	goto *table[*code];
add:
	value += *++code;
	steps++; //= load steps; store steps
	goto *table[*++code];
twice:
	value *= 2;
	goto *table[*++code];
jump:
	if (value > 50)
		longjmp(back, value); //= at longjmp
	goto *table[*++code];
stop:
	return value;
}

__attribute__((noinline)) static int mean(int n, ...)
{
	va_list list;
	int sum = 0;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += va_arg(list, int);
	va_end(list);
	return sum / n;
}

int real(int n)
{
	switch (n) {
	case 1:
		return 10;
	case 5 ... 9:
		return steps; //= load steps
	default:
		return n;
	}
}
int other(int n) __attribute__((alias("real")));
__attribute__((weak)) int feeble(int n)
{
	return n * 3;
}
inline int inlined(int n)
{
	return n + steps; //= load steps
}
extern inline int inlined(int n);
__attribute__((const, noinline)) static int square(int n)
{
	return n * n;
}
struct wide {
	long v[6];
};
__attribute__((noinline)) static struct wide widen(struct wide w, double d)
{
	w.v[3] += (long)d;
	return w;
}

int main(void)
{
	static const unsigned char first[] = { 1, 5, 2, 0 }, second[] = { 1, 40, 2, 3, 0 };
	struct wide w = widen((struct wide){ { 1, 2, 3, 4 } }, 2.5);
	int n = setjmp(back);

	if (!n) {
		printf("%d\n", run(first));
		run(second);
	}
	printf("%d %d %d %d %d\n", n, mean(3, 1, 2, 6), real(1) + other(7), feeble(2), inlined(1));
	printf("%d %ld\n", square(7) + square(7), w.v[3]);
	return 0;
}
