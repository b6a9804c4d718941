/* Order violation: a thread uses what main sets after creating it. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct conf {
	int port;
	char *host;
};
static struct conf *conf;
static void *serve(void *a)
{
	char buf[64];
	for (volatile int i = 0; i < (int)(long)a; i++)
		;
	snprintf(buf, sizeof buf, "%s:%d", conf->host, conf->port);
	puts(buf);
	return 0;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, serve, (void *)2000L);
	struct conf *c = calloc(1, sizeof *c);
	for (volatile int i = 0; i < 2000; i++)
		;
	c->host = strdup("localhost");
	c->port = 80;
	conf = c;
	pthread_join(t, 0);
	return 0;
}
