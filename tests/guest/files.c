/*
 * Files opened for reading by several threads, by descriptor and as streams, some of them left open:
 * every run begins with the same descriptors free, on the reset engine too.
 */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"

static const char first[] = "/*\n * Files";
static char kept[16];
static int lowest, lines_there;

static void *by_descriptor(void *arg)
{
	char text[sizeof(first)] = "";
	struct stat s;
	int fd = open(__FILE__, O_RDONLY | O_CLOEXEC);

	CHECK(fd >= lowest && fstat(fd, &s) == 0 && S_ISREG(s.st_mode));
	CHECK(fcntl(fd, F_GETFL) >= 0);
	CHECK(read(fd, text, sizeof(text) - 1) == sizeof(text) - 1);
	CHECK(strcmp(text, first) == 0);
	CHECK(lseek(fd, 3, SEEK_SET) == 3 && read(fd, text, 2) == 2 && memcmp(text, " *", 2) == 0);
	CHECK(pread(fd, text, 2, 0) == 2 && memcmp(text, "/*", 2) == 0);
	CHECK(close(fd) == 0);
	return arg;
}

/* Left open, and so is what it read into a variable of the program. */
static void *left_open(void *arg)
{
	int fd = open(__FILE__, O_RDONLY);

	CHECK(kept[0] == 0);
	CHECK(fd >= lowest && read(fd, kept, 2) == 2 && memcmp(kept, "/*", 2) == 0);
	CHECK(open("/no/such/file", O_RDONLY) == -1 && errno == ENOENT);
	return arg;
}

static void *by_stream(void *arg)
{
	FILE *f = fopen(__FILE__, "r");
	char line[200];
	int lines = 0;

	CHECK(f);
	while (fgets(line, sizeof(line), f))
		lines++;
	CHECK(lines == lines_there);
	rewind(f);
	CHECK(fgets(line, sizeof(line), f) && strcmp(line, "/*\n") == 0);
	if (arg)
		CHECK(fclose(f) == 0);
	return NULL;
}

int main(void)
{
	void *(*const starts[])(void *) = { by_descriptor, left_open, by_stream, by_stream };
	pthread_t t[4];
	char byte;

	/* The first one free is the same in every run. */
	lowest = open(__FILE__, O_RDONLY);
	CHECK(lowest > 2);
	while (read(lowest, &byte, 1) == 1)
		lines_there += byte == '\n';
	CHECK(close(lowest) == 0 && lines_there > 50);
	for (long i = 0; i < 4; i++)
		CHECK(pthread_create(&t[i], NULL, starts[i], (void *)(i % 2)) == 0);
	for (int i = 0; i < 4; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	SUCCESS();
	return 0;
}
