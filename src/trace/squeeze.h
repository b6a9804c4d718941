/* Bytes made smaller by zstd, for what goes over a network or into a store. */
#ifndef HEDDLE_TRACE_SQUEEZE_H
#define HEDDLE_TRACE_SQUEEZE_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

/* Appends the n bytes as one zstd frame. */
void trace_squeeze(struct strbuf *to, const void *bytes, size_t n);

/*
 * Appends what one zstd frame holds.  It comes from somebody else: never more than max bytes are
 * made of it, nor a window larger than that kept.  ERR_LIMIT when there is more, ERR_FORMAT when it
 * is damaged, cut short, or something follows it.
 */
int trace_unsqueeze(struct strbuf *to, const void *bytes, size_t n, size_t max, struct err *e);

#endif
