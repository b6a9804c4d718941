/*
 * What the text readers share: operations by word, names to numbers, and the matching of signals
 * with waits that a text form leaves implicit.
 *
 *   sig / wait       a wait was released by the last signal before it, or by the named ones
 *   post / take      in order; a take without a post to match used an initial token
 *   arrive / leave   a leave was released by every arrival of its thread's generation
 */
#ifndef HEDDLE_PREDICT_FEED_H
#define HEDDLE_PREDICT_FEED_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "predict/read/trace.h"

struct predict_text {
	const char *at;
	size_t bytes;
};

struct predict_item {
	struct predict_text thread, op, arg, site, label;
	uint32_t line;
	uint8_t flags; /* PREDICT_GLUED, PREDICT_PART */
};

struct predict_feed;

struct predict_feed *predict_feed_new(struct predict_trace *t);
void predict_feed_free(struct predict_feed *f);

/* Adds one event; ERR_FORMAT with the line for an unknown word or a missing operand. */
int predict_feed_event(struct predict_feed *f, const struct predict_item *item, uint32_t *event,
		       struct err *e);
/* The wait just added was released by this labelled signal (instead of the last one). */
int predict_feed_released_by(struct predict_feed *f, uint32_t wait, struct predict_text label,
			     struct err *e);
/* Quotes at most 60 printable bytes of a text into a static-size buffer, for messages. */
const char *predict_text_quote(struct predict_text text, char buffer[64]);

#endif
