/*
 * The watchdog: notices that a guest makes no progress, and names what it hangs in.
 *
 * Progress is the heartbeat of the control block, raised at every scheduling step.  A guest whose
 * heartbeat stands still for longer than the limit is in a blocking system call, in a wait heddle
 * does not model, or in a long computation without visible operations.  What it is is read from
 * /proc before the guest is killed.
 */
#ifndef HEDDLE_RUN_WATCH_H
#define HEDDLE_RUN_WATCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/strbuf.h"
#include "run/guest/ctl.h"

struct run_watch {
	uint64_t limit_ns; /* 0: never */
	uint64_t heartbeat, since_ns;
	uint32_t state;
};

void run_watch_begin(struct run_watch *w, const struct run_ctl *c, uint64_t limit_ns);
/* Looks at the heartbeat; true when it has not moved for the limit. */
bool run_watch_expired(struct run_watch *w, const struct run_ctl *c);

/* "thread 12 of prog is blocked in read(0: /dev/pts/1)", for root and all its descendants. */
void run_watch_describe(pid_t root, struct strbuf *to);

/* Kills root, its descendants and, when it leads one, its process group; reaps root. */
void run_watch_kill(pid_t root, bool own_group, int *status);

#endif
