/* A switch has to go two other ways.  hunt: found 12 */
#include <assert.h>
#include <pthread.h>

static int op, acc;

static void *thread0(void *arg)
{
	op = 1;
	op = 2;
	if (acc == 11)
		assert(op == 0);
	return arg;
}

static void *thread1(void *arg)
{
	for (int i = 0; i < 2; i++)
		switch (op) {
		case 1:
			acc += 1;
			break;
		case 2:
			acc += 10;
			break;
		default:
			break;
		}
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, thread0, NULL);
	pthread_create(&t[1], NULL, thread1, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
