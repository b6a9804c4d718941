/*
 * Store buffers: stores that a thread has issued and that are not in memory yet, oldest first.
 *
 * What may reach memory next is all that differs between the models:
 *   TSO  the oldest store;
 *   PSO  a store that no older one overlaps and that belongs to the epoch of the oldest.  A release
 *        begins a new epoch: everything older reaches memory before anything younger.
 * A thread sees its own stores over memory, byte by byte, the youngest last.
 *
 * Buffers are arrays of structures that begin with a struct rule_store; stride is their size.
 */
#ifndef HEDDLE_WIRE_RULES_STORE_H
#define HEDDLE_WIRE_RULES_STORE_H

#include "wire/ctl.h"
#include "wire/rules.h"

struct rule_store {
	uint64_t at, value;
	uint32_t tix;
	uint16_t size, epoch;
};

static inline const struct rule_store *rule_store_nth(const struct rule_store *all, uint32_t stride,
						      uint32_t n)
{
	return (const struct rule_store *)(const void *)((const char *)all + (uint64_t)stride * n);
}

static inline bool rule_stores_overlap(const struct rule_store *a, const struct rule_store *b)
{
	return a->at < b->at + b->size && b->at < a->at + a->size;
}

/* Whether store n may reach memory now. */
static inline bool rule_store_may_go(const struct rule_store *all, uint32_t stride, uint32_t n,
				     enum wire_model model)
{
	const struct rule_store *s = rule_store_nth(all, stride, n);

	RULE_ASSERT(wire_model_buffers(model) && s->size > 0);
	if (!wire_model_reorders(model))
		return n == 0;
	if (s->epoch != all->epoch)
		return false;
	for (uint32_t i = 0; i < n; i++)
		if (rule_stores_overlap(rule_store_nth(all, stride, i), s))
			return false;
	return true;
}

/* The epoch of what is issued behind a release, when so many stores are still before it. */
static inline uint32_t rule_store_epoch(uint32_t epoch, uint32_t pending)
{
	RULE_ASSERT(epoch < UINT32_MAX);
	return pending ? epoch + 1 : epoch;
}

/* Puts the bytes of a store over what [at, at + size) holds in memory. */
static inline void rule_store_forward(const struct rule_store *s, uint64_t at, void *bytes,
				      uint64_t size)
{
	RULE_ASSERT(s->size <= 8);
	for (uint32_t i = 0; i < s->size; i++)
		if (s->at + i >= at && s->at + i < at + size)
			((unsigned char *)bytes)[s->at + i - at] = (unsigned char)(s->value >> i * 8);
}

#endif
