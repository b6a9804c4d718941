/*
 * Which points of a program have to be recorded (ir/canon.h, wire/record.h): those that decide on a
 * value which is unknown (unknown.h).
 *
 * Too many marks cost time, one too few is noticed when the way is executed again.
 */
#ifndef HEDDLE_DEPS_MARKS_H
#define HEDDLE_DEPS_MARKS_H

#include "base/err.h"
#include "base/strbuf.h"

/*
 * Analyses the bitcode of all units of a binary; appends per unit, in their order, a struct
 * record_marks and its words.
 */
int deps_marks(const char *path, struct strbuf *out, struct err *e);

/*
 * Where the points of a binary of the check flavour are, for runs under control whose branches are in
 * their events: per unit a struct record_marks and its words (points that have a branch event), the
 * number of its sites as a uint32_t, and per site a struct record_point.
 */
int deps_marks_points(const char *path, struct strbuf *out, struct err *e);

#endif
