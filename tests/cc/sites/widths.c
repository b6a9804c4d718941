/* Values of every width pass through the hooks unchanged. */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef int vec4 __attribute__((vector_size(16)));
typedef float vec2 __attribute__((vector_size(8)));

int8_t i8 = -8;
uint16_t u16 = 60000;
int64_t i64 = -1234567890123;
__int128 i128 = -5;
float f = 1.25f;
double d = -2.5;
long double ld = 3.75L;
_Complex double cd = 1 + 2 * I;
bool yes = true;
vec4 v4 = { 1, 2, 3, 4 };
vec2 v2 = { 0.5f, 1.5f };
void *pointer = &i8;
int (*function)(const char *) = puts;
_BitInt(24) bits = 77;
struct {
	unsigned a : 3, b : 13;
	signed c : 5;
} fields = { 5, 1000, -3 };

int main(void)
{
	i8 += 100; //= load i8; store i8
	u16 += 6000; //= load u16; store u16
	i64 *= 3; //= load i64; store i64
	i128 *= 7; //= load_n i128; store_n i128
	f *= 2; //= load f; store f
	d /= 4; //= load d; store d
	ld += 1; //= load_n ld; store_n ld
	cd *= I;
	yes = !yes; //= load yes; store yes
	v4 += v4; //= load_n v4; store_n v4
	v2 *= v2; //= load v2; store v2
	bits += 1;
	fields.b++;
	fields.c--;
	printf("%d %u %lld %d %g %g %Lg %g\n", i8, u16, (long long)i64, (int)i128, f, d, ld,
	       creal(cd));
	printf("%d %d %g %d %d %d\n", yes, v4[3], v2[1], (int)bits, fields.b, fields.c);
	return pointer != &i8 || function("end") < 0;
}
