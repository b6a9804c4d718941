/* A worker takes a task whose state the manager has not assigned yet.  hunt: found 27 */
#include <assert.h>
#include <pthread.h>

static int task, state, waiting;

static void *manager(void *arg)
{
	if (waiting > 0) {
		task = 1;
		state = 5;
	} else {
		state = 3;
		task = 1;
	}
	return arg;
}

static void *worker(void *arg)
{
	waiting++;
	for (int i = 0; i < 2; i++) {
		if (task) {
			int s = state;

			/* Seen before it is assigned. */
			assert(s != 0);
			break;
		}
	}
	waiting--;
	return arg;
}

int main(void)
{
	pthread_t m, w[2];

	pthread_create(&m, NULL, manager, NULL);
	for (int i = 0; i < 2; i++)
		pthread_create(&w[i], NULL, worker, NULL);
	pthread_join(m, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(w[i], NULL);
	return 0;
}
