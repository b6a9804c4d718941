/*
 * The files that a recorded program read, kept in its recording as inputs of their own
 * (RECORD_IN_FILE): it can be reproduced when they are gone or are others.
 *
 * A file is kept when it was opened only to be read, always under a name that led to it, and has
 * not changed since the run began; standard input when it is a file.  No more than
 * RECORD_FILES_LIMIT bytes of all of them: what is larger, or changed meanwhile, comes from outside
 * when the run is reproduced, and a note of the recording says so.
 */
#ifndef HEDDLE_RECORD_FILES_H
#define HEDDLE_RECORD_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "trace/bundle/recording.h"

#define RECORD_FILES_LIMIT (64u << 20)

struct record_files {
	bool has_input;	       /* standard input is a file … */
	int64_t input_at;      /* … of which this much was read before */
	struct timespec began; /* of the file system's clock */
};

/* Before the program is started. */
void record_files_begin(struct record_files *f);

/* After it ended: the files of the opens in `r', which it adds to. */
void record_files_keep(const struct record_files *f, struct trace_recording *r);

#endif
