/*
 * What Intel Processor Trace wrote, as the branches that were taken, through libipt.
 *
 * The trace has packets, not instructions: one bit per conditional branch in the order of execution
 * (TNT), the target of every jump, call and return through a register or memory (TIP), where tracing
 * was on (TIP.PGE, TIP.PGD), and the time.  That is the grammar of our own bits; which instruction a
 * bit belongs to is for whoever follows the code to say.
 *
 * Losses are part of the answer: an overflow of the hardware's buffer, bytes that are no packet, a
 * beginning without a point to synchronise at.  After one of them decoding goes on at the next such
 * point, and a step of kind LOST stands in between.
 */
#ifndef HEDDLE_RECORD_PT_DECODE_H
#define HEDDLE_RECORD_PT_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"

enum record_pt_kind {
	RECORD_PT_NOT_TAKEN,
	RECORD_PT_TAKEN,
	RECORD_PT_TARGET, /* ip: where an indirect branch went */
	RECORD_PT_ON,	  /* ip: tracing begins there */
	RECORD_PT_OFF,	  /* ip: and ends by a branch to there, 0 when it is not said */
	RECORD_PT_LOST,	  /* something is missing here */
};

struct record_pt_step {
	uint64_t ip;
	uint64_t tsc; /* the last time before it, 0: none yet */
	enum record_pt_kind kind;
};

struct record_pt_path {
	VEC_FIELDS(struct record_pt_step);
	bool incomplete; /* there is a LOST among them */
};

/* *out is empty; vec_free() it.  ERR_FORMAT when there is no packet of a trace in the bytes at all. */
int record_pt_decode(const uint8_t *bytes, size_t n, struct record_pt_path *out, struct err *e);

#endif
