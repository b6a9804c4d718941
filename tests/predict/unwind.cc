// A function left by an exception is not on the stack of what its catcher does.
#include <pthread.h>

static int x;

static void thrower(int n)
{
	if (n == 0)
		throw 1;
	thrower(n - 1);
}

static void *catcher(void *arg)
{
	try {
		thrower(2);
	} catch (int) {
		x++;
	}
	return arg;
}

int main()
{
	pthread_t t;

	pthread_create(&t, nullptr, catcher, nullptr);
	catcher(nullptr);
	pthread_join(t, nullptr);
}
