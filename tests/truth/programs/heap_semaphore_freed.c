/*
 * As heap_lock_freed, with a semaphore, which is posted.
 *
 * expect: 1
 * match: (use after free|freed)
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int words[2];
static sem_t *tokens;

static void *frees(void *arg)
{
	if (words[0])
		free(tokens);
	return arg;
}

static void *posts(void *arg)
{
	if (words[1])
		sem_post(tokens);
	return arg;
}

static void *says(void *arg)
{
	words[arg != NULL] = 1;
	return arg;
}

int main(void)
{
	pthread_t t[4];

	tokens = malloc(sizeof(*tokens));
	sem_init(tokens, 0, 0);
	pthread_create(&t[0], NULL, frees, NULL);
	pthread_create(&t[1], NULL, posts, NULL);
	pthread_create(&t[2], NULL, says, NULL);
	pthread_create(&t[3], NULL, says, &tokens);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
