/*
 * Debug types: from an object of a type and a distance in bytes to the member or element there.
 *
 * An array type of several dimensions is one node with several ranges, so a place inside it is the
 * node and the number of dimensions already indexed.
 */
#ifndef HEDDLE_IR_DITYPE_H
#define HEDDLE_IR_DITYPE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/strbuf.h"

struct ditype {
	LLVMContextRef ctx;
	LLVMMetadataRef node; /* NULL when unknown */
	unsigned dim;	      /* dimensions of an array already indexed */
};

/* Without typedefs and qualifiers. */
struct ditype ditype_bare(struct ditype t);
/* Bytes of an object; 0 when unknown. */
uint64_t ditype_size(struct ditype t);
/* What a pointer or reference points to; node NULL when t is neither. */
struct ditype ditype_pointee(struct ditype t);
bool ditype_is_array(struct ditype t);
bool ditype_is_record(struct ditype t); /* struct, class, union */
/* The element type of an array. */
struct ditype ditype_element(struct ditype t);

struct ditype_member {
	struct ditype type;
	const char *name; /* borrowed; NULL for bases and anonymous members */
	unsigned name_bytes;
	uint64_t offset; /* in the record */
	bool bits;	 /* a bit field */
};
/*
 * The member of a record that holds the byte at offset; of overlapping ones (a union) the first
 * whose size is wanted, or else the first.  False when there is none.
 */
bool ditype_member_at(struct ditype t, uint64_t offset, uint64_t wanted, struct ditype_member *out);

#endif
