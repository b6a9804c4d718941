/*
 * Functions that store something: stores NAME [unlocked].  One thread calls the function, the other
 * looks twice at what it stores; without the lock it can see two different things.  Without a name
 * all names are printed.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>

/* What is stored, before anybody has. */
static union {
	char text[4096];
	wchar_t wide[16];
	int number, numbers[2];
	unsigned int positive;
	long word;
	double real[2];
	void *pointer;
	struct stat stat;
	struct tm tm;
	struct timespec timespec;
	struct timeval timeval;
	struct itimerspec itimerspec;
	struct itimerval itimerval;
	struct utsname utsname;
	struct rlimit rlimit;
	struct tms tms;
	struct pollfd pollfd;
	struct epoll_event event;
	struct drand48_data generator;
	struct sigaction action;
	struct in_addr address;
	fd_set fds;
	sigset_t set;
	cpu_set_t cpus;
	Dl_info dl;
	eventfd_t eventfd;
} at = {.text = "\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7\7"};

static int ends[2], fd;
static FILE *file;
static pid_t child;
static timer_t timer;
static sem_t semaphore;
static thrd_t thread;
static pthread_attr_t attr;
static time_t epoch;
static struct tm day;
static volatile double seven = 7, half = -0.5;

static void handler(int number)
{
}

static int give_four(void *arg)
{
	return 4;
}

static void *give_seven(void *arg)
{
	return (void *)7;
}

static void with_list(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(at.text, 8, format, args);
	va_end(args);
}

/* Runs before the threads do. */
static void set_up(void)
{
	struct sigevent nothing = {.sigev_notify = SIGEV_NONE};

	signal(SIGUSR1, handler);
	sem_init(&semaphore, 0, 3);
	pthread_attr_init(&attr);
	gmtime_r(&epoch, &day);
	timer_create(CLOCK_MONOTONIC, &nothing, &timer);
}

static void open_pair(void)
{
	assert(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && write(ends[1], "x", 1) == 1);
}

static void watch(void)
{
	struct epoll_event event = {.events = EPOLLIN, .data.fd = 42};

	open_pair();
	fd = epoll_create1(0);
	epoll_ctl(fd, EPOLL_CTL_ADD, ends[0], &event);
}

static void open_file(void)
{
	file = fopen("/etc/passwd", "r");
	fd = open("/etc/passwd", O_RDONLY);
}

static void make_child(void)
{
	child = fork();
	if (child == 0)
		_exit(3);
}

static void make_thread(void)
{
	thrd_create(&thread, give_four, NULL);
}

static void make_event(void)
{
	fd = eventfd(5, 0);
}

static void ask_for_input(void)
{
	open_pair();
	memset(&at, 0, sizeof(at));
	at.pollfd.fd = ends[0];
	at.pollfd.events = POLLIN;
}

static void ask_for_output(void)
{
	open_pair();
	memset(&at, 0, sizeof(at));
	FD_SET(ends[0], &at.fds);
	FD_SET(ends[1], &at.fds);
}

static void seed(void)
{
	srand48_r(1, &at.generator);
}

static void overflow(void)
{
	at.tm = day;
	at.tm.tm_mday = 40;
}

static void nothing(void)
{
}

/* X(name, set up, call, what is looked at) */
#define CALLS                                                                                      \
	X(strcpy, nothing, strcpy(at.text, "ab"), at.text[1])                                      \
	X(stpcpy, nothing, stpcpy(at.text, "ab"), at.text[1])                                      \
	X(strncpy, nothing, strncpy(at.text, "ab", 6), at.text[5])                                 \
	X(strcat, nothing, strcat(at.text, "ab"), at.text[16])                                     \
	X(strncat, nothing, strncat(at.text, "abc", 2), at.text[17])                               \
	X(memccpy, nothing, memccpy(at.text, "ab:c", ':', 4), at.text[2])                          \
	X(mempcpy, nothing, mempcpy(at.text, "abc", 3), at.text[2])                                \
	X(swab, nothing, swab("abcd", at.text, 4), at.text[2])                                     \
	X(snprintf, nothing, snprintf(at.text, 8, "%d", 5), at.text[0])                            \
	X(snprintf_n, nothing, snprintf((char[8]){0}, 8, "ab%n", &at.number), at.number)           \
	X(vsnprintf, nothing, with_list("%d", 5), at.text[0])                                      \
	X(sscanf, nothing, sscanf("5", "%d", &at.number), at.number)                               \
	X(sscanf_text, nothing, sscanf("abc", "%s", at.text), at.text[0])                          \
	X(strtol, nothing, strtol("12x", (char **)&at.pointer, 10), at.word)                       \
	X(strtod, nothing, strtod("1.5x", (char **)&at.pointer), at.word)                          \
	X(mbstowcs, nothing, mbstowcs(at.wide, "abc", 8), at.wide[2])                              \
	X(wcstombs, nothing, wcstombs(at.text, L"abc", 8), at.text[2])                             \
	X(strerror_r, nothing, strerror_r(99999, at.text, 64), at.text[0])                         \
	X(inet_aton, nothing, inet_aton("1.2.3.4", &at.address), at.address.s_addr)                \
	X(frexp, nothing, frexp(seven, &at.number), at.number)                                     \
	X(modf, nothing, modf(half, &at.real[0]), at.real[0])                                      \
	X(remquo, nothing, remquo(seven, 2, &at.number), at.number)                                \
	X(sincos, nothing, sincos(half, &at.real[0], &at.real[1]), at.real[1])                     \
	X(lgamma, nothing, lgamma(half), signgam)                                                  \
	X(time, nothing, time(&at.word), at.word)                                                  \
	X(gettimeofday, nothing, gettimeofday(&at.timeval, NULL), at.timeval.tv_sec)               \
	X(clock_gettime, nothing, clock_gettime(CLOCK_REALTIME, &at.timespec), at.timespec.tv_sec) \
	X(timespec_get, nothing, timespec_get(&at.timespec, TIME_UTC), at.timespec.tv_sec)         \
	X(times, nothing, times(&at.tms), at.tms.tms_utime)                                        \
	X(gmtime_r, nothing, gmtime_r(&epoch, &at.tm), at.tm.tm_year)                              \
	X(mktime, overflow, mktime(&at.tm), at.tm.tm_mday)                                         \
	X(asctime_r, nothing, asctime_r(&day, at.text), at.text[0])                                \
	X(strftime, nothing, strftime(at.text, 32, "%Y", &day), at.text[0])                        \
	X(getrandom, nothing, getrandom(&at.number, 4, 0), at.number)                              \
	X(rand_r, nothing, rand_r(&at.positive), at.positive)                                      \
	X(lrand48_r, seed, lrand48_r(&at.generator, (long[1]){0}), at.word)                        \
	X(read, open_pair, read(ends[0], at.text, 1), at.text[0])                                  \
	X(readv, open_pair, readv(ends[0], &(struct iovec){at.text, 1}, 1), at.text[0])            \
	X(recv, open_pair, recv(ends[0], at.text, 1, 0), at.text[0])                               \
	X(pread, open_file, pread(fd, at.text, 1, 0), at.text[0])                                  \
	X(fread, open_file, fread(at.text, 1, 4, file), at.text[0])                                \
	X(fgets, open_file, fgets(at.text, 4, file), at.text[0])                                   \
	X(getline, open_file, getline((char **)&at.pointer, (size_t[1]){0}, file), at.word)        \
	X(poll, ask_for_input, poll(&at.pollfd, 1, 0), at.pollfd.revents)                          \
	X(select, ask_for_output, select(ends[1] + 1, NULL, NULL, &at.fds, &(struct timeval){0}),  \
	  at.word)                                                                                 \
	X(epoll_wait, watch, epoll_wait(fd, &at.event, 1, 0), at.event.data.fd)                    \
	X(eventfd_read, make_event, eventfd_read(fd, &at.eventfd), at.word)                        \
	X(pipe, nothing, pipe(at.numbers), at.numbers[1])                                          \
	X(getsockopt, open_pair,                                                                   \
	  getsockopt(ends[0], SOL_SOCKET, SO_TYPE, &at.number, (socklen_t[1]){4}), at.number)      \
	X(stat, nothing, stat("/", &at.stat), at.stat.st_mode)                                     \
	X(getcwd, nothing, getcwd(at.text, 256), at.text[0])                                       \
	X(realpath, nothing, realpath("/", at.text), at.text[0])                                   \
	X(readlink, nothing, readlink("/proc/self/exe", at.text, 255), at.text[0])                 \
	X(uname, nothing, uname(&at.utsname), at.text[0])                                          \
	X(gethostname, nothing, gethostname(at.text, 256), at.text[0])                             \
	X(getrlimit, nothing, getrlimit(RLIMIT_NOFILE, &at.rlimit), at.word)                       \
	X(sched_getaffinity, nothing, sched_getaffinity(0, 8, &at.cpus), at.word)                  \
	X(dladdr, nothing, dladdr((void *)handler, &at.dl), at.word)                               \
	X(sigemptyset, nothing, sigemptyset(&at.set), at.word)                                     \
	X(sigaction, nothing, sigaction(SIGUSR1, NULL, &at.action), at.word)                       \
	X(pthread_sigmask, nothing, pthread_sigmask(SIG_BLOCK, NULL, &at.set), at.word)            \
	X(timer_gettime, nothing, timer_gettime(timer, &at.itimerspec), at.word)                   \
	X(getitimer, nothing, getitimer(ITIMER_REAL, &at.itimerval), at.word)                      \
	X(waitpid, make_child, waitpid(child, &at.number, 0), at.number)                           \
	X(prctl, nothing, prctl(PR_GET_NAME, at.text), at.text[0])                                 \
	X(pthread_getname_np, nothing, pthread_getname_np(pthread_self(), at.text, 16),            \
	  at.text[0])                                                                              \
	X(pthread_attr_getstacksize, nothing, pthread_attr_getstacksize(&attr, (size_t *)&at.word), \
	  at.word)                                                                                 \
	X(pthread_setcancelstate, nothing,                                                         \
	  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &at.number), at.number)                   \
	X(pthread_key_create, nothing, pthread_key_create(&at.positive, NULL), at.number)          \
	X(pthread_create, nothing, pthread_create((pthread_t *)&at.word, NULL, give_seven, NULL),  \
	  at.word)                                                                                 \
	X(thrd_join, make_thread, thrd_join(thread, &at.number), at.number)                        \
	X(sem_getvalue, nothing, sem_getvalue(&semaphore, &at.number), at.number)                  \
	X(posix_memalign, nothing, posix_memalign(&at.pointer, 64, 64), at.word)

#define X(name, before, call, cell)                                                                \
	static void call_##name(void)                                                              \
	{                                                                                          \
		(void)(call);                                                                      \
	}                                                                                          \
	static int differs_##name(void)                                                            \
	{                                                                                          \
		__typeof__(cell) first = (cell);                                                   \
                                                                                                   \
		return first != (cell);                                                            \
	}
CALLS
#undef X

static const struct row {
	const char *name;
	void (*before)(void), (*call)(void);
	int (*differs)(void);
} rows[] = {
#define X(name, before, call, cell) {#name, before, call_##name, differs_##name},
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

static void *caller(void *arg)
{
	lock();
	((const struct row *)arg)->call();
	unlock();
	return NULL;
}

static void try(const struct row *r)
{
	pthread_t t;
	int differs;

	set_up();
	r->before();
	pthread_create(&t, NULL, caller, (void *)r);
	lock();
	differs = r->differs();
	unlock();
	assert(!differs);
	pthread_join(t, NULL);
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
