/* The socket that a collector listens at. */
#ifndef HEDDLE_COLLECT_LISTEN_H
#define HEDDLE_COLLECT_LISTEN_H

#include <stdbool.h>

#include "base/err.h"
#include "base/strbuf.h"

struct collect_listen {
	int fd;
	bool local;   /* a Unix socket, or an address of this machine only */
	char *remove; /* the path of a Unix socket to be removed at the end, or NULL */
};

/*
 * "ADDR:PORT", "[ADDR6]:PORT", ":PORT" (every address), "unix:PATH", or NULL: the one that the
 * service manager hands over (LISTEN_FDS, sd_listen_fds(3)).  ERR_USAGE, ERR_IO.
 */
int collect_listen_open(struct collect_listen *l, const char *where, struct err *e);
/* Removes a Unix socket that open made; the descriptor is closed by whoever serves it. */
void collect_listen_fini(struct collect_listen *l);
/* "127.0.0.1:8137", for people; a port of 0 was chosen by the kernel. */
void collect_listen_name(const struct collect_listen *l, struct strbuf *to);

/* READY=1 and the like to the service manager; nothing when there is none. */
void collect_listen_notify(const char *state);

#endif
