/*
 * How often a client may ask: a bucket per client that fills with time, each request takes one out.
 * The table has a fixed size; who was not heard of for long makes room for others.
 */
#ifndef HEDDLE_COLLECT_RATE_H
#define HEDDLE_COLLECT_RATE_H

#include <pthread.h>
#include <stdint.h>

#define COLLECT_RATE_CLIENTS 4096

struct collect_rate_row {
	uint64_t client;  /* 0: free */
	uint64_t full_ns; /* when its bucket is full again */
};

struct collect_rate {
	pthread_mutex_t lock;
	uint64_t per_second, burst; /* 0: no limit */
	struct collect_rate_row rows[COLLECT_RATE_CLIENTS];
};

/* *r must be zeroed. */
void collect_rate_init(struct collect_rate *r, uint64_t per_second, uint64_t burst);
void collect_rate_fini(struct collect_rate *r);

/* 0: go on; otherwise so many seconds until it may ask again. */
unsigned collect_rate_take(struct collect_rate *r, uint64_t client, uint64_t now_ns);

#endif
