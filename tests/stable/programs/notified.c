/* nondet: threads that the C library makes wake the program's own: a timer, a finished read, a
 * message queue. */
#include <aio.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int told;

static void tell(union sigval value)
{
	pthread_mutex_lock(&mutex);
	told += value.sival_int;
	pthread_cond_signal(&cond);
	pthread_mutex_unlock(&mutex);
}

static struct sigevent by_thread(int value)
{
	struct sigevent e;
	memset(&e, 0, sizeof(e));
	e.sigev_notify = SIGEV_THREAD;
	e.sigev_notify_function = tell;
	e.sigev_value.sival_int = value;
	return e;
}

static void *waits(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&mutex);
	while (told < 1)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	return NULL;
}

static void timer(void)
{
	struct sigevent e = by_thread(1);
	struct itimerspec when = {.it_value = {0, 400000000}};
	timer_t id;
	pthread_t thread;
	EXPECT(timer_create(CLOCK_MONOTONIC, &e, &id) == 0);
	EXPECT(timer_settime(id, 0, &when, NULL) == 0);
	pthread_create(&thread, NULL, waits, NULL);
	pthread_join(thread, NULL);
	timer_delete(id);
}

static void file(void)
{
	char text[16] = "";
	int ends[2];
	EXPECT(pipe(ends) == 0);
	struct aiocb request = {.aio_fildes = ends[0], .aio_buf = text, .aio_nbytes = 5};
	request.aio_sigevent = by_thread(10);
	EXPECT(aio_read(&request) == 0);
	EXPECT(write(ends[1], "hello", 5) == 5);
	pthread_mutex_lock(&mutex);
	while (told < 11)
		pthread_cond_wait(&cond, &mutex);
	pthread_mutex_unlock(&mutex);
	EXPECT(aio_return(&request) == 5 && strcmp(text, "hello") == 0);
	const struct aiocb *all[1] = {&request};
	request.aio_sigevent.sigev_notify = SIGEV_NONE;
	EXPECT(aio_read(&request) == 0 && write(ends[1], "again", 5) == 5);
	while (aio_error(&request) == EINPROGRESS)
		EXPECT(aio_suspend(all, 1, NULL) == 0);
	EXPECT(aio_return(&request) == 5);
}

int main(void)
{
	timer();
	file();
	puts("done");
	return 0;
}
