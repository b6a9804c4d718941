/*
 * A timer thread that waits in time; everything is protected or handed over.
 */
#include "../program.h"

static int armed, due;
static struct object d = OBJECT_INIT; /* its lock protects e too */
static int e;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;

static void *timer(void *arg)
{
	pass(&d.lock, 1);
	pthread_mutex_lock(&l);
	armed = 1;
	if (armed)
		pthread_cond_wait(&c, &l);
	armed = due - 1;
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&d.lock);
	d.data = 1;
	if (!d.data)
		arg = NULL;
	pthread_mutex_unlock(&d.lock);
	pthread_mutex_lock(&d.lock);
	e = 1;
	if (!e)
		arg = NULL;
	pthread_mutex_unlock(&d.lock);
	pass(&d.lock, 3);
	return arg;
}

int main(void)
{
	pthread_t t[1];

	pthread_create(&t[0], NULL, timer, NULL);
	step_back();
	pthread_mutex_lock(&l);
	due = 1;
	if (armed)
		pthread_cond_signal(&c);
	pthread_mutex_unlock(&l);
	pass(&d.lock, 6);
	join_all(t, 1);
	return 0;
}
