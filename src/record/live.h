/*
 * The two files of a recording under way (wire/record.h), from the host's side.  They lie in a
 * directory "NAME.rec.live-XXXXXX" beside the recording they become.
 */
#ifndef HEDDLE_RECORD_LIVE_H
#define HEDDLE_RECORD_LIVE_H

#include "base/err.h"
#include "trace/bundle/recording.h"

struct record_live {
	char *dir;
	struct record_ctl *ctl; /* mapped */
	size_t bytes;
	size_t data_bytes; /* of the data file, known when it is read */
};

struct record_live_opts {
	uint32_t backend, flags;
	uint64_t ring;
};

/* Makes the directory and the files, with room for the control block; ERR_IO says what is wrong. */
int record_live_new(struct record_live *l, const char *target, const struct record_live_opts *o,
		    struct err *e);
/* Maps what a run left; for a directory that exists. */
int record_live_open(struct record_live *l, const char *dir, struct err *e);
/* Unmaps; removes the directory when that is wanted. */
void record_live_close(struct record_live *l, bool remove);

/*
 * Copies everything out of the files into *r, which must be zeroed.  Nothing in them is trusted.
 * The caller adds what they do not know: meta, status, place.
 */
int record_live_read(const struct record_live *l, struct trace_recording *r, struct err *e);

#endif
