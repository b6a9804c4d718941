/* The filler and the borrower both test "active < max" before they create.  hunt: found 24 */
#include <assert.h>
#include <pthread.h>

#define MAX 1

static int active, idle, need_filler;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void make(void)
{
	int room;

	pthread_mutex_lock(&m);
	room = active + idle < MAX;
	pthread_mutex_unlock(&m);
	if (!room)
		return;
	pthread_mutex_lock(&m);
	if (need_filler)
		idle++;
	else
		active++;
	assert(active + idle <= MAX);
	pthread_mutex_unlock(&m);
}

static void *fill(void *arg)
{
	need_filler = idle == 0;
	if (need_filler)
		make();
	return arg;
}

static void *borrow(void *arg)
{
	if (idle > 0)
		idle--;
	else
		make();
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, fill, NULL);
	pthread_create(&b, NULL, borrow, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
