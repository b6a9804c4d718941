/*
 * Which accesses of an execution are about memory that threads share.
 *
 * A byte is shared when two threads access it and one of them writes it after the first thread was
 * created; what main prepares alone before that is not sharing.  Two accesses of different threads
 * to the same shared byte conflict directly when one of them writes and no third write of the byte
 * lies between them.
 */
#ifndef HEDDLE_REPORT_SHARING_H
#define HEDDLE_REPORT_SHARING_H

#include <stdint.h>

#include "trace/bundle/bundle.h"

enum report_sharing_mark {
	SHARING_SHARED = 1,   /* touches a shared byte */
	SHARING_CONFLICT = 2, /* conflicts directly with an access of another thread */
};

/* marks has one zeroed entry per event of b. */
void report_sharing(const struct trace_bundle *b, uint8_t *marks);

bool report_sharing_is_access(const struct wire_event *v);
bool report_sharing_is_write(const struct wire_event *v);

#endif
