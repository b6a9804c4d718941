/*
 * Robust mutexes: a lock that is taken although its owner never released it was free after the
 * last event of the owner, which has died.
 */
#ifndef HEDDLE_PREDICT_GRAVES_H
#define HEDDLE_PREDICT_GRAVES_H

#include "predict/read/maker.h"

/* Finds them in the recording; before the first event is made. */
void predict_graves_find(struct predict_maker *m);
/* Releases the locks whose owner's last event is the one being looked at. */
void predict_graves_open(struct predict_maker *m);

#endif
