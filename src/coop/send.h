/* The way to a collector: HTTP by libcurl, which is loaded when it is needed. */
#ifndef HEDDLE_COOP_SEND_H
#define HEDDLE_COOP_SEND_H

#include <stdint.h>

#include "base/err.h"
#include "coop/upload.h"

enum coop_sent {
	COOP_SENT,    /* stored */
	COOP_KNOWN,   /* it was there */
	COOP_ENOUGH,  /* the collector keeps no more like it */
	COOP_REFUSED, /* for good */
	COOP_DENIED,  /* the token is not the right one */
	COOP_LATER,   /* not now: no answer, too much at a time */
};

struct coop_send_opts {
	const char *url;   /* http://, https:// or unix:PATH */
	const char *token; /* NULL: none */
	uint64_t rate;	   /* bytes a second; 0: no limit */
};

struct coop_send;

/* ERR_USAGE: no such URL; ERR_TOOL: libcurl is not there. */
int coop_send_new(struct coop_send **out, const struct coop_send_opts *o, struct err *e);
void coop_send_free(struct coop_send *s);

/*
 * Asks whether the collector has it and sends it when not.  *why says in words what is wrong (not
 * for SENT and KNOWN), *wait after how many seconds it may be tried again (0: not said).
 */
enum coop_sent coop_send(struct coop_send *s, const struct coop_upload *u, unsigned *wait,
			 struct err *why);

#endif
