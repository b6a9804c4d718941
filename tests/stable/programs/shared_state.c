/* det: what threads share in the C library and the kernel: one stream, one offset, one generator. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

#define THREADS 4

static pthread_barrier_t start;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static int file;
static unsigned long seen[THREADS];

static void *use(void *number)
{
	unsigned long *mine = &seen[(long)number];
	char c;

	pthread_barrier_wait(&start);
	for (int i = 0; i < 20; i++)
		printf("%ld.%d ", (long)number, i);
	for (int i = 0; i < 50; i++)
		*mine = *mine * 31 + (unsigned long)rand() + (unsigned long)lrand48();
	while (read(file, &c, 1) == 1)
		*mine = *mine * 31 + (unsigned long)c;
	for (int i = 0; i < 20; i++) {
		flockfile(stdout);
		printf("%ld", (long)number);
		pthread_mutex_lock(&inner);
		pthread_mutex_unlock(&inner);
		puts(" has the stream");
		funlockfile(stdout);
	}
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t threads[THREADS];

	(void)argc;
	file = open(argv[0], O_RDONLY);
	EXPECT(file >= 0 && lseek(file, -300, SEEK_END) > 0);
	pthread_barrier_init(&start, NULL, THREADS);
	for (long i = 0; i < THREADS; i++)
		EXPECT(pthread_create(&threads[i], NULL, use, (void *)i) == 0);
	for (int i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	for (int i = 0; i < THREADS; i++)
		printf("%lx\n", seen[i]);
	return 0;
}
