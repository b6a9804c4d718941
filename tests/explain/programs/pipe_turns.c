/* Two threads write two letters each to one pipe; they come out mixed. */
#include <assert.h>
#include <pthread.h>
#include <unistd.h>

static int ends[2];

static void *writer(void *arg)
{
	for (int i = 0; i < 2; i++)
		if (write(ends[1], arg, 1) != 1)
			return NULL;
	return arg;
}

int main(void)
{
	static char letters[] = "ab", got[4];
	pthread_t a, b;

	if (pipe(ends) != 0)
		return 0;
	pthread_create(&a, NULL, writer, &letters[0]);
	pthread_create(&b, NULL, writer, &letters[1]);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	if (read(ends[0], got, 4) != 4)
		return 0;
	assert(got[0] == got[1]);
	return 0;
}
