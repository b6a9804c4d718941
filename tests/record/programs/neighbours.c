/* One variable is shared; what lies beside it in the same word was set before and is only read. */
#include <pthread.h>

static struct {
	int flag, limit;
	char stop, rounds, pad[6];
} both;

static void *set(void *arg)
{
	both.flag = 1;
	both.stop = 1;
	return arg;
}
int main(void)
{
	pthread_t t;
	int n = 0;

	both.limit = 5;
	both.rounds = 3;
	pthread_create(&t, NULL, set, NULL);
	for (int r = 0; r < both.rounds; r++)
		for (int i = 0; i < both.limit; i++)
			if (both.flag || both.stop)
				n++;
	pthread_join(t, NULL);
	return n > 100;
}
