/*
 * Random sources give bytes, rand() gives what it always gives for a seed.
 * not on: reset
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "check.h"

int main(void)
{
	unsigned char a[32] = {0}, b[32] = {0}, zero[32] = {0}, large[257];
	int first, fd;

	CHECK(getrandom(a, sizeof(a), 0) == sizeof(a));
	CHECK(getentropy(b, sizeof(b)) == 0);
	CHECK(memcmp(a, b, sizeof(a)) != 0 && memcmp(a, zero, sizeof(a)) != 0);
	CHECK(getentropy(large, sizeof(large)) == -1 && errno == EIO);
	arc4random_buf(a, sizeof(a));
	CHECK(memcmp(a, b, sizeof(a)) != 0);
	for (int i = 0; i < 100; i++)
		CHECK(arc4random_uniform(7) < 7);
	arc4random();
	fd = open("/dev/urandom", O_RDONLY);
	CHECK(fd >= 0 && read(fd, b, sizeof(b)) == sizeof(b));
	CHECK(close(fd) == 0);
	CHECK(memcmp(b, zero, sizeof(b)) != 0);
	CHECK(rand() == 1804289383); /* the first number of seed 1 in the C library */
	srand(5);
	first = rand();
	srand(5);
	CHECK(rand() == first);
	srand48(3);
	double d = drand48();

	srand48(3);
	CHECK(drand48() == d && d >= 0 && d < 1);
	CHECK(lrand48() >= 0);
	SUCCESS();
	return 0;
}
