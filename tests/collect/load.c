/*
 * Clients of a collector: load PORT CLIENTS LOGS SEED [ACKNOWLEDGED [ELEMENTS]].
 *
 * Each uploads logs of its own over one connection.  The hash of what was acknowledged is written
 * to the file after the answer came, so that whoever kills the collector knows what has to be
 * there. SEED "health" asks for /health instead.  Prints how many answers, seconds, answers a
 * second.
 */
#include <arpa/inet.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/sha256.h"
#include "coop/log.h"
#include "trace/squeeze.h"

static int port, health;
static uint32_t elements = 40;
static uint64_t seed;
static long logs;
static atomic_long next, answered, refused;
static FILE *acknowledged;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int dial(void)
{
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd >= 0 && connect(fd, (struct sockaddr *)&a, sizeof(a)) == 0)
		return fd;
	if (fd >= 0)
		close(fd);
	return -1;
}

/* One run of a program with two threads; the order of a few elements differs from log to log. */
static void make(uint64_t id, struct strbuf *plain)
{
	struct coop_log l = {.flavour = COOP_ORDER, .run_id = id, .outcome = COOP_CRASH};
	uint64_t x = id * 2654435761u + 1;

	l.elements = elements;
	l.signature = xstrdup("assertion | 6 | load.c | 1 | main | x");
	coop_log_thread(&l, "0:1");
	coop_log_thread(&l, "0:2");
	for (uint32_t e = (uint32_t)(id % 4); e < l.elements; e += 4) {
		struct coop_vector *v = coop_log_add(&l, e);

		for (int i = 0; i < 30; i++, x = x * 6364136223846793005u + 1442695040888963407u)
			coop_vector_push(v, (uint32_t)(x >> 40) & 1, 1 + (x >> 50 & 7));
		coop_vector_seal(&l, v);
	}
	coop_log_encode(&l, plain);
	coop_log_fini(&l);
}

/* The status, -1 when the connection is gone. */
static int receive(int fd)
{
	char in[4096];
	size_t have = 0;

	for (;;) {
		ssize_t n = read(fd, in + have, sizeof(in) - 1 - have);
		char *end, *length;

		if (n <= 0)
			return -1;
		have += (size_t)n;
		in[have] = '\0';
		end = strstr(in, "\r\n\r\n");
		length = strcasestr(in, "\r\nContent-Length:");
		if (end && length &&
		    have >= (size_t)(end + 4 - in) + strtoul(length + 17, NULL, 10))
			return atoi(in + 9);
	}
}

static int put(int fd, uint64_t id, char hash[SHA256_TEXT])
{
	struct strbuf plain = STRBUF_INIT, all = STRBUF_INIT, body = STRBUF_INIT;
	uint8_t sum[SHA256_BYTES];
	ssize_t n;

	make(id, &plain);
	sha256(plain.text, plain.length, sum);
	sha256_text(sum, hash);
	trace_squeeze(&body, plain.text, plain.length);
	strbuf_addf(&all,
		    "PUT /logs/%s HTTP/1.1\r\nHost: x\r\nContent-Encoding: zstd\r\n"
		    "Content-Length: %zu\r\n\r\n",
		    hash, body.length);
	strbuf_add_bytes(&all, body.text, body.length);
	n = send(fd, all.text, all.length, MSG_NOSIGNAL);
	n = n == (ssize_t)all.length ? receive(fd) : -1;
	strbuf_free(&plain);
	strbuf_free(&body);
	strbuf_free(&all);
	return (int)n;
}

static int ask_health(int fd)
{
	static const char text[] = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";

	return send(fd, text, strlen(text), MSG_NOSIGNAL) < 0 ? -1 : receive(fd);
}

static void *client(void *arg)
{
	int fd = dial();
	char hash[SHA256_TEXT] = "";
	long i;

	while (fd >= 0 && (i = next++) < logs) {
		int status = health ? ask_health(fd) : put(fd, seed + (uint64_t)i, hash);

		if (status < 0)
			break;
		answered += status == 200 || status == 201;
		refused += status != 200 && status != 201;
		if (acknowledged && status <= 201) {
			pthread_mutex_lock(&lock);
			fprintf(acknowledged, "%s\n", hash);
			fflush(acknowledged);
			pthread_mutex_unlock(&lock);
		}
	}
	if (fd >= 0)
		close(fd);
	return arg;
}

int main(int argc, char **argv)
{
	pthread_t threads[1000];
	int clients;
	double begin, took;

	if (argc < 5)
		return 2;
	port = atoi(argv[1]);
	clients = atoi(argv[2]);
	logs = atol(argv[3]);
	health = !strcmp(argv[4], "health");
	seed = strtoull(argv[4], NULL, 10);
	acknowledged = argc > 5 && *argv[5] ? fopen(argv[5], "a") : NULL;
	elements = argc > 6 ? (uint32_t)atoi(argv[6]) : elements;
	begin = clock_now();
	for (int i = 0; i < clients && i < 1000; i++)
		pthread_create(&threads[i], NULL, client, NULL);
	for (int i = 0; i < clients && i < 1000; i++)
		pthread_join(threads[i], NULL);
	took = clock_now() - begin;
	printf("%ld %.3f %.0f\n", answered, took, took > 0 ? (double)answered / took : 0);
	return refused || answered < logs;
}
