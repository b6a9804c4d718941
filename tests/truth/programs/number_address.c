/*
 * An address of the older family has four bytes; nothing behind them is touched.
 *
 * expect: 0
 */
#include <arpa/inet.h>
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static void *converter(void *arg)
{
	struct in_addr *a = malloc(sizeof(*a));
	char text[INET_ADDRSTRLEN];

	assert(inet_pton(AF_INET, "1.2.3.4", a) == 1);
	assert(inet_ntop(AF_INET, a, text, sizeof(text)) && !strcmp(text, "1.2.3.4"));
	free(a);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, converter, NULL);
	converter(NULL);
	pthread_join(t, NULL);
	return 0;
}
