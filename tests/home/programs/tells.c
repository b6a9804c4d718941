/* Tells everybody what is in its environment, shares it between threads, and fails. */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char shared[256];
static int ready;

static void *teller(void *arg)
{
	const char *secret = getenv("MY_API_TOKEN");

	snprintf(shared, sizeof(shared), "%s", secret ? secret : "none");
	ready++;
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t a, b;
	const char *mode = getenv("TELLER_MODE");
#ifdef READ_ALL
	char line[4096];
	FILE *f = fopen("/proc/self/environ", "r");

	if (!f || fread(line, 1, sizeof(line) - 1, f) == 0)
		return 2;
#endif
	pthread_create(&a, NULL, teller, NULL);
	pthread_create(&b, NULL, teller, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	printf("%s %s %s\n", shared, mode ? mode : "no mode", argc > 1 ? argv[1] : "");
	fflush(stdout);
	assert(ready == 2 && !(argc > 2));
	return 0;
}
