/* No search is complete, because nobody looks at a copy half done; but there are few schedules. */
#include <pthread.h>
#include <string.h>

static char from[64], to[64];

static void *copy(void *arg)
{
	memcpy(to, from, sizeof(to));
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, copy, NULL);
	memset(from, 1, sizeof(from));
	pthread_join(t, NULL);
	return 0;
}
