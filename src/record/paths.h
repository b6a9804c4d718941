/*
 * Numbers of paths (backend `paths', wire/record_paths.h) are translated into the bits that a program whose
 * every point is recorded would have left, so that whoever reads a recording need not know of them.
 */
#ifndef HEDDLE_RECORD_PATHS_H
#define HEDDLE_RECORD_PATHS_H

#include "trace/bundle/recording.h"
#include "trace/elf/elf.h"
#include "wire/record_paths.h"

struct record_path_unit {
	uint32_t unit, start_count, row_count;
	struct record_path_start *starts; /* by base */
	struct record_path_row *rows;	  /* by point */
};

struct record_path_tables {
	VEC_FIELDS(struct record_path_unit);
};

/* Adds the tables of a binary; none is no error.  ERR_FORMAT: damaged. */
int record_paths_read(struct record_path_tables *t, const struct trace_elf *elf, struct err *e);
/* The same of the bytes of a section. */
int record_paths_parse(struct record_path_tables *t, const char *bytes, size_t n, struct err *e);
void record_paths_free(struct record_path_tables *t);

/*
 * The streams of r, and all places in them.  What follows an entry that means nothing is left out, and
 * a note says so.
 */
void record_paths_translate(const struct record_path_tables *t, struct trace_recording *r);

#endif
