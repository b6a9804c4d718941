/* A server with blocking sockets: a thread per client, a shared table, clients in the same process.
 */
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include "bench.h"

static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static uint64_t table[256];
static int pairs[64][2], requests;

static void *serve(void *argument)
{
	int fd = pairs[(intptr_t)argument][0];
	uint64_t key;
	while (read(fd, &key, sizeof(key)) == sizeof(key)) {
		uint64_t value = bench_work(key, 20000);
		pthread_mutex_lock(&mu);
		table[key % 256] ^= value;
		pthread_mutex_unlock(&mu);
		if (write(fd, &value, sizeof(value)) != sizeof(value))
			break;
	}
	return NULL;
}

static void *ask(void *argument)
{
	int fd = pairs[(intptr_t)argument][1];
	uint64_t answer, key = (uint64_t)(intptr_t)argument;
	for (int i = 0; i < requests; i++) {
		key = bench_work(key + 1, 1000);
		if (write(fd, &key, sizeof(key)) != sizeof(key) ||
		    read(fd, &answer, sizeof(answer)) != sizeof(answer))
			exit(4);
	}
	shutdown(fd, SHUT_RDWR);
	return NULL;
}

int main(int argc, char **argv)
{
	int clients = bench_arg(argc, argv, 1, 2);
	pthread_t s[64], c[64];
	uint64_t sum = 0;
	requests = bench_arg(argc, argv, 2, 10000);
	for (intptr_t i = 0; i < clients; i++) {
		if (socketpair(AF_UNIX, SOCK_STREAM, 0, pairs[i]) != 0)
			return 3;
		bench_spawn(&s[i], serve, i);
		bench_spawn(&c[i], ask, i);
	}
	for (int i = 0; i < clients; i++) {
		pthread_join(c[i], NULL);
		pthread_join(s[i], NULL);
	}
	for (int i = 0; i < 256; i++)
		sum ^= table[i];
	printf("%016llx\n", (unsigned long long)sum);
	return 0;
}
