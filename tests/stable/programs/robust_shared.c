/* nondet: a robust mutex shared with another process, which ends while it holds it and while
 * threads of this one wait for it. */
#include <errno.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static struct shared {
	pthread_mutex_t mutex;
	int value;
} * shared;
static int heirs;

static void *waits(void *unused)
{
	(void)unused;
	int result = pthread_mutex_lock(&shared->mutex);
	EXPECT(result == 0 || result == EOWNERDEAD);
	if (result == EOWNERDEAD) {
		heirs++;
		EXPECT(pthread_mutex_consistent(&shared->mutex) == 0);
	}
	shared->value++;
	EXPECT(pthread_mutex_unlock(&shared->mutex) == 0);
	return NULL;
}

static void owner(int told)
{
	pthread_mutex_lock(&shared->mutex);
	EXPECT(write(told, "x", 1) == 1);
	usleep(20000);
	_exit(0);
}

int main(void)
{
	pthread_mutexattr_t attr;
	pthread_t threads[3];
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
		      0);
	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	pthread_mutex_init(&shared->mutex, &attr);
	for (int round = 0; round < 10; round++) {
		int told[2];
		char c;
		EXPECT(pipe(told) == 0);
		pid_t pid = fork();
		if (pid == 0)
			owner(told[1]);
		EXPECT(read(told[0], &c, 1) == 1);
		for (int i = 0; i < 3; i++)
			pthread_create(&threads[i], NULL, waits, NULL);
		for (int i = 0; i < 3; i++)
			pthread_join(threads[i], NULL);
		waitpid(pid, NULL, 0);
		close(told[0]);
		close(told[1]);
	}
	EXPECT(heirs == 10 && shared->value == 30);
	puts("done");
	return 0;
}
