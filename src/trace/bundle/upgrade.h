/*
 * Versions of the bundle format.  The writer writes TRACE_VERSION; the reader accepts that and the
 * versions before it.
 *
 * Version 1 is the first, so there is nothing to convert yet.  A change of a layout raises
 * TRACE_VERSION, keeps a sample of the old one in tests/data and converts old contents here, part
 * by part, before they are decoded.
 */
#ifndef HEDDLE_TRACE_UPGRADE_H
#define HEDDLE_TRACE_UPGRADE_H

#include <stdint.h>

#include "base/err.h"

#define TRACE_VERSION 1

/* 0 when this heddle reads the version; ERR_VERSION for a newer one, ERR_FORMAT for none (0). */
int trace_upgrade_check(uint64_t version, struct err *e);

#endif
