/*
 * The script being loaded is set in one section and used in a later one; another load comes in
 * between.  No race: the atomicity of the pair is violated.
 */
#include "../program.h"

static int request, script, position;
static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *load(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	script = 1;
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&m);
	sum = request;
	pthread_mutex_unlock(&m);
	pass(&m, 5);
	step_back();
	pthread_mutex_lock(&l);
	sum += script;
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&l);
	position++;
	pthread_mutex_unlock(&l);
	return sum < 0 ? arg : NULL;
}

static void *reload(void *arg)
{
	int sum;

	pthread_mutex_lock(&l);
	script = 2;
	pthread_mutex_unlock(&l);
	pthread_mutex_lock(&l);
	sum = script;
	pthread_mutex_unlock(&l);
	pass(&m, 4);
	return sum < 0 ? arg : NULL;
}

int main(void)
{
	pthread_t t[2];

	request = 1;
	pthread_create(&t[0], NULL, load, NULL);
	pthread_create(&t[1], NULL, reload, NULL);
	join_all(t, 2);
	return 0;
}
