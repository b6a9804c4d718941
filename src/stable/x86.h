/*
 * Machine code of x86-64, as far as one has to know it to walk over it: where the next instruction
 * begins, and what distinguishes one that is atomic.
 */
#ifndef HEDDLE_STABLE_X86_H
#define HEDDLE_STABLE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct x86_insn {
	uint8_t length;
	uint8_t map;			/* 0: one byte, 1: 0f, 2: 0f 38, 3: 0f 3a */
	uint8_t opcode;			/* the last byte of it */
	uint8_t modrm;			/* when has_modrm */
	bool has_modrm, locked, vector; /* vector: with a VEX or EVEX prefix */
	uint32_t immediate;		/* the first four bytes of it, 0 = none */
};

/*
 * The instruction at the beginning of code, of which there are left bytes.  False when it does not
 * fit, or is none; then nothing is known about what follows either.
 */
bool x86_decode(const unsigned char *code, size_t left, struct x86_insn *insn);

/* Whether it names a place in memory. */
static inline bool x86_in_memory(const struct x86_insn *insn)
{
	return insn->has_modrm && (insn->modrm & 0xc0) != 0xc0;
}

#endif
