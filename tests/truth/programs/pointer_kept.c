/*
 * A reader keeps the address of what it has read last; a younger object may lie at the same place.
 * Here it never does.
 *
 * expect: 4
 * match: the address of a freed block is compared
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

struct node {
	int value;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct node *current;

static void *reads(void *arg)
{
	struct node *kept = NULL;
	int value = 0;

	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&lock);
		if (current != kept)
			value = current->value;
		kept = current;
		assert(value == current->value);
		pthread_mutex_unlock(&lock);
	}
	return arg;
}

static void *replaces(void *arg)
{
	pthread_mutex_lock(&lock);
	free(current);
	current = malloc(sizeof(*current));
	current->value = 2;
	pthread_mutex_unlock(&lock);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	current = malloc(sizeof(*current));
	current->value = 1;
	pthread_create(&a, NULL, reads, NULL);
	pthread_create(&b, NULL, replaces, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	free(current);
	return 0;
}
