/* Threads: results of join and detach in every situation, names, pthread_exit. */
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static sem_t gate, first_gate, second_gate;

static void *echo(void *arg)
{
	return arg;
}

static void *wait_at_gate(void *arg)
{
	CHECK(sem_wait(&gate) == 0);
	return arg;
}

static void *wait_at(void *arg)
{
	CHECK(sem_wait(arg) == 0);
	return NULL;
}

static void leave(int depth)
{
	if (depth > 0)
		leave(depth - 1);
	else
		pthread_exit((void *)77);
}

static void *leave_deep(void *arg)
{
	leave(5);
	return arg;
}

static void test_join(void)
{
	struct timespec when = {0, 0};
	pthread_t t;
	void *result;

	CHECK(pthread_create(&t, NULL, echo, (void *)5) == 0);
	CHECK(pthread_join(t, &result) == 0 && result == (void *)5);
	CHECK(pthread_join(pthread_self(), NULL) == EDEADLK);
	CHECK(pthread_create(&t, NULL, wait_at_gate, (void *)6) == 0);
	CHECK(pthread_tryjoin_np(t, NULL) == EBUSY);
	CHECK(pthread_timedjoin_np(t, NULL, &when) == ETIMEDOUT);
	when.tv_sec = time(NULL) + 1000000;
	CHECK(sem_post(&gate) == 0);
	CHECK(pthread_clockjoin_np(t, &result, CLOCK_REALTIME, &when) == 0 ||
	      pthread_join(t, &result) == 0);
	CHECK(result == (void *)6);
	CHECK(pthread_create(&t, NULL, leave_deep, NULL) == 0);
	CHECK(pthread_join(t, &result) == 0 && result == (void *)77);
	CHECK(pthread_create(&t, NULL, echo, (void *)8) == 0);
	while (pthread_tryjoin_np(t, &result) == EBUSY)
		sched_yield();
	CHECK(result == (void *)8);
}

static void test_detach(void)
{
	pthread_attr_t attr;
	pthread_t t;
	int state;

	CHECK(pthread_attr_init(&attr) == 0);
	CHECK(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED) == 0);
	CHECK(pthread_attr_getdetachstate(&attr, &state) == 0 && state == PTHREAD_CREATE_DETACHED);
	CHECK(pthread_create(&t, &attr, wait_at, &first_gate) == 0);
	CHECK(pthread_join(t, NULL) == EINVAL);
	CHECK(pthread_detach(t) == EINVAL);
	CHECK(sem_post(&first_gate) == 0);
	CHECK(pthread_attr_destroy(&attr) == 0);
	CHECK(pthread_create(&t, NULL, wait_at, &second_gate) == 0);
	CHECK(pthread_detach(t) == 0);
	CHECK(pthread_detach(t) == EINVAL);
	CHECK(sem_post(&second_gate) == 0);
}

static void test_names(void)
{
	struct sched_param param;
	char name[16];
	int policy;

	CHECK(pthread_setname_np(pthread_self(), "a name that is too long") == ERANGE);
	CHECK(pthread_setname_np(pthread_self(), "weaver") == 0);
	CHECK(pthread_getname_np(pthread_self(), name, 4) == ERANGE);
	CHECK(pthread_getname_np(pthread_self(), name, sizeof(name)) == 0);
	CHECK(strcmp(name, "weaver") == 0);
	CHECK(pthread_getschedparam(pthread_self(), &policy, &param) == 0);
	CHECK(policy == SCHED_OTHER);
	CHECK(pthread_kill(pthread_self(), 0) == 0);
	CHECK(pthread_equal(pthread_self(), pthread_self()));
	CHECK(sched_yield() == 0);
	CHECK(getpid() == gettid());
}

int main(void)
{
	CHECK(sem_init(&gate, 0, 0) == 0);
	CHECK(sem_init(&first_gate, 0, 0) == 0 && sem_init(&second_gate, 0, 0) == 0);
	test_join();
	test_detach();
	test_names();
	SUCCESS();
	return 0;
}
