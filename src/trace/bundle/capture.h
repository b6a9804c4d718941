/*
 * From a control block to a bundle.  The guest (or the program it lives in) may have written
 * anything into the block: every count is clamped to its area and every text is terminated.
 */
#ifndef HEDDLE_TRACE_CAPTURE_H
#define HEDDLE_TRACE_CAPTURE_H

#include "trace/bundle/bundle.h"

/*
 * Copies result, failure, counters, choices, events, threads, notes, job parameters, modules, site
 * table and symbols out of the block of `bytes' mapped bytes into *b, which must be zeroed and is
 * zeroed again after an error.  The caller adds what the block does not know: meta.tool_version,
 * program, argv, environ, cwd, executable (trace_file_id_get()), output.
 *
 * Module files are read, hashed and their sites resolved (trace/bundle/resolve.h); with all_sites false
 * only the sites the bundle mentions are kept.
 */
int trace_capture(struct trace_bundle *b, const struct wire_ctl *ctl, size_t bytes, bool all_sites,
		  struct err *e);

#endif
