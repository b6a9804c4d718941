/* A structure that another thread changes is copied as a whole: what is decided on the copy is recorded. */
#include <pthread.h>
struct pair { long a, b; };
static struct pair shared;
static void *change(void *arg)
{
	shared.a = 1;
	shared.b = 1;
	return arg;
}
static void *look(void *arg)
{
	struct pair mine = shared;
	if (mine.a != mine.b)
		*(int *)arg = 1;
	return arg;
}
int main(void)
{
	pthread_t t[2];
	int torn = 0;
	pthread_create(&t[0], NULL, change, NULL);
	pthread_create(&t[1], NULL, look, &torn);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
