/* Passengers are piped through a plane with few seats; who waits for a passenger looks once only
 * ("if" instead of "while") and may find the plane empty. */
#include <assert.h>

#include "bench.h"

#define SEATS 4

static struct {
	int seats[SEATS], first, passengers;
	pthread_mutex_t lock;
	pthread_cond_t boarded, left;
} plane = {.lock = PTHREAD_MUTEX_INITIALIZER,
	   .boarded = PTHREAD_COND_INITIALIZER,
	   .left = PTHREAD_COND_INITIALIZER};
static int rounds, flown;

static void *fill(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		rest(1);
		pthread_mutex_lock(&plane.lock);
		while (plane.passengers == SEATS)
			pthread_cond_wait(&plane.left, &plane.lock);
		plane.seats[(plane.first + plane.passengers) % SEATS] = i + 1;
		plane.passengers++;
		pthread_cond_broadcast(&plane.boarded);
		pthread_mutex_unlock(&plane.lock);
	}
	return arg;
}

static void *drain(void *arg)
{
	for (int i = 0; i < rounds; i++) {
		rest(1);
		pthread_mutex_lock(&plane.lock);
		for (int k = 0; k < BENCH_LOOKS && plane.passengers == 0; k++)
			pthread_cond_wait(&plane.boarded, &plane.lock);
		assert(plane.passengers > 0);
		plane.first = (plane.first + 1) % SEATS;
		plane.passengers--;
		flown++;
		pthread_cond_broadcast(&plane.left);
		pthread_mutex_unlock(&plane.lock);
	}
	return arg;
}

int main(int argc, char **argv)
{
	rounds = bench_size(argc, argv, 6);
	bench_run(4, (void *(*const[])(void *)){fill, fill, drain, drain});
	return flown != 2 * rounds;
}
