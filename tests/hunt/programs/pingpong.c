/* One player nulls the ball and makes a new one while others hit it.  hunt: found 21 */
#include <pthread.h>
#include <stdlib.h>

struct ball {
	int hits;
};
static struct ball *ball;
static struct ball balls[2];

static void *renew(void *arg)
{
	ball = NULL;
	ball = &balls[1];
	return arg;
}

static void *hit(void *arg)
{
	for (int i = 0; i < 2; i++)
		ball->hits++;
	return arg;
}

int main(void)
{
	pthread_t t[4];

	ball = &balls[0];
	for (int i = 0; i < 4; i++)
		pthread_create(&t[i], NULL, i == 3 ? renew : hit, NULL);
	for (int i = 0; i < 4; i++)
		pthread_join(t[i], NULL);
	return 0;
}
