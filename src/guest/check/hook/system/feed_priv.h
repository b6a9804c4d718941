/* The log of a recording, as the calls that it answers see it.  Private to the files of the feed. */
#ifndef HEDDLE_RT_HOOK_FEED_PRIV_H
#define HEDDLE_RT_HOOK_FEED_PRIV_H

#include "guest/check/hook/system/feed.h"
#include "wire/feed.h"

#define FEED_KINDS 40
#define FEED_FDS 4096

/*
 * Of a run: which task each thread is (plus 1), and how far it has come in its log, by kind.  Too
 * large to be copied back after every run of a program that has no log: it is emptied when a run
 * first uses it.
 */
struct feed_run {
	uint16_t task[WIRE_FEED_THREADS];
	uint32_t at[WIRE_FEED_THREADS][FEED_KINDS];
	uint64_t fds[FEED_FDS / 64];
	bool watched[FEED_FDS]; /* by epoll, with that data */
	uint64_t data[FEED_FDS];
};
extern struct feed_run feed_run;

/* NULL when there is no log. */
const struct wire_feed *feed_head(void);
const struct wire_feed_task *feed_task(const struct wire_feed *f, uint32_t n);
/* The number of a thread's task plus 1; 0 when it has none. */
uint32_t feed_task_of(const struct wire_feed *f, uint32_t tid);
const struct record_input *feed_record(const struct wire_feed_task *t, uint64_t at);
const unsigned char *feed_data(const struct record_input *in);
bool feed_is_answer(const struct record_input *in, unsigned int kind);
/* The next record of the kind for the running thread, or NULL. */
const struct record_input *feed_take(unsigned int kind);
/* The step of a call that the log answers: it never waits. */
uint32_t feed_step(int fd);
void feed_error(const struct record_input *in);
/* A descriptor as the log has it; -1: there is none. */
int feed_open_null(int wanted);

#endif
