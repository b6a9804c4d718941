/*
 * What characters and numbers look like changes under the feet of all threads.
 *
 * expect: 4
 * match: setlocale
 */
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static void *changer(void *arg)
{
	setlocale(LC_ALL, "C");
	return arg;
}

int main(void)
{
	pthread_t t;
	char text[16];

	pthread_create(&t, NULL, changer, NULL);
	snprintf(text, sizeof(text), "%.1f", 1.5);
	pthread_join(t, NULL);
	return 0;
}
