/* What a section does depends on a random number: no search can be complete. */
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "heddle/stable.h"

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg)
{
	unsigned char draw = 0;
	int fd = open("/dev/urandom", O_RDONLY);

	for (int i = 0; i < 4; i++) {
		if (read(fd, &draw, 1) != 1)
			return arg;
		pcs_enter();
		pthread_mutex_t *m = draw & 1 ? &a : &b;
		pthread_mutex_lock(m);
		pthread_mutex_unlock(m);
		pcs_exit();
	}
	close(fd);
	return arg;
}

int main(void)
{
	pthread_t t[2];

	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
