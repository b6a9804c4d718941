/*
 * Logs that could not be sent yet, in the state directory of the user: a directory per collector,
 * a file per log, named by its hash.
 */
#ifndef HEDDLE_COOP_SPOOL_H
#define HEDDLE_COOP_SPOOL_H

#include "coop/upload.h"

struct coop_spool {
	char *dir;
	uint64_t bytes;	   /* of the logs in it */
	VEC(char *) files; /* paths, by name; those that were there when it was opened */
};

/* $XDG_STATE_HOME/heddle/spool/..., or ~/.local/state/...; absent is empty.  *s must be zeroed. */
int coop_spool_open(struct coop_spool *s, const char *url, struct err *e);
void coop_spool_fini(struct coop_spool *s);

/* *fresh: it was not in it before.  ERR_LIMIT: there would be more than max bytes in it. */
int coop_spool_add(struct coop_spool *s, const struct coop_upload *u, uint64_t max, bool *fresh,
		   struct err *e);

#endif
