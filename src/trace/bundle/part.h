/*
 * One file of a bundle: a sequence of frames (trace/bundle/frame.h), numbered from 0, the last one marked.
 * The file as a whole has a size and a checksum in the MANIFEST.
 */
#ifndef HEDDLE_TRACE_PART_H
#define HEDDLE_TRACE_PART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/bundle/manifest.h"

/* Writing.  The files hold what a program had: they are for nobody else to read (0600). */
struct trace_part_out {
	int fd; /* -1 when closed */
	unsigned part;
	uint32_t number;      /* of the next frame */
	uint64_t bytes, hash; /* of the file so far */
};

int trace_part_create(struct trace_part_out *p, const char *dir, unsigned part, struct err *e);
/* Writes n bytes of contents as one frame, n <= TRACE_FRAME_MAX. */
int trace_part_frame(struct trace_part_out *p, const void *raw, size_t n, bool last, struct err *e);
/* Closes; enters size and checksum in m.  p is closed in any case. */
int trace_part_finish(struct trace_part_out *p, struct trace_manifest *m, struct err *e);
/* Closes without more; fine when closed already. */
void trace_part_discard(struct trace_part_out *p);
/* All of it: contents of any length in as many frames as it takes. */
int trace_part_write(const char *dir, unsigned part, const void *raw, size_t n,
		     struct trace_manifest *m, struct err *e);

/* Reading. */
struct trace_part_in {
	int fd;
	unsigned part;
	uint32_t number;
	uint64_t left; /* bytes of the file not read yet */
	uint64_t hash; /* of what was read */
	uint64_t want; /* checksum by the manifest */
	bool last_seen;
	char *raw; /* contents of the last frame */
	size_t raw_bytes;
};

int trace_part_open(struct trace_part_in *p, const char *dir, unsigned part,
		    const struct trace_manifest *m, struct err *e);
/* The next frame into p->raw.  1, 0 when the file is at its end and whole, or an error. */
int trace_part_next(struct trace_part_in *p, struct err *e);
void trace_part_close(struct trace_part_in *p);
/* All of it, at most what parts.def allows; *out is the caller's to free. */
int trace_part_read(const char *dir, unsigned part, const struct trace_manifest *m, char **out,
		    size_t *bytes, struct err *e);

#endif
