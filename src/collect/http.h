/* A collector at its socket: HTTP/1.1. */
#ifndef HEDDLE_COLLECT_HTTP_H
#define HEDDLE_COLLECT_HTTP_H

#include "collect/service.h"

struct collect_http_opts {
	unsigned threads;
	unsigned connections, connections_per_client;
	unsigned timeout; /* seconds a request may take to come */
};

struct collect_http;

/* Serves fd, which it owns from now on.  s is borrowed. */
int collect_http_new(struct collect_http **out, struct collect_service *s, int fd,
		     const struct collect_http_opts *o, struct err *e);
/* Takes no more, answers what is under way, ends. */
void collect_http_free(struct collect_http *h);

#endif
