/*
 * Memory as the threads of the program see it, under the job's memory model: the one place where
 * program memory is read and written on its behalf.
 */
#ifndef HEDDLE_RT_SCHED_MEMORY_H
#define HEDDLE_RT_SCHED_MEMORY_H

#include "guest/check/sched/thread.h"

/* What thread t reads at addr now; size 1, 2, 4 or 8; zero-extended. */
uint64_t memory_load(const struct rt_thread *t, uint64_t addr, uint32_t size);
/* Writes memory at once, logging nothing; keeps the old bytes for the reset engine. */
void memory_store(uint64_t addr, uint64_t value, uint32_t size);
/* After memory changed: parked spinners look again. */
void memory_changed(void);
struct buffer_entry;
/* A store of the running thread enters its buffer (TSO, PSO). */
void memory_issue(struct rt_thread *t, struct buffer_entry *entry);
/* The choice-th committable store of t reaches memory: WRITE event, spinners look again. */
void memory_commit(struct rt_thread *t, uint32_t choice);

#endif
