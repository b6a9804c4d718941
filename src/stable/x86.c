#include "stable/x86.h"

#include <assert.h>
#include <string.h>

#define LENGTH_MAX 15

struct walk {
	const unsigned char *code;
	size_t at, left;
	bool wide, narrow, short_address; /* prefixes: 64-bit, 16-bit operands, 32-bit addresses */
	struct x86_insn *insn;
};

static bool take(struct walk *w, size_t bytes)
{
	if (w->left - w->at < bytes || w->at + bytes > LENGTH_MAX)
		return false;
	w->at += bytes;
	return true;
}

static int next(struct walk *w)
{
	return take(w, 1) ? w->code[w->at - 1] : -1;
}

/* The byte behind the prefixes. */
static int after_prefixes(struct walk *w)
{
	for (;;) {
		int byte = next(w);

		switch (byte) {
		case 0xf0:
			w->insn->locked = true;
			break;
		case 0x66:
			w->narrow = true;
			break;
		case 0x67:
			w->short_address = true;
			break;
		case 0xf2:
		case 0xf3:
		case 0x2e:
		case 0x36:
		case 0x3e:
		case 0x26:
		case 0x64:
		case 0x65:
			break;
		default:
			if (byte < 0x40 || byte > 0x4f)
				return byte;
			w->wide = byte & 8;
			return next(w);
		}
	}
}

static size_t operand_bytes(const struct walk *w)
{
	return w->narrow && !w->wide ? 2 : 4;
}

static bool has_modrm_0(int op)
{
	if (op < 0x40)
		return (op & 7) < 4;
	return op == 0x63 || op == 0x69 || op == 0x6b || (op >= 0x80 && op <= 0x8f) || op == 0xc0 ||
	       op == 0xc1 || op == 0xc6 || op == 0xc7 || (op >= 0xd0 && op <= 0xd3) ||
	       (op >= 0xd8 && op <= 0xdf) || op == 0xf6 || op == 0xf7 || op == 0xfe || op == 0xff;
}

/* Bytes of the immediate operand of a one-byte opcode. */
static size_t immediate_0(const struct walk *w, int op)
{
	int reg = (w->insn->modrm >> 3) & 7;

	if (op < 0x40)
		return (op & 7) == 4 ? 1 : (op & 7) == 5 ? operand_bytes(w) : 0;
	if ((op >= 0x70 && op <= 0x80) || (op >= 0xb0 && op <= 0xb7) || (op >= 0xe0 && op <= 0xe7))
		return 1;
	if (op >= 0xb8 && op <= 0xbf)
		return w->wide ? 8 : operand_bytes(w);
	switch (op) {
	case 0x6a:
	case 0x6b:
	case 0x83:
	case 0xa8:
	case 0xc0:
	case 0xc1:
	case 0xc6:
	case 0xcd:
	case 0xeb:
		return 1;
	case 0x68:
	case 0x69:
	case 0x81:
	case 0xa9:
	case 0xc7:
		return operand_bytes(w);
	case 0xe8:
	case 0xe9:
		return 4;
	case 0xc2:
	case 0xca:
		return 2;
	case 0xc8:
		return 3;
	case 0xa0:
	case 0xa1:
	case 0xa2:
	case 0xa3:
		return w->short_address ? 4 : 8;
	case 0xf6:
		return reg < 2 ? 1 : 0;
	case 0xf7:
		return reg < 2 ? operand_bytes(w) : 0;
	default:
		return 0;
	}
}

static bool has_modrm_1(int op)
{
	return !(op == 0x05 || (op >= 0x06 && op <= 0x09) || op == 0x0b || op == 0x0e ||
		 (op >= 0x30 && op <= 0x37) || op == 0x77 || (op >= 0x80 && op <= 0x8f) ||
		 (op >= 0xa0 && op <= 0xa2) || (op >= 0xa8 && op <= 0xaa) ||
		 (op >= 0xc8 && op <= 0xcf));
}

static size_t immediate_1(const struct walk *w, int op)
{
	if (op >= 0x80 && op <= 0x8f)
		return w->insn->vector ? 0 : 4;
	return op == 0x0f || (op >= 0x70 && op <= 0x73) || op == 0xa4 || op == 0xac || op == 0xba ||
			       op == 0xc2 || (op >= 0xc4 && op <= 0xc6)
		       ? 1
		       : 0;
}

/* The memory operand behind the modrm byte. */
static bool take_address(struct walk *w)
{
	int mod = w->insn->modrm >> 6, rm = w->insn->modrm & 7, base = rm;

	if (mod == 3)
		return true;
	if (rm == 4) {
		int sib = next(w);

		if (sib < 0)
			return false;
		base = sib & 7;
	}
	if (mod == 1)
		return take(w, 1);
	return mod == 2 || base == 5 ? take(w, 4) : true;
}

/* The prefixes with vectors: they name the map, and the opcode follows. */
static int after_vex(struct walk *w, int byte)
{
	int first = next(w);

	w->insn->vector = true;
	if (first < 0)
		return -1;
	w->insn->map = byte == 0xc5 ? 1 : first & (byte == 0xc4 ? 31 : 7);
	if (byte != 0xc5 && !take(w, byte == 0xc4 ? 1 : 2))
		return -1;
	return w->insn->map >= 1 && w->insn->map <= 3 ? next(w) : -1;
}

static int find_opcode(struct walk *w)
{
	int byte = after_prefixes(w);

	if (byte == 0xc4 || byte == 0xc5 || byte == 0x62)
		return after_vex(w, byte);
	if (byte != 0x0f)
		return byte;
	byte = next(w);
	w->insn->map = byte == 0x38 ? 2 : byte == 0x3a ? 3 : 1;
	return w->insn->map == 1 ? byte : next(w);
}

static bool take_immediate(struct walk *w)
{
	int op = w->insn->opcode;
	size_t bytes = w->insn->map == 3 ? 1 : 0, at = w->at;

	if (w->insn->map == 0)
		bytes = immediate_0(w, op);
	else if (w->insn->map == 1)
		bytes = immediate_1(w, op);
	if (!take(w, bytes))
		return false;
	memcpy(&w->insn->immediate, w->code + at, bytes < 4 ? bytes : 4);
	return true;
}

bool x86_decode(const unsigned char *code, size_t left, struct x86_insn *insn)
{
	struct walk w = {.code = code, .left = left, .insn = insn};
	int op, byte;

	*insn = (struct x86_insn){0};
	op = find_opcode(&w);
	if (op < 0)
		return false;
	insn->opcode = (uint8_t)op;
	insn->has_modrm = insn->map == 0 ? has_modrm_0(op) : insn->map > 1 || has_modrm_1(op);
	/* Under these prefixes one opcode alone has no operands. */
	if (insn->vector)
		insn->has_modrm = insn->map != 1 || op != 0x77;
	if (insn->has_modrm) {
		byte = next(&w);
		if (byte < 0)
			return false;
		insn->modrm = (uint8_t)byte;
		if (!take_address(&w))
			return false;
	}
	if (!take_immediate(&w))
		return false;
	assert(w.at > 0 && w.at <= LENGTH_MAX && w.at <= left);
	insn->length = (uint8_t)w.at;
	return true;
}
