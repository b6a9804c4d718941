/* Every thread has its account, and all of them one total that is not locked. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static int account[2], bank_total, rounds = 1;

static void *update(void *arg)
{
	int *mine = arg;

	for (int i = 0; i < rounds; i++) {
		*mine += 10;
		bank_total += 10;
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t a, b;

	rounds = argc > 1 ? atoi(argv[1]) : 1;
	pthread_create(&a, NULL, update, &account[0]);
	pthread_create(&b, NULL, update, &account[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(account[0] + account[1] == bank_total);
	return 0;
}
