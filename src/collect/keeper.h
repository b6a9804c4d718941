/*
 * The process between the collector and a worker: whatever the worker starts, in whatever session,
 * is its descendant and ends before it does.
 */
#ifndef HEDDLE_COLLECT_KEEPER_H
#define HEDDLE_COLLECT_KEEPER_H

#include <sys/types.h>

/*
 * After a fork, before the worker is started: descendants that lose their parent become this
 * process's, and SIGTERM, which the end of the parent sends too, waits for collect_keeper_keep().
 * 0, or -1.
 */
int collect_keeper_begin(pid_t parent);

/*
 * Waits for the worker, or for SIGTERM; then ends everything that is left and exits as the worker
 * did (128 + n for a signal, 128 + SIGTERM when it was told to end).
 */
void collect_keeper_keep(pid_t worker) __attribute__((noreturn));

#endif
