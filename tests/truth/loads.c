/*
 * Functions that look at memory: loads NAME [unlocked].  One thread empties a string for a moment, the
 * other calls the function, whose answer must be the one that it gave before; without the lock it can
 * meet the moment.  Without a name all names are printed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

static char text[128];
static wchar_t wide[] = L"12";
static struct tm day;
static FILE *sink;

static int with_list(const char *format, ...)
{
	char to[16];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(to, sizeof(to), format, args);
	va_end(args);
	return n;
}

static int of_copy(char *copy)
{
	int first = copy ? copy[0] : -1;

	free(copy);
	return first;
}

static int of_copied(const char *copy)
{
	return copy[0];
}

static int is_opened(int fd)
{
	if (fd >= 0)
		close(fd);
	return fd >= 0;
}

static int is_stream(FILE *f)
{
	if (f)
		fclose(f);
	return f != NULL;
}

static int in_pieces(void)
{
	char *rest = text;

	return strsep(&rest, ",")[0];
}

static int first_token(void)
{
	char *rest, *token = strtok_r(text, ",", &rest);

	return token ? token[0] : -1;
}

static int printed(void)
{
	char *made = NULL;
	int n = asprintf(&made, "%s", text);

	free(made);
	return n;
}

static int scanned(void)
{
	int number = -1;

	sscanf(text, "%d", &number);
	return number;
}

static int named(void)
{
	char name[16];

	pthread_setname_np(pthread_self(), text);
	pthread_getname_np(pthread_self(), name, sizeof(name));
	return name[0];
}

static int in_environment(void)
{
	setenv("LOADS", text, 1);
	return getenv("LOADS")[0];
}

/* X(name, the string, an answer that depends on it) */
#define CALLS                                                                                      \
	X(strlen, "12", strlen(text))                                                              \
	X(strnlen, "12", strnlen(text, 8))                                                         \
	X(strcmp, "12", strcmp(text, "12"))                                                        \
	X(strncmp, "12", strncmp(text, "12", 2))                                                   \
	X(strcasecmp, "12", strcasecmp(text, "12"))                                                \
	X(strcoll, "12", strcoll(text, "12"))                                                      \
	X(memcmp, "12345678", memcmp(text, "12345678", 8))                                         \
	X(memcmp_long, "12", memcmp(text, "12", 3))                                                \
	X(memchr, "12", memchr(text, '1', 3) != NULL)                                              \
	X(memmem, "12", memmem(text, 3, "12", 2) != NULL)                                          \
	X(strchr, "12", strchr(text, '2') != NULL)                                                 \
	X(strrchr, "12", strrchr(text, '2') != NULL)                                               \
	X(strstr, "12", strstr(text, "12") != NULL)                                                \
	X(strspn, "12", strspn(text, "123"))                                                       \
	X(strcspn, "12", strcspn(text, ","))                                                       \
	X(strpbrk, "12", strpbrk(text, "2") != NULL)                                               \
	X(strdup, "12", of_copy(strdup(text)))                                                     \
	X(strndup, "12", of_copy(strndup(text, 4)))                                                \
	X(strcpy, "12", of_copied(strcpy((char[8]){0}, text)))                                     \
	X(strncpy, "12", of_copied(strncpy((char[8]){0}, text, 8)))                                \
	X(strcat, "12", of_copied(strcat((char[8]){0}, text)))                                     \
	X(memcpy, "12", of_copied(memcpy((char[8]){0}, text, 3)))                                  \
	X(atoi, "12", atoi(text))                                                                  \
	X(atof, "12", atof(text) > 0)                                                              \
	X(strtol, "12", strtol(text, NULL, 10))                                                    \
	X(strtoull, "12", strtoull(text, NULL, 0))                                                 \
	X(strtod, "12", strtod(text, NULL) > 0)                                                    \
	X(sscanf, "12", scanned())                                                                 \
	X(snprintf, "12", snprintf((char[8]){0}, 8, "%s", text))                                   \
	X(snprintf_limit, "12", snprintf((char[8]){0}, 8, "%.2s", text))                           \
	X(sprintf, "12", sprintf((char[8]){0}, "%s", text))                                        \
	X(vsnprintf, "12", with_list("%s", text))                                                  \
	X(asprintf, "12", printed())                                                               \
	X(printf, "12", printf("%s", text))                                                        \
	X(fprintf, "12", fprintf(sink, "%s", text))                                                \
	X(strsep, "12", in_pieces())                                                               \
	X(strtok_r, "12", first_token())                                                           \
	X(inet_addr, "1.2.3.4", inet_addr(text))                                                   \
	X(wcslen, "12", wcslen(wide))                                                              \
	X(wcscmp, "12", wcscmp(wide, L"12"))                                                       \
	X(setenv, "12", in_environment())                                                          \
	X(getenv, "PATH", getenv(text) != NULL)                                                    \
	X(pthread_setname_np, "12", named())                                                       \
	X(access, "/dev/null", access(text, R_OK))                                                 \
	X(stat, "/dev/null", stat(text, &(struct stat){0}))                                        \
	X(open, "/dev/null", is_opened(open(text, O_RDONLY)))                                      \
	X(openat, "/dev/null", is_opened(openat(AT_FDCWD, text, O_RDONLY)))                        \
	X(fopen, "/dev/null", is_stream(fopen(text, "r")))                                         \
	X(realpath, "/dev/null", of_copy(realpath(text, NULL)))                                    \
	X(strftime, "%Y", strftime((char[8]){0}, 8, text, &day))

#define X(name, string, answer)                                                                    \
	static long call_##name(void)                                                              \
	{                                                                                          \
		return (long)(answer);                                                             \
	}
CALLS
#undef X

static const struct row {
	const char *name, *string;
	long (*call)(void);
} rows[] = {
#define X(name, string, answer) {#name, string, call_##name},
	CALLS
#undef X
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int locks = 1;

static void lock(void)
{
	if (locks)
		pthread_mutex_lock(&mutex);
}

static void unlock(void)
{
	if (locks)
		pthread_mutex_unlock(&mutex);
}

static void *emptier(void *arg)
{
	lock();
	text[0] = 0;
	text[0] = *(const char *)arg;
	wide[0] = 0;
	wide[0] = L'1';
	unlock();
	return NULL;
}

static void try(const struct row *r)
{
	long expected, found;
	pthread_t t;

	sink = fopen("/dev/null", "w");
	strcpy(text, r->string);
	expected = r->call();
	pthread_create(&t, NULL, emptier, (void *)r->string);
	lock();
	found = r->call();
	unlock();
	pthread_join(t, NULL);
	assert(found == expected);
}

int main(int argc, char **argv)
{
	locks = argc < 3;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (argc < 2)
			puts(rows[i].name);
		else if (strcmp(rows[i].name, argv[1]) == 0)
			try(&rows[i]);
	return 0;
}
