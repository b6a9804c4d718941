/* A log as it goes to a collector: what is in it, its name there, and the bytes. */
#ifndef HEDDLE_COOP_UPLOAD_H
#define HEDDLE_COOP_UPLOAD_H

#include "base/sha256.h"
#include "coop/log.h"

struct coop_upload {
	struct coop_log log;
	char hash[SHA256_TEXT];
	struct strbuf plain, body; /* the log, and the same compressed */
};

/*
 * Reads a log and encodes it anew: what goes out is what this heddle knows the meaning of, and
 * nothing else.  *u must be zeroed and is so after an error.
 */
int coop_upload_read(struct coop_upload *u, const char *path, struct err *e);
void coop_upload_fini(struct coop_upload *u);

/* For people: everything that would be sent, and nothing that would not. */
void coop_upload_text(const struct coop_upload *u, const char *url, struct strbuf *to);

/* Is it among those of passing runs that are sent?  The same answer every time. */
bool coop_upload_sampled(const struct coop_upload *u, unsigned percent);

#endif
