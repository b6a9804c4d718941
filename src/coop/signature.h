/*
 * What failed, in one line: "assert | 6 | queue.c | 31 | push | n < SIZE".  Two runs with the same
 * line failed in the same way, as far as a user can see; of a deadlock the last field says how many
 * threads waited for what.  Only the names that stand in the program are in it, no values and no
 * paths.
 */
#ifndef HEDDLE_COOP_SIGNATURE_H
#define HEDDLE_COOP_SIGNATURE_H

#include "base/strbuf.h"
#include "trace/bundle/recording.h"

void coop_signature_make(const struct trace_recording *r, struct strbuf *to);

/*
 * Failure, place and waiting threads of a recording with that line, for whoever compares failures
 * with those of recordings.  *r must be TRACE_RECORDING_INIT.  ERR_FORMAT.
 */
int coop_signature_parse(const char *line, struct trace_recording *r, struct err *e);

/* For people: "assertion n < SIZE at queue.c:31 in push".  What is no such line is given as it is. */
void coop_signature_say(const char *line, struct strbuf *to);

#endif
