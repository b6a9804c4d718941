/*
 * Reads a profile: which code made others wait for their turn, and the hint that would
 * help.
 *
 * Two shapes are recognised.  A long region that others waited for is a candidate for a soft
 * barrier: its beginning is the place for soba_wait().  A frequent operation whose region is
 * shorter than a hand-off is a candidate for a performance-critical section around it.
 */
#ifndef HEDDLE_STABLE_ADVICE_H
#define HEDDLE_STABLE_ADVICE_H

#include "base/strbuf.h"
#include "wire/stable.h"

void stable_advice(const struct stable_ctl *ctl, struct strbuf *to);

#endif
