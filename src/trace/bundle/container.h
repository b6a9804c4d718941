/*
 * A directory of parts under construction: a bundle or a recording.  Until trace_container_commit()
 * everything is in a temporary directory beside the target ("NAME.incomplete-XXXXXX"); a crash
 * leaves that, and it has no MANIFEST.
 */
#ifndef HEDDLE_TRACE_CONTAINER_H
#define HEDDLE_TRACE_CONTAINER_H

#include "base/strbuf.h"
#include "trace/bundle/manifest.h"

struct trace_container {
	char *dir;	 /* where it will be */
	char *temporary; /* where it is now */
	struct trace_manifest manifest;
};

/* ERR_EXISTS when dir is there already, ERR_IO when its parent cannot be written. */
int trace_container_open(struct trace_container *c, const char *dir, enum trace_kind kind,
			 struct err *e);
int trace_container_part(struct trace_container *c, unsigned part, const struct strbuf *raw,
			 struct err *e);
/* Writes the MANIFEST and puts the directory in its place. */
int trace_container_commit(struct trace_container *c, struct err *e);
/* Removes what is still temporary and frees the rest; also needed after a commit. */
void trace_container_abort(struct trace_container *c);

#endif
