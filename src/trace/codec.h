/*
 * Numbers and strings in the files of a bundle: little-endian whatever the machine, strings as a
 * 32-bit length and the bytes.
 *
 * Reading is done with a cursor whose first failure sticks: after it every get returns 0 or NULL,
 * so a decoder checks once at the end (and before it allocates by a count, see trace_get_count()).
 */
#ifndef HEDDLE_TRACE_CODEC_H
#define HEDDLE_TRACE_CODEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

void trace_put_u8(struct strbuf *b, uint8_t value);
void trace_put_u16(struct strbuf *b, uint16_t value);
void trace_put_u32(struct strbuf *b, uint32_t value);
void trace_put_u64(struct strbuf *b, uint64_t value);
void trace_put_string(struct strbuf *b, const char *text); /* NULL as "" */

struct trace_get {
	const uint8_t *at, *end;
	bool bad;
};

void trace_get_init(struct trace_get *g, const void *bytes, size_t n);
uint8_t trace_get_u8(struct trace_get *g);
uint16_t trace_get_u16(struct trace_get *g);
uint32_t trace_get_u32(struct trace_get *g);
uint64_t trace_get_u64(struct trace_get *g);

/* n bytes inside the input, NULL when there are fewer. */
const void *trace_get_bytes(struct trace_get *g, uint64_t n);

/* A new string, to be freed; NULL on failure.  A NUL inside is a failure. */
char *trace_get_string(struct trace_get *g);

/* A string into a fixed field of n bytes, zero-filled; too long is a failure. */
void trace_get_text(struct trace_get *g, char *to, size_t n);

/*
 * A 32-bit count of items of at least item_bytes each; fails when the rest of the input cannot hold
 * that many.  So what is allocated by the count is bounded by the size of the input.
 */
uint32_t trace_get_count(struct trace_get *g, size_t item_bytes);

/* Everything was there, and nothing is left over. */
bool trace_get_finished(const struct trace_get *g);

/* The same on plain memory, for records of fixed size. */
uint16_t trace_load_u16(const uint8_t *p);
uint32_t trace_load_u32(const uint8_t *p);
uint64_t trace_load_u64(const uint8_t *p);

#endif
