#include "base/rng.h"

static uint64_t splitmix(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

static uint64_t rotate(uint64_t x, unsigned bits)
{
	return (x << bits) | (x >> (64 - bits));
}

void rng_seed(struct rng *r, uint64_t seed)
{
	for (unsigned i = 0; i < 4; i++)
		r->s[i] = splitmix(&seed);
}

uint64_t rng_next(struct rng *r)
{
	uint64_t *s = r->s;
	uint64_t result = rotate(s[1] * 5, 7) * 9, t = s[1] << 17;

	s[2] ^= s[0];
	s[3] ^= s[1];
	s[1] ^= s[2];
	s[0] ^= s[3];
	s[2] ^= t;
	s[3] = rotate(s[3], 45);
	return result;
}

uint64_t rng_below(struct rng *r, uint64_t n)
{
	/* Values below 2^64 mod n would make the small remainders likelier; they are drawn again.
	 */
	uint64_t skip = -n % n, x;

	do {
		x = rng_next(r);
	} while (x < skip);
	return x % n;
}
