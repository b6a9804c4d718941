/*
 * What follows from a repaired trace: program order, the write each read saw, the sections of locks
 * and the locks held at each event.  Locksets are interned, lists of open sections share their
 * tails, so both stay linear in the trace.
 */
#ifndef HEDDLE_PREDICT_FACTS_H
#define HEDDLE_PREDICT_FACTS_H

#include "predict/read/trace.h"

/* Fills the derived members of the trace; its events are final. */
void predict_facts_derive(struct predict_trace *t);

#endif
