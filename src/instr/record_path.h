/*
 * The flavour `paths': a unit whose threads leave numbers of paths (ir/paths.h) instead of bits.  Per
 * function a local has the sum so far; where a path ends it goes as one word into the stream, and
 * what it means stands in a table of the unit (wire/record_paths.h).  Private to
 * instr.
 *
 * A path that was under way when the program ended is lost: this is the baseline that `bits' is
 * compared with.
 */
#ifndef HEDDLE_INSTR_RECORD_PATH_H
#define HEDDLE_INSTR_RECORD_PATH_H

#include "base/strbuf.h"
#include "instr/record.h"

/* As record_points(); the table is appended to *out. */
void record_paths(struct unit *u, struct record_choice *c, struct strbuf *out);

#endif
