/*
 * A counter in a structure that is copied as a whole is read in one section and written in the next:
 * an update between them is lost.  The name beside it, which is copied too, never changes.
 *
 * expect atomicity takes adds puts
 */
#include <pthread.h>
#include <string.h>

static struct account {
	char name[8];
	long balance;
} shared = {"one", 10};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *other(void *arg)
{
	pthread_mutex_lock(&lock);
	shared.balance += 5; /* adds */
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	struct account mine;
	pthread_t t;

	pthread_create(&t, NULL, other, NULL);
	pthread_mutex_lock(&lock);
	memcpy(&mine, &shared, sizeof(mine)); /* takes */
	pthread_mutex_unlock(&lock);
	mine.balance++;
	pthread_mutex_lock(&lock);
	shared.balance = mine.balance; /* puts */
	pthread_mutex_unlock(&lock);
	pthread_join(t, NULL);
	return 0;
}
