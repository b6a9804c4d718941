/* Writers bump a position and a counter under no common lock.  hunt: found 27 */
#include <assert.h>
#include <pthread.h>

#define WRITERS 3
#define ROUNDS 2

static int position, written;

static void *write_some(void *arg)
{
	for (int i = 0; i < ROUNDS; i++) {
		position++;
		written++;
	}
	return arg;
}

int main(void)
{
	pthread_t t[WRITERS];

	for (int i = 0; i < WRITERS; i++)
		pthread_create(&t[i], NULL, write_some, NULL);
	for (int i = 0; i < WRITERS; i++)
		pthread_join(t[i], NULL);
	assert(position == written);
	return 0;
}
