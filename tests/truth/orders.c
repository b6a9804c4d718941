/*
 * Library calls that touch more than their arguments say at first sight: ends of texts, memory that
 * the library got to know earlier, the environment.  orders NAME [swapped]: one thread makes the
 * call, another one uses the memory, both under a lock.  One order of the two fails, so that no
 * search may call the program clean, whichever thread was made first.
 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

#define NEW_YEAR 946684800 /* 2000, UTC */

extern char **environ;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char bytes[64], text[64] = "abc";
static wchar_t wide[8], words[8] = L"abc";
static FILE *stream;
static char *made;
static size_t size;
static int fd, number;
static long result;

static void nothing(void)
{
}

/* ---- ends of texts ---- */

static void mark_second(void)
{
	bytes[2] = 7;
}

static void mark_wide(void)
{
	wide[2] = 7;
}

static void is_marked(void)
{
	assert(bytes[2] == 7);
}

static void is_marked_wide(void)
{
	assert(wide[2] == 7);
}

static void call_mbstowcs(void)
{
	mbstowcs(wide, "ab", 8);
}

static void call_wcstombs(void)
{
	wcstombs(bytes, L"ab", 8);
}

static void call_snprintf_nul(void)
{
	snprintf(bytes, sizeof(bytes), "a%cb", 0);
}

static void call_sprintf_nul(void)
{
	sprintf(bytes, "a%cb", 0);
}

static void call_sscanf_wide(void)
{
	sscanf("abc", "%ls", wide);
}

static void open_short(void)
{
	stream = tmpfile();
	fwrite("a\0bc\n", 1, 5, stream);
	rewind(stream);
}

static void call_fread_part(void)
{
	assert(fread(bytes, 8, 1, stream) == 0);
}

static void call_fgets_nul(void)
{
	assert(fgets(bytes, 8, stream));
}

/* ---- what formats read ---- */

static void change_word(void)
{
	words[1] = 'x';
}

static void change_text(void)
{
	text[0] = 'x';
}

static void call_snprintf_wide(void)
{
	snprintf(bytes, sizeof(bytes), "%ls", words);
}

static void call_snprintf_many(void)
{
	snprintf(bytes, sizeof(bytes), "%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%d%s", 1, 2, 3, 4, 5, 6, 7,
		 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, text);
}

static void call_snprintf_star(void)
{
	snprintf(bytes, sizeof(bytes), "%1$*2$d%3$s", 1, 2, text);
}

static void has_b(void)
{
	assert(bytes[1] == 'b');
}

static void has_no_x(void)
{
	assert(!strchr(bytes, 'x'));
}

/* ---- the environment, and time zones ---- */

static char pair[] = "HEDDLE_PAIR=1";

static void put_pair(void)
{
	clearenv();
	putenv(pair);
}

static void change_pair(void)
{
	pair[0] = 'X';
}

static void change_slot(void)
{
	static char other[] = "OTHER=2";

	environ[0] = other;
}

static void change_environ(void)
{
	static char *none[1];

	environ = none;
}

static void look_for_pair(void)
{
	number = getenv("HEDDLE_PAIR") == NULL;
}

static void is_zero(void)
{
	assert(number == 0);
}

static void zone_utc(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void change_zone(void)
{
	setenv("TZ", "XXX5", 1);
}

static void set_zone(void)
{
	setenv("TZ", "XXX5", 1);
	tzset();
}

static void look_at_zone(void)
{
	result = timezone;
}

static void call_mktime(void)
{
	struct tm t = {.tm_year = 100, .tm_mday = 1};

	result = mktime(&t) - NEW_YEAR;
}

static void call_localtime(void)
{
	time_t t = NEW_YEAR;

	result = localtime(&t)->tm_hour;
}

static void call_localtime_r(void)
{
	time_t t = NEW_YEAR;
	struct tm tm;

	result = localtime_r(&t, &tm)->tm_hour;
}

static void call_ctime_r(void)
{
	time_t t = NEW_YEAR;
	char line[64];

	result = strncmp(ctime_r(&t, line), "Sat Jan  1 00", 13);
}

static void result_is_zero(void)
{
	assert(result == 0);
}

/* ---- streams on memory, and all of them ---- */

static void open_with_buffer(void)
{
	stream = fopen("/dev/null", "w");
	setvbuf(stream, bytes, _IOFBF, sizeof(bytes));
}

static void open_for_memory(void)
{
	stream = open_memstream(&made, &size);
	fflush(stream);
}

static void open_on_memory(void)
{
	stream = fmemopen(bytes, sizeof(bytes), "w");
	setbuf(stream, NULL);
}

static void open_from_memory(void)
{
	stream = fmemopen(text, sizeof(text), "r");
	setbuf(stream, NULL);
}

static ssize_t count_bytes(void *cookie, const char *from, size_t n)
{
	(void)cookie;
	(void)from;
	number += (int)n;
	return (ssize_t)n;
}

static void open_on_function(void)
{
	cookie_io_functions_t calls = {.write = count_bytes};

	stream = fopencookie(NULL, "w", calls);
	setbuf(stream, NULL);
}

static void put_hello(void)
{
	fputs("hello", stream);
	fflush(stream);
}

static void put_held_back(void)
{
	fputs("hello", stream);
}

static void look_at_byte(void)
{
	result = bytes[0];
}

static void look_at_size(void)
{
	result = (long)size;
}

static void look_at_number(void)
{
	result = number;
}

static void get_one(void)
{
	result = fgetc(stream) != 'a';
}

static void open_unflushed(void)
{
	stream = tmpfile();
	fd = fileno(stream);
	fputs("hello", stream);
}

static void flush_all(void)
{
	fflush(NULL);
}

static void look_at_file(void)
{
	struct stat s;

	fstat(fd, &s);
	result = s.st_size;
}

/* ---- descriptors and processes ---- */

static void open_null(void)
{
	fd = open("/dev/null", O_RDONLY);
}

static void close_it(void)
{
	close(fd);
}

static void call_isatty(void)
{
	errno = 0;
	isatty(fd);
	result = errno == EBADF;
}

static void set_number(void)
{
	number = 2;
}

static void ask_child(void)
{
	pid_t child = fork();
	int status = 0;

	if (child == 0)
		_exit(number);
	waitpid(child, &status, 0);
	result = WEXITSTATUS(status);
}

/* ---- cases ---- */

static const struct {
	const char *name;
	void (*first)(void), (*call)(void), (*other)(void), (*last)(void);
} cases[] = {
	{"mbstowcs", nothing, call_mbstowcs, mark_wide, is_marked_wide},
	{"wcstombs", nothing, call_wcstombs, mark_second, is_marked},
	{"snprintf_nul", nothing, call_snprintf_nul, mark_second, is_marked},
	{"sprintf_nul", nothing, call_sprintf_nul, mark_second, is_marked},
	{"sscanf_wide", nothing, call_sscanf_wide, mark_wide, is_marked_wide},
	{"fread_part", open_short, call_fread_part, mark_second, is_marked},
	{"fgets_nul", open_short, call_fgets_nul, mark_second, is_marked},
	{"snprintf_wide", nothing, call_snprintf_wide, change_word, has_b},
	{"snprintf_many", nothing, call_snprintf_many, change_text, has_no_x},
	{"snprintf_star", nothing, call_snprintf_star, change_text, has_no_x},
	{"putenv_pair", put_pair, look_for_pair, change_pair, is_zero},
	{"environ_slot", put_pair, look_for_pair, change_slot, is_zero},
	{"environ_whole", put_pair, look_for_pair, change_environ, is_zero},
	{"mktime_zone", zone_utc, call_mktime, change_zone, result_is_zero},
	{"localtime_zone", zone_utc, call_localtime, change_zone, result_is_zero},
	{"localtime_r_zone", zone_utc, call_localtime_r, set_zone, result_is_zero},
	{"ctime_r_zone", zone_utc, call_ctime_r, set_zone, result_is_zero},
	{"timezone", zone_utc, set_zone, look_at_zone, result_is_zero},
	{"stream_buffer", open_with_buffer, put_held_back, look_at_byte, result_is_zero},
	{"stream_for_memory", open_for_memory, put_hello, look_at_size, result_is_zero},
	{"stream_on_memory", open_on_memory, put_hello, look_at_byte, result_is_zero},
	{"stream_from_memory", open_from_memory, get_one, change_text, result_is_zero},
	{"stream_on_function", open_on_function, put_hello, look_at_number, result_is_zero},
	{"stream_all", open_unflushed, flush_all, look_at_file, result_is_zero},
	{"isatty_closed", open_null, call_isatty, close_it, result_is_zero},
	{"fork_memory", nothing, ask_child, set_number, result_is_zero},
};

#define CASES (sizeof(cases) / sizeof(cases[0]))

static void *locked(void *arg)
{
	void (*const *what)(void) = arg;

	pthread_mutex_lock(&lock);
	(*what)();
	pthread_mutex_unlock(&lock);
	return NULL;
}

static void run(size_t i, int swapped)
{
	void (*both[2])(void) = {cases[i].call, cases[i].other};
	pthread_t t[2];

	cases[i].first();
	for (int k = 0; k < 2; k++)
		pthread_create(&t[k], NULL, locked, &both[k ^ swapped]);
	for (int k = 0; k < 2; k++)
		pthread_join(t[k], NULL);
	cases[i].last();
}

int main(int argc, char **argv)
{
	for (size_t i = 0; i < CASES; i++)
		if (argc < 2)
			puts(cases[i].name);
		else if (!strcmp(argv[1], cases[i].name))
			run(i, argc > 2);
	return 0;
}
