/*
 * The host's end of the control block (wire/ctl.h): makes the memory file, maps it, lays out the
 * areas and does the hand-shake.
 *
 * The guest can write anything into the block, so the layout is kept here as well and nothing but
 * this copy is used to find an area; counts that come out are cut down to what the area holds.
 */
#ifndef HEDDLE_RUN_CTL_H
#define HEDDLE_RUN_CTL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "wire/ctl.h"

struct run_ctl_sizes {
	uint64_t choices; /* entries of the two schedule areas */
	uint64_t events;  /* entries */
	uint64_t scratch; /* bytes */
	uint64_t inputs;  /* bytes */
};

/* Pages are only used when touched, so the default is generous. */
#define RUN_CTL_SIZES_DEFAULT                                                                      \
	{                                                                                          \
		8u << 20, 8u << 20, UINT64_C(64) << 20, 0                                          \
	}

struct run_ctl {
	int fd;
	struct wire_ctl *block;
	size_t bytes;
	struct wire_area follow, choices, events, scratch, inputs;
	char trust[WIRE_TRUST_BYTES];
};

/* Makes the block in state STARTING.  On failure *c holds nothing. */
int run_ctl_open(struct run_ctl *c, const struct run_ctl_sizes *sizes, struct err *e);
/* Unmaps and closes; fine on a block that never opened when it was set to RUN_CTL_INIT. */
void run_ctl_close(struct run_ctl *c);
#define RUN_CTL_INIT                                                                               \
	{                                                                                          \
		.fd = -1                                                                           \
	}

/* What comes from outside (wire/feed.h), for all processes; n fits. */
void run_ctl_feed(struct run_ctl *c, const void *bytes, size_t n);

/* Functions outside that the user vouches for, separated by commas; for this and later processes. */
int run_ctl_trust(struct run_ctl *c, const char *names, struct err *e);

/* Back to STARTING for a new process; results and tables are cleared. */
void run_ctl_rewind(struct run_ctl *c);

/* Puts a job and its schedule into the block.  Fails when the schedule is larger than its area. */
int run_ctl_set_job(struct run_ctl *c, const struct wire_job *job, const struct wire_choice *follow,
		    struct err *e);

uint32_t run_ctl_state(const struct run_ctl *c);
/* Changes the state and wakes the other side. */
void run_ctl_set_state(struct run_ctl *c, enum wire_state state);
/* Sleeps while the state is `seen', at most timeout_ns. */
void run_ctl_wait(struct run_ctl *c, uint32_t seen, uint64_t timeout_ns);
uint64_t run_ctl_heartbeat(const struct run_ctl *c);

/* Puts the path of the executable into its module, which the guest leaves unnamed. */
void run_ctl_name_executable(const struct run_ctl *c, const char *path);

/* The schedule and the events of the last run: borrowed, valid until the next job. */
const struct wire_choice *run_ctl_choices(const struct run_ctl *c, size_t *count);
const struct wire_event *run_ctl_events(const struct run_ctl *c, size_t *count);

#endif
