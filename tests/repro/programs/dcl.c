/* Double-checked initialisation, two objects made. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct single {
	int a, b;
};
static struct single *instance;
static int made;
static struct single *get(void)
{
	if (!instance) {
		struct single *s = malloc(sizeof *s);
		s->a = 1;
		s->b = 2;
		instance = s;
		__atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
	}
	return instance;
}
static void *use(void *a)
{
	struct single *s = get();
	assert(s->a + 1 == s->b);
	return 0;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], 0, use, 0);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], 0);
	assert(made == 1);
	return 0;
}
