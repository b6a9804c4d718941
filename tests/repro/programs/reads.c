/*
 * Reads a file by its descriptor, another as a stream and standard input by two threads in turn;
 * fails when, and only when, it read what the test wrote there.
 */
#include <assert.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char all[256];
static size_t used;

static void add(const char *text, size_t n)
{
	assert(used + n < sizeof(all));
	memcpy(all + used, text, n);
	used += n;
}

static void by_descriptor(const char *name)
{
	char part[5];
	int fd = open(name, O_RDONLY);
	ssize_t n;

	if (fd < 0)
		exit(7);
	while ((n = read(fd, part, sizeof(part))) > 0)
		add(part, (size_t)n);
	close(fd);
}

static void as_stream(const char *name)
{
	FILE *f = fopen(name, "r");
	char line[64];

	if (!f)
		exit(8);
	while (fgets(line, sizeof(line), f))
		add(line, strlen(line));
	fclose(f);
}

/* A line, with its first character looked at before. */
static void *input_line(void *none)
{
	char line[64], c = (char)getchar();

	ungetc(c, stdin);
	if (fgets(line, sizeof(line), stdin))
		add(line, strlen(line));
	return none;
}

static void in_thread(void *(*f)(void *))
{
	pthread_t t;

	pthread_create(&t, NULL, f, NULL);
	pthread_join(t, NULL);
}

int main(int argc, char **argv)
{
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (argc != 3)
		return 2;
	by_descriptor(argv[1]);
	as_stream(argv[2]);
	input_line(NULL);
	in_thread(input_line);
	n = getline(&line, &room, stdin);
	if (n > 0)
		add(line, (size_t)n);
	in_thread(input_line);
	assert(strcmp(all, "one\ntwo\nthree\n1\n22\n333\n4444\n") != 0);
	free(line);
	return 0;
}
