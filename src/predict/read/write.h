/* Writing a trace, or an order of some of its events, as text. */
#ifndef HEDDLE_PREDICT_WRITE_H
#define HEDDLE_PREDICT_WRITE_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "predict/read/read.h"
#include "predict/read/trace.h"

/*
 * The events in the given order (all of them in trace order when order is NULL).  FORMAT_NATIVE
 * keeps everything, labels and the partners of waits included; FORMAT_STD keeps what RAPID reads,
 * with sig and wait as an extension.
 */
void predict_write(const struct predict_trace *t, enum predict_format format, const uint32_t *order,
		   size_t n, struct strbuf *to);

/* One event as in the native form, without its thread. */
void predict_write_event(const struct predict_trace *t, uint32_t e, struct strbuf *to);

#endif
