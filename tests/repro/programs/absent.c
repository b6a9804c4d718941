/* Fails when there was no file of marks, which it then writes: the next run would find them. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

static void *looks(void *arg)
{
	int fd = open("absent.mark", O_RDONLY);

	*(bool *)arg = fd >= 0 || errno != ENOENT;
	if (fd >= 0)
		close(fd);
	return NULL;
}

int main(void)
{
	FILE *list = fopen("absent.list", "r");
	bool known = false, listed = list != NULL;
	pthread_t thread;

	pthread_create(&thread, NULL, looks, &known);
	pthread_join(thread, NULL);
	close(open("absent.mark", O_WRONLY | O_CREAT, 0600));
	list = fopen("absent.list", "w");
	if (list)
		fclose(list);
	assert(known || listed);
	return 0;
}
