/*
 * A schedule that was remembered (wire/memo.h), carried out again: the next operation is its next
 * one, whoever else stands at one.  The turn goes straight from the thread of one operation to that
 * of the next; what an operation does is the wrappers' business, as under every policy.
 *
 * A thread of which the schedule wants an operation while it waits with a limit has come to it: no
 * time passes.  An operation that is another than was remembered, a thread that cannot come, or one
 * that does not for too long ends the reuse: round robin goes on from there.
 */
#ifndef HEDDLE_RT_STABLE_REPLAY_H
#define HEDDLE_RT_STABLE_REPLAY_H

/* Behind policy_choose(): puts the schedule of the settings in force, if there is one. */
void replay_init(void);
/* In the child of a fork: round robin; the parent goes on. */
void replay_fork_child(void);

#endif
