/* Shared by the parts of machine.h; private to them. */
#ifndef HEDDLE_LEARN_MACHINE_PRIV_H
#define HEDDLE_LEARN_MACHINE_PRIV_H

#include "explore/learn/machine.h"

/* What thread t would read there: memory under its own stores. */
uint64_t machine_load(const struct machine *m, machine_config *c, uint32_t t, uint32_t offset,
		      uint32_t size);
/* What a step that reads would find. */
uint64_t machine_outcome(const struct machine *m, machine_config *c, uint32_t t,
			 const struct learn_step *s);
/*
 * machine_news.c: whether one of the reads that the thread made since its last step ended for no
 * reason would find something else now.
 */
bool machine_news(const struct machine *m, machine_config *c, uint32_t t);
/* How many bytes a LEARN_READ_STRING reads. */
uint32_t machine_string(const struct machine *m, machine_config *c, const struct learn_step *s);
/* machine_do.c: whether the step touches memory that was given back, or misuses an object. */
bool machine_is_misuse(const struct machine *m, machine_config *c, uint32_t t,
		       const struct learn_step *s);
/* ---- machine_sync.c: objects that are not memory ---- */

/* What the rules say to a step that asks for a lock, a token or a once. */
enum rule_answer machine_ask(const struct machine *m, machine_config *c, uint32_t t,
			     const struct learn_step *s);
/* Whether the step does to an object what the program must not do. */
bool machine_misuses(const struct machine *m, machine_config *c, uint32_t t,
		     const struct learn_step *s);
/* Whether the end of a barrier has to wait for threads that are about to leave it. */
bool machine_destroy_waits(const struct machine *m, machine_config *c, const struct learn_step *s);
uint32_t machine_sleepers(const struct machine *m, machine_config *c, uint32_t object);
/* How many threads could be the one that the step wakes. */
uint32_t machine_wake_ways(const struct machine *m, machine_config *c, const struct learn_step *s);
/* The effect of a step on everything but memory and the place of its thread. */
void machine_synchronise(const struct machine *m, machine_config *c, uint32_t t,
			 const struct learn_step *s, uint32_t chosen);
/* The same of an attempt, whose outcome leads to n. */
void machine_attempt(const struct machine *m, machine_config *c, uint32_t t,
		     const struct learn_step *s, const struct learn_node *n);

/* The thread stands at its first step. */
void machine_birth(const struct machine *m, machine_config *c, uint32_t t);

#endif
