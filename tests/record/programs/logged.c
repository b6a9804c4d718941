/* Decisions on what comes from outside, after there are threads: each is in the log, or its way is. */
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static int count;
static void say(int yes)
{
	count += yes;
}
static void *other(void *arg)
{
	return arg;
}
static void files(void)
{
	char text[64];
	int fd = open("/proc/self/stat", O_RDONLY);
	ssize_t n = read(fd, text, sizeof(text));

	if (n > 40)
		say(1);
	if (text[1] == '1')
		say(1);
	if (lseek(fd, 0, SEEK_CUR) > 10)
		say(1);
	close(fd);
	if (access("/nowhere", R_OK))
		say(1);
}
static void numbers(void)
{
	time_t now = time(NULL);
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	if (now % 2)
		say(1);
	if (t.tv_nsec % 3 == 0)
		say(1);
	srand((unsigned)now);
	if (rand() % 2)
		say(1);
	if (random() % 2)
		say(1);
	if (getpid() % 2)
		say(1);
	if (sysconf(_SC_NPROCESSORS_ONLN) > 1)
		say(1);
	if (getenv("HOME"))
		say(1);
}
int main(void)
{
	pthread_t t;

	if (pthread_create(&t, NULL, other, NULL))
		return 1;
	files();
	numbers();
	pthread_join(t, NULL);
	return count > 100;
}
