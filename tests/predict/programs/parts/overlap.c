/*
 * Ranges that overlap in part: [0,8) and [4,12) meet, [0,4) and [8,12) do not.
 *
 * expect race first second
 * expect race first middle
 * expect race second middle
 */
#include <pthread.h>
#include <string.h>

static char bytes[16];
static const char eight[8] = "abcdefg", four[4] = "xyz";

static void *one(void *arg)
{
	memcpy(bytes, eight, 8); /* first */
	return arg;
}

static void *two(void *arg)
{
	memcpy(bytes + 4, eight, 8); /* second */
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, one, NULL);
	pthread_create(&b, NULL, two, NULL);
	memcpy(bytes + 6, four, 2); /* middle */
	memcpy(bytes + 12, four, 4);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
