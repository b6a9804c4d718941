/* Locals that cannot escape and constants are left alone; everything else is seen. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const int table[4] = { 2, 3, 5, 7 };
int shared, *out;

static int by_value(struct { int v[8]; } *unused, int n)
{
	return n;
}

struct big {
	int v[32];
};

static int take(struct big b, int i)
{
	b.v[i] = 3; //= nothing
	return b.v[i]; //= nothing
}

static int total(int n, ...)
{
	int sum = 0;
	va_list list;

	va_start(list, n);
	for (int i = 0; i < n; i++)
		sum += va_arg(list, int);
	va_end(list);
	return sum;
}

int main(int argc, char **argv)
{
	int inside[16], leaves[4], copy[16];
	struct big b;

	memset(inside, 0, sizeof(inside)); //= nothing
	inside[argc] = table[argc]; //= nothing
	memcpy(copy, inside, sizeof(copy)); //= nothing
	out = leaves; //= store out
	leaves[argc] = 1; //= store leaves[argc]
	shared = inside[argc] + copy[1]; //= store shared
	*out = 2; //= load out; store *out
	b.v[argc] = 1; //= nothing
	printf("%d %d %d\n", take(b, argc), total(3, 1, 2, shared), by_value(NULL, leaves[1])); //= load leaves[1]; load shared; call printf
	return 0;
}
