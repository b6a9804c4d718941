/*
 * Which events depend on which reads, as heddle-deps says: a file with a row of bits per read.
 *
 * Layout, little endian: "HDDEPS1" and a NUL; number of sites (u32), number of rows (u32); per row
 * the site of the read (u32), padding (u32), and one bit per site in words of 64 bits.  Rows are in
 * the order of their sites.  What has no row depends on everything.
 */
#ifndef HEDDLE_EXPLORE_STATIC_DEPS_H
#define HEDDLE_EXPLORE_STATIC_DEPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define STATIC_DEPS_MAGIC "HDDEPS1"

struct static_deps;

/* Bytes are input: lengths and numbers are checked.  ERR_FORMAT when they do not fit. */
int static_deps_parse(const void *bytes, size_t n, struct static_deps **out, struct err *e);
void static_deps_free(struct static_deps *d);

/* For struct explore_opts; arg is the struct.  Any number of threads may ask. */
bool static_deps_depends(void *arg, uint32_t read_site, uint32_t event_site);

#endif
