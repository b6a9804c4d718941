/*
 * Condition variables of a recording.  A signal that woke a waiter comes after that waiter began to
 * wait and before it went on; a signal that woke nobody stays outside every wait it would have
 * ended.
 */
#ifndef HEDDLE_PREDICT_SIGNALS_H
#define HEDDLE_PREDICT_SIGNALS_H

#include "predict/read/maker.h"

/* Finds out which signal woke whom; before the first event is made. */
void predict_signals_scan(struct predict_maker *m);

/* The event being looked at: COND_WAIT, COND_SIGNAL or BROADCAST, COND_WAKE, COND_TIMEOUT. */
void predict_signals_begin_wait(struct predict_maker *m);
void predict_signals_send(struct predict_maker *m);
void predict_signals_wake(struct predict_maker *m);
void predict_signals_expire(struct predict_maker *m);

#endif
