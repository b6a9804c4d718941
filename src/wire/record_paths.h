/*
 * Recording numbers of paths (ir/paths.h): what they mean.
 *
 * Section HEDDLE_PATHS_SECTION has, per unit, a struct record_paths, then `starts' times
 * struct record_path_start, then `rows' times struct record_path_row, by point.  An entry of a stream
 * is RECORD_PATH_FULL, the unit in 31 bits, and a number of 32 bits; unit 0 is the function that a
 * call through a pointer called.
 *
 * A number belongs to the last start whose base is not above it; what it is above that base is the
 * number of the path.  At a row with `second', the way is 1 when the number is not below that, which is
 * then taken off; the path goes on at next[way], RECORD_NO_POINT: it ends.  At a row without, the number
 * is the way, and the path ends.
 */
#ifndef HEDDLE_WIRE_RECORD_PATHS_H
#define HEDDLE_WIRE_RECORD_PATHS_H

#include <stdint.h>

#define HEDDLE_PATHS_SECTION "heddle_paths"
#define RECORD_PATHS_MAGIC UINT64_C(0x3148544150444448) /* "HDDPATH1" */
#define RECORD_PATH_FULL (UINT64_C(1) << 63)
#define RECORD_PATH_PAGE 4096u /* a chunk ends at a multiple of it, and so does a sink */

struct record_paths {
	uint64_t magic;
	uint32_t unit; /* record_path_unit() */
	uint32_t starts, rows;
	uint32_t spare;
};

struct record_path_start {
	uint32_t base, point;
};

enum record_way { RECORD_WAY_BIT, RECORD_WAY_NUMBER };

struct record_path_row {
	uint32_t point;
	uint32_t kind; /* enum record_way: how the way is written as bits */
	uint32_t ways, second;
	uint32_t next[2];
};

static inline uint32_t record_path_unit(uint64_t canon)
{
	uint32_t unit = (uint32_t)canon & 0x7fffffff;

	return unit ? unit : 1;
}

_Static_assert(sizeof(struct record_paths) == 24, "paths layout");
_Static_assert(sizeof(struct record_path_row) == 24, "row layout");

#endif
