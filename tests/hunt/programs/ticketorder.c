/* Details of a seat are read while they are half written.  hunt: found 30 */
#include <assert.h>
#include <pthread.h>

struct seat {
	int taken, row, number;
};
static struct seat seat;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *buy(void *arg)
{
	if (!seat.taken) {
		pthread_mutex_lock(&m);
		if (!seat.taken) {
			seat.taken = 1;
			seat.row = 7;
			seat.number = 9;
		}
		pthread_mutex_unlock(&m);
	}
	return arg;
}

static void *print(void *arg)
{
	if (seat.taken) {
		int row = seat.row, number = seat.number;

		assert(row == 7 && number == 9);
	}
	return arg;
}

int main(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, i == 2 ? print : buy, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
