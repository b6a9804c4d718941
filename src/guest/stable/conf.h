/*
 * Settings of the runtime.  Read once at start: defaults, then the configuration file
 * (HEDDLE_STABLE_CONF, else heddle-stable.conf in the working directory), then the environment,
 * each overriding the former.  A setting "name" is the environment variable HEDDLE_STABLE_NAME and
 * the line "name = value" of the file; '#' starts a comment.
 */
#ifndef HEDDLE_RT_STABLE_CONF_H
#define HEDDLE_RT_STABLE_CONF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum conf_policy { CONF_RR, CONF_BATCH, CONF_LOCAL, CONF_FENCE, CONF_FCFS, CONF_SERIAL, CONF_OFF };
enum conf_idle { CONF_PACE, CONF_FF };
enum conf_unit { CONF_ROUNDS, CONF_TURNS };
enum conf_iso { CONF_ISO_WARN, CONF_ISO_ABORT, CONF_ISO_OFF };
enum conf_deadlock { CONF_DEADLOCK_EXIT, CONF_DEADLOCK_ABORT, CONF_DEADLOCK_HANG };
enum conf_pcs { CONF_PCS_LAZY, CONF_PCS_QUIESCE };
enum conf_exit { CONF_EXIT_HOLD, CONF_EXIT_RELEASE };

#define CONF_SPIN_AUTO (-1)
#define CONF_SPIN_ONLY (-2) /* never sleep: for experiments */
#define CONF_PATH_BYTES 512
#define CONF_DEPTH_MAX 6

struct conf {
	int64_t policy, idle, soba_unit, iso, on_deadlock, pcs_mode, exit;
	int64_t r_ns;	      /* real nanoseconds of one turn */
	int64_t spin;	      /* cycles to spin before sleeping, or CONF_SPIN_* */
	int64_t soba_default; /* timeout of a soft barrier that names none */
	int64_t soba, pcs;    /* hints obeyed? */
	int64_t hash, hash_all, profile, stacks, vtime, clamp, clamp_max;
	int64_t pcs_exit; /* 0: as the section ends; K: deterministically, K turns after entry */
	int64_t delay;	  /* microseconds: random delays before operations, for tests */
	int64_t stall;	  /* seconds after which a thread that keeps its turn is left behind */
	int64_t depth;	  /* frames between a wrapper of the program and the site of a call */
	int64_t state;	  /* state that threads share in the C library and the kernel is ordered? */
	int64_t omp;	  /* own OpenMP runtime for programs built for libgomp? */
	char log[CONF_PATH_BYTES], ctl[CONF_PATH_BYTES], hints[CONF_PATH_BYTES],
		nested[CONF_PATH_BYTES];
	char replay[CONF_PATH_BYTES]; /* a schedule that was remembered */
};

extern struct conf conf;

/* Complaints about unknown names and bad values go to msg_say(). */
void conf_init(char **environment);

#endif
