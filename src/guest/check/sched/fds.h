/*
 * Descriptors of the model (wire/fds.h) in the running program: the world of this run, and the step
 * that performs a call on it.
 *
 * Nothing of it is in the kernel, so the reset engine can undo it.  Each modelled number is held in
 * the kernel by a placeholder on which every call fails, so that the kernel gives it to nobody else
 * and code that goes around the interposed functions is noticed and not misled.
 *
 * The world can be given up (hook/fd_release.h): then every object becomes one of the kernel's,
 * with its contents, and nothing is modelled in this run any more.
 */
#ifndef HEDDLE_RT_SCHED_FDS_H
#define HEDDLE_RT_SCHED_FDS_H

#include "guest/check/sched/core.h"
#include "wire/fds.h"

struct fds_request {
	struct fds_call call;
	const unsigned char *payload;
};

/* Where threads that wait for descriptors of the model stand. */
#define FDS_ADDRESS UINT64_C(0x200000000000)

extern struct fds_world fds_world;

/* The run begins. */
void fds_run_begin(void);

/* Whether calls on this number are the model's: it is modelled, or it is not open at all. */
bool fds_covers(int fd);
/* Whether it is modelled now. */
bool fds_modelled(int fd);
/* Whether the model has a part in closing it: also numbers of the kernel that it gives out again.
 */
bool fds_knows(int fd);
/* Whether anything is modelled now; whether anything more may be. */
bool fds_any(void);
bool fds_open_to_more(void);
bool fds_is_nonblocking(int fd);
bool fds_is_epoll(int fd);

/*
 * Performs the call as a step of the current thread: waits until it does not block, or until
 * timeout_ns (negative: none) of virtual time is over, which gives the result FDS_BLOCKS.  The
 * answer's bytes lie in the runtime until the next step.  A cancellation point.
 */
void fds_step(struct fds_request *r, uint32_t site, int64_t timeout_ns, struct fds_answer *a);
/* The same at once and unrecorded, for code outside control (handlers). */
void fds_at_once(struct fds_request *r, struct fds_answer *a);

/* The call of a thread that stands at an operation of kind EVENT_FD, behind its PENDING event. */
void fds_record_pending(const struct rt_op *op, uint32_t tid, uint32_t tix);

/* Everything has become real (hook/fd_release.h): calls on descriptors find nothing here any more.
 */
void fds_given_up(void);

#endif
