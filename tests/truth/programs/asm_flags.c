/*
 * expect: 0
 *
 * Every form does what the processor does: the two bodies of check() agree value by value.
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static int m4;
static long m8;
static unsigned char m1;
static char from[40] = "the quick brown fox jumps over the dog", to[40];

static void check_arithmetic(void)
{
	unsigned char zero, less, carry;
	int r = 3;

	m4 = 1;
	__asm__ __volatile__("lock; decl %0; sete %1" : "+m"(m4), "=qm"(zero) : : "memory", "cc");
	assert(zero == 1 && m4 == 0);
	__asm__ __volatile__("lock; subl %3, %0; sets %1; setb %2"
			     : "+m"(m4), "=q"(less), "=q"(carry) : "ir"(5) : "memory", "cc");
	assert(less == 1 && carry == 1 && m4 == -5);
	__asm__ __volatile__("lock; andl $0x7f, %0" : "+m"(m4));
	assert(m4 == (-5 & 0x7f));
	__asm__ __volatile__("lock; orb $2, %0; lock; xorb $1, %0; lock; notb %0" : "+m"(m1));
	assert(m1 == (unsigned char)~3);
	__asm__ __volatile__("incl %0; addl %1, %0" : "+r"(r) : "r"(4));
	assert(r == 8);
	__asm__ __volatile__("movq %1, %0" : "=m"(m8) : "r"(77L) : "memory");
	__asm__ __volatile__("movq (%1), %0" : "=r"(m8) : "r"(&m8) : "memory");
	assert(m8 == 77);
}

static void check_bits(void)
{
	static unsigned long map[4];
	unsigned char was;
	int all;

	__asm__ __volatile__("lock; btsq %2, %1; setc %0" : "=q"(was), "+m"(*map) : "r"(70L) : "memory", "cc");
	assert(!was && map[1] == 1UL << 6);
	__asm__ __volatile__("lock; btsq %2, %1; sbbl %0, %0" : "=r"(all), "+m"(*map) : "r"(70L) : "memory", "cc");
	assert(all == -1);
	__asm__ __volatile__("lock; btrq %2, %1; setc %0" : "=q"(was), "+m"(*map) : "r"(70L) : "memory", "cc");
	assert(was && !map[1]);
}

static void check_blocks(void)
{
	void *d = to;
	const void *s = from;
	unsigned long n = 5;

	__asm__ __volatile__("rep; movsq" : "+D"(d), "+S"(s), "+c"(n) : : "memory");
	assert(!memcmp(to, from, 40) && d == to + 40 && !n);
	d = to, n = 40;
	__asm__ __volatile__("rep stosb" : "+D"(d), "+c"(n) : "a"('x') : "memory");
	assert(to[0] == 'x' && to[39] == 'x' && !n);
}

static void *check(void *arg)
{
	check_arithmetic();
	check_bits();
	if (arg)
		check_blocks();
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, check, &t);
	pthread_join(t, NULL);
	return 0;
}
