/* What the runtime left in its control block, as text for people. */
#ifndef HEDDLE_STABLE_TEXT_H
#define HEDDLE_STABLE_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/strbuf.h"
#include "stable/log.h"
#include "wire/stable.h"

/* Messages of the runtime from *from on, one per line, addresses named; moves *from behind them. */
void stable_text_messages(const struct stable_ctl *ctl, size_t *from, struct strbuf *to);
/*
 * What was not scheduled, as a list: "2 loops that wait for memory (first at …), …"; nothing when
 * all was.  except: one of enum stable_loose that is not mentioned, STABLE_LOOSE_COUNT: none.
 */
void stable_text_loose_list(const struct stable_ctl *ctl, int except, struct strbuf *to);
/* The same in one line with advice. */
void stable_text_loose(const struct stable_ctl *ctl, struct strbuf *to);
/* Whether there was anything of that kind: equal hashes then do not mean equal runs. */
bool stable_text_is_partial(const struct stable_ctl *ctl);
/* The hash of the whole run, with the processes it started, as a number and in words. */
uint64_t stable_text_whole_hash(const struct stable_ctl *ctl);
void stable_text_hash(const struct stable_ctl *ctl, struct strbuf *to);
/* Who waits for whom, the cycle first. */
void stable_text_deadlock(const struct stable_ctl *ctl, struct strbuf *to);
/* Counters of the run. */
void stable_text_counters(const struct stable_ctl *ctl, struct strbuf *to);
/* The first difference of two logs with what led to it; at_a, at_b from stable_log_difference(). */
void stable_text_difference(const struct stable_log *a, const struct stable_log *b, size_t at_a,
			    size_t at_b, struct strbuf *to);

#endif
