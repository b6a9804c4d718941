/* Reads a file and the clock; the sum of what it read is asserted to be nothing. */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long sum;
static void *worker(void *arg) { char c[100]; ssize_t n; int fd = open(arg, O_RDONLY); while ((n = read(fd, c, sizeof(c))) > 0) for (int i = 0; i < n; i++) sum += c[i]; close(fd); return 0; }
int main(int argc, char **argv)
{
	pthread_t t;
	FILE *f = fopen(argv[1], "r");
	char line[80];
	if (!f || !fgets(line, sizeof(line), f)) return 1;
	if (time(NULL) < 0) return 2;
	pthread_create(&t, 0, worker, argv[1]);
	pthread_join(t, 0);
	assert(sum == 0);
	return 0;
}
