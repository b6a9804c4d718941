#include "ir/ditype.h"

#include <stdlib.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/mem.h"
#include "ir/debug.h"

/* DWARF tags. */
enum tag {
	TAG_ARRAY = 0x01,
	TAG_CLASS = 0x02,
	TAG_MEMBER = 0x0d,
	TAG_POINTER = 0x0f,
	TAG_REFERENCE = 0x10,
	TAG_STRUCT = 0x13,
	TAG_TYPEDEF = 0x16,
	TAG_UNION = 0x17,
	TAG_INHERITANCE = 0x1c,
	TAG_CONST = 0x26,
	TAG_VOLATILE = 0x35,
	TAG_RESTRICT = 0x37,
	TAG_RVALUE_REFERENCE = 0x42,
	TAG_ATOMIC = 0x47,
};

#define MAX_CHAIN 32

static bool is_type(LLVMMetadataRef node)
{
	LLVMMetadataKind kind;

	if (!node)
		return false;
	kind = LLVMGetMetadataKind(node);
	return kind == LLVMDIBasicTypeMetadataKind || kind == LLVMDIDerivedTypeMetadataKind ||
	       kind == LLVMDICompositeTypeMetadataKind || kind == LLVMDISubroutineTypeMetadataKind;
}

static unsigned tag_of(struct ditype t)
{
	return is_type(t.node) ? LLVMGetDINodeTag(t.node) : 0;
}

static struct ditype base_of(struct ditype t)
{
	struct ditype base = {t.ctx, ir_debug_operand(t.ctx, t.node, DEBUG_TYPE_BASE), 0};

	if (!is_type(base.node))
		base.node = NULL;
	return base;
}

struct ditype ditype_bare(struct ditype t)
{
	for (int i = 0; i < MAX_CHAIN; i++) {
		switch (tag_of(t)) {
		case TAG_TYPEDEF:
		case TAG_CONST:
		case TAG_VOLATILE:
		case TAG_RESTRICT:
		case TAG_ATOMIC:
			t = base_of(t);
			break;
		default:
			return t;
		}
	}
	return t;
}

/* A vector is described as an array but read and written as one value. */
bool ditype_is_array(struct ditype t)
{
	t = ditype_bare(t);
	return tag_of(t) == TAG_ARRAY && !(LLVMDITypeGetFlags(t.node) & LLVMDIFlagVector);
}

bool ditype_is_record(struct ditype t)
{
	unsigned tag = tag_of(ditype_bare(t));

	return tag == TAG_STRUCT || tag == TAG_CLASS || tag == TAG_UNION;
}

struct ditype ditype_pointee(struct ditype t)
{
	struct ditype none = {t.ctx, NULL, 0};

	t = ditype_bare(t);
	switch (tag_of(t)) {
	case TAG_POINTER:
	case TAG_REFERENCE:
	case TAG_RVALUE_REFERENCE:
		return base_of(t);
	default:
		return none;
	}
}

/* Elements of an array type from a dimension on; 0 when a range has no constant count. */
static uint64_t elements_from(struct ditype array, unsigned dim, unsigned *dims)
{
	LLVMMetadataRef ranges = ir_debug_operand(array.ctx, array.node, DEBUG_TYPE_ELEMENTS);
	uint64_t count = 1;

	*dims = 0;
	if (!ranges)
		return 0;
	*dims = LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(array.ctx, ranges));
	for (unsigned i = dim; i < *dims; i++) {
		LLVMMetadataRef range = ir_debug_operand(array.ctx, ranges, i);
		LLVMValueRef operands[4], value;

		if (!range || LLVMGetMetadataKind(range) != LLVMDISubrangeMetadataKind)
			return 0;
		value = LLVMMetadataAsValue(array.ctx, range);
		if (LLVMGetMDNodeNumOperands(value) > 4)
			return 0;
		LLVMGetMDNodeOperands(value, operands);
		if (!operands[0] || !LLVMIsAConstantInt(operands[0]))
			return 0;
		count *= LLVMConstIntGetZExtValue(operands[0]);
	}
	return count;
}

uint64_t ditype_size(struct ditype t)
{
	unsigned dims;

	t = ditype_bare(t);
	if (!is_type(t.node))
		return 0;
	if (tag_of(t) == TAG_ARRAY)
		return elements_from(t, t.dim, &dims) * ditype_size(base_of(t));
	return LLVMDITypeGetSizeInBits(t.node) / 8;
}

struct ditype ditype_element(struct ditype t)
{
	struct ditype none = {t.ctx, NULL, 0};
	unsigned dims;

	t = ditype_bare(t);
	if (tag_of(t) != TAG_ARRAY)
		return none;
	(void)elements_from(t, t.dim, &dims);
	if (t.dim + 1 < dims) {
		t.dim++;
		return t;
	}
	return base_of(t);
}

static bool read_member(struct ditype record, LLVMMetadataRef node, struct ditype_member *m)
{
	struct ditype member = {record.ctx, node, 0};
	unsigned tag = tag_of(member);
	unsigned flags;

	if (tag != TAG_MEMBER && tag != TAG_INHERITANCE)
		return false;
	flags = LLVMDITypeGetFlags(node);
	if ((flags & LLVMDIFlagStaticMember) || (flags & LLVMDIFlagVirtual))
		return false;
	m->type = base_of(member);
	m->offset = LLVMDITypeGetOffsetInBits(node) / 8;
	m->bits = (flags & LLVMDIFlagBitField) != 0;
	m->name = tag == TAG_MEMBER ? ir_debug_string(record.ctx, node, DEBUG_NAME, &m->name_bytes)
				    : NULL;
	return true;
}

static LLVMValueRef *member_list(struct ditype t, unsigned *n)
{
	LLVMMetadataRef list = ir_debug_operand(t.ctx, t.node, DEBUG_TYPE_ELEMENTS);
	LLVMValueRef value, *items;

	*n = 0;
	if (!list)
		return NULL;
	value = LLVMMetadataAsValue(t.ctx, list);
	*n = LLVMGetMDNodeNumOperands(value);
	items = xcalloc(*n + 1, sizeof(*items));
	LLVMGetMDNodeOperands(value, items);
	return items;
}

bool ditype_member_at(struct ditype t, uint64_t offset, uint64_t wanted, struct ditype_member *out)
{
	bool found = false;
	LLVMValueRef *items;
	unsigned n;

	t = ditype_bare(t);
	if (!ditype_is_record(t))
		return false;
	items = member_list(t, &n);
	for (unsigned i = 0; i < n; i++) {
		struct ditype_member m = {.name = NULL};
		uint64_t size;

		if (!items[i] || !read_member(t, LLVMValueAsMetadata(items[i]), &m))
			continue;
		size = ditype_size(m.type);
		if (offset < m.offset || offset >= m.offset + (size ? size : 1))
			continue;
		if (!found || (size == wanted && ditype_size(out->type) != wanted))
			*out = m;
		found = true;
	}
	free(items);
	return found;
}
