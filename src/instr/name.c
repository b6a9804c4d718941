#include "instr/name.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/debug.h"
#include "instr/escape.h"
#include "ir/debug.h"
#include "ir/ditype.h"
#include "ir/function.h"

#define MAX_DEPTH 12
#define MAX_TEXT 100

/*
 * A place or a value under construction.  With deref the text is that of a pointer and the place is
 * what it points to: a member of it is written with "->", an element with "[]", itself with "*".
 */
struct expr {
	struct strbuf text;
	struct ditype type;
	bool deref;
	struct ditype record; /* the last one that a member was taken of; node NULL: none */
	struct ditype_member member;
	const char *global; /* the variable it lies in, while no pointer was followed; or NULL */
	unsigned global_bytes;
};

static bool place_of(struct unit *u, LLVMValueRef address, struct expr *x, int depth);
static bool value_of(struct unit *u, LLVMValueRef value, struct expr *x, int depth);

static void expr_init(struct unit *u, struct expr *x)
{
	memset(x, 0, sizeof(*x));
	x->type.ctx = u->ctx;
}

static bool variable_of(struct unit *u, LLVMValueRef value, struct expr *x)
{
	LLVMMetadataRef variable;
	const char *name;
	unsigned bytes = 0;
	uintptr_t found;

	if (!ptrmap_get(&u->variables, value, &found))
		return false;
	variable = (LLVMMetadataRef)found;
	name = ir_debug_string(u->ctx, variable, DEBUG_VARIABLE_NAME, &bytes);
	if (!name || !bytes)
		return false;
	strbuf_add_bytes(&x->text, name, bytes);
	if (LLVMIsAGlobalVariable(value)) {
		x->global = name;
		x->global_bytes = bytes;
	}
	x->type.node = ir_debug_operand(u->ctx, variable, DEBUG_VARIABLE_TYPE);
	x->type.dim = 0;
	return true;
}

static LLVMMetadataRef global_variable(struct unit *u, LLVMValueRef global)
{
	size_t n = 0;
	LLVMValueMetadataEntry *list = LLVMGlobalCopyAllMetadata(global, &n);
	unsigned dbg = LLVMGetMDKindIDInContext(u->ctx, "dbg", 3);
	LLVMMetadataRef variable = NULL;

	for (unsigned i = 0; i < n && !variable; i++)
		if (LLVMValueMetadataEntriesGetKind(list, i) == dbg)
			variable = LLVMDIGlobalVariableExpressionGetVariable(
				LLVMValueMetadataEntriesGetMetadata(list, i));
	LLVMDisposeValueMetadataEntries(list);
	return variable;
}

static bool global_of(struct unit *u, LLVMValueRef global, struct expr *x)
{
	LLVMMetadataRef variable = global_variable(u, global);
	LLVMLinkage linkage = LLVMGetLinkage(global);
	size_t bytes;
	const char *symbol = LLVMGetValueName2(global, &bytes);

	if (variable) {
		ptrmap_set(&u->variables, global, (uintptr_t)variable);
		if (variable_of(u, global, x))
			return true;
	}
	/* Without debug information: only a symbol the user can have written. */
	if (linkage == LLVMPrivateLinkage || memchr(symbol, '.', bytes))
		return false;
	strbuf_add_bytes(&x->text, symbol, bytes);
	x->global = symbol;
	x->global_bytes = (unsigned)bytes;
	x->type.node = NULL;
	return true;
}

/* "*p" needs parentheses before a member or an index follows. */
static void protect(struct expr *x)
{
	struct strbuf whole = STRBUF_INIT;

	if (x->text.text[0] != '*')
		return;
	strbuf_addf(&whole, "(%s)", x->text.text);
	strbuf_free(&x->text);
	x->text = whole;
}

static void add_member(struct expr *x, const struct ditype_member *m)
{
	if (m->name && m->name_bytes) {
		protect(x);
		strbuf_add(&x->text, x->deref ? "->" : ".");
		strbuf_add_bytes(&x->text, m->name, m->name_bytes);
		x->deref = false;
		x->record = ditype_bare(x->type);
		x->member = *m;
	}
	x->type = m->type;
}

/* The pointer's own text takes the index: p[i] is the i-th of what p points to. */
static void add_pointer_index(struct expr *x, const char *index)
{
	protect(x);
	strbuf_addf(&x->text, "[%s]", index);
	x->deref = false;
}

/* An element of the array that the place is. */
static void add_index(struct expr *x, const char *index)
{
	if (x->deref) {
		struct strbuf whole = STRBUF_INIT;

		strbuf_addf(&whole, "(*%s)", x->text.text);
		strbuf_free(&x->text);
		x->text = whole;
	}
	add_pointer_index(x, index);
	x->type = ditype_element(x->type);
}

/* One step down towards the byte at *offset; false when the place has no parts or no such part. */
static bool go_down(struct expr *x, uint64_t *offset, uint64_t wanted)
{
	struct ditype_member m;
	char index[24];
	uint64_t each;

	if (ditype_is_record(x->type)) {
		if (!ditype_member_at(x->type, *offset, wanted, &m) || m.bits)
			return false;
		add_member(x, &m);
		*offset -= m.offset;
		return true;
	}
	each = ditype_size(ditype_element(x->type));
	if (!each)
		return false;
	snprintf(index, sizeof(index), "%llu", (unsigned long long)(*offset / each));
	add_index(x, index);
	*offset %= each;
	return true;
}

static bool has_parts(const struct expr *x)
{
	return ditype_is_record(x->type) || ditype_is_array(x->type);
}

/* From the place to the scalar at a distance; of a union the member of the wanted size. */
static bool descend(struct expr *x, uint64_t offset, uint64_t wanted)
{
	for (int i = 0; i < MAX_DEPTH && has_parts(x); i++)
		if (!go_down(x, &offset, wanted))
			return false;
	return offset == 0 && !has_parts(x);
}

/*
 * The first member of a record has the record's address, the first element of an array the array's,
 * and no step says so: go down until the place is what the address computation takes it for.
 */
static bool reach(struct expr *x, bool array, uint64_t size)
{
	uint64_t offset = 0;

	for (int i = 0; i < MAX_DEPTH && (array ? ditype_is_record(x->type) : has_parts(x)); i++) {
		if (!array && ditype_is_record(x->type) && ditype_size(x->type) == size)
			return true;
		if (!go_down(x, &offset, size))
			return false;
	}
	return array ? ditype_is_array(x->type) : false;
}

static void index_text(struct unit *u, LLVMValueRef index, struct strbuf *to, int depth)
{
	struct expr x;

	expr_init(u, &x);
	if (value_of(u, index, &x, depth + 1) && x.text.length <= MAX_TEXT / 2)
		strbuf_add(to, x.text.text);
	else
		strbuf_add(to, "...");
	strbuf_free(&x.text);
}

/* p + i, where p points to elements of this many bytes. */
static bool step_pointer(struct unit *u, struct expr *x, LLVMValueRef index, uint64_t each,
			 int depth)
{
	struct strbuf text = STRBUF_INIT;
	uint64_t size = ditype_size(x->type);
	bool ok = true;

	index_text(u, index, &text, depth);
	if (x->deref && (!size || size == each)) {
		add_pointer_index(x, text.text);
	} else if (!x->deref && reach(x, true, 0) && ditype_size(ditype_element(x->type)) == each) {
		add_index(x, text.text);
	} else {
		ok = false;
	}
	strbuf_free(&text);
	return ok;
}

static bool step_array(struct unit *u, struct expr *x, LLVMValueRef index, int depth)
{
	struct strbuf text = STRBUF_INIT;

	if (!reach(x, true, 0))
		return false;
	index_text(u, index, &text, depth);
	add_index(x, text.text);
	strbuf_free(&text);
	return true;
}

static bool step_field(struct unit *u, struct expr *x, LLVMTypeRef type, unsigned field)
{
	struct ditype_member m;

	if (field >= LLVMCountStructElementTypes(type) ||
	    !reach(x, false, LLVMABISizeOfType(u->layout, type)))
		return false;
	if (!ditype_member_at(x->type, LLVMOffsetOfElement(u->layout, type, field), 0, &m) ||
	    m.bits)
		return false;
	add_member(x, &m);
	return true;
}

static bool is_zero(LLVMValueRef value)
{
	return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

/* Steps over the indexes after the first, each into the LLVM type it selects from. */
static bool step_inside(struct unit *u, LLVMValueRef gep, struct expr *x, int depth)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

	for (int i = 2; i < LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
		unsigned field;

		if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
			if (!step_array(u, x, index, depth))
				return false;
			type = LLVMGetElementType(type);
			continue;
		}
		if (LLVMGetTypeKind(type) != LLVMStructTypeKind || !LLVMIsAConstantInt(index))
			return false;
		field = (unsigned)LLVMConstIntGetZExtValue(index);
		if (!step_field(u, x, type, field))
			return false;
		type = LLVMStructGetTypeAtIndex(type, field);
	}
	return true;
}

static bool gep_of(struct unit *u, LLVMValueRef gep, struct expr *x, int depth)
{
	LLVMValueRef base = LLVMGetOperand(gep, 0), first = LLVMGetOperand(gep, 1);
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	uint64_t each = LLVMABISizeOfType(u->layout, type);

	if (!place_of(u, base, x, depth + 1))
		return false;
	if (is_zero(first))
		return step_inside(u, gep, x, depth);
	/* A constant distance in bytes: what constant folding makes of members and elements. */
	if (LLVMGetNumOperands(gep) == 2 && LLVMIsAConstantInt(first) &&
	    LLVMConstIntGetSExtValue(first) > 0 &&
	    (!x->deref || (each == 1 && ditype_size(x->type) > 1)))
		return descend(x, (uint64_t)LLVMConstIntGetSExtValue(first) * each, 0);
	return step_pointer(u, x, first, each, depth) && step_inside(u, gep, x, depth);
}

static bool is_opcode(LLVMValueRef value, LLVMOpcode opcode)
{
	if (LLVMIsAInstruction(value))
		return LLVMGetInstructionOpcode(value) == opcode;
	return LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == opcode;
}

static bool place_of(struct unit *u, LLVMValueRef address, struct expr *x, int depth)
{
	if (depth > MAX_DEPTH)
		return false;
	if (LLVMIsAAllocaInst(address))
		return variable_of(u, address, x);
	if (LLVMIsAGlobalVariable(address))
		return global_of(u, address, x);
	if (LLVMIsACallInst(address) &&
	    !strncmp(ir_function_intrinsic(address), "llvm.threadlocal.address", 24))
		return place_of(u, LLVMGetOperand(address, 0), x, depth + 1);
	if (is_opcode(address, LLVMGetElementPtr) && !ptrmap_has(&u->variables, address))
		return gep_of(u, address, x, depth);
	if (!value_of(u, address, x, depth + 1))
		return false;
	if (x->deref) {
		/* *p as a pointer itself. */
		struct strbuf whole = STRBUF_INIT;

		strbuf_addf(&whole, "*%s", x->text.text);
		strbuf_free(&x->text);
		x->text = whole;
	}
	x->deref = true;
	x->type = ditype_pointee(x->type);
	x->record.node = NULL;
	x->global = NULL;
	return true;
}

static const char *operator_text(LLVMOpcode opcode)
{
	switch (opcode) {
	case LLVMAdd:
		return "+";
	case LLVMSub:
		return "-";
	case LLVMMul:
		return "*";
	case LLVMUDiv:
	case LLVMSDiv:
		return "/";
	case LLVMURem:
	case LLVMSRem:
		return "%";
	case LLVMShl:
		return "<<";
	case LLVMLShr:
	case LLVMAShr:
		return ">>";
	case LLVMAnd:
		return "&";
	case LLVMOr:
		return "|";
	case LLVMXor:
		return "^";
	default:
		return NULL;
	}
}

static bool binary_of(struct unit *u, LLVMValueRef value, const char *op, struct expr *x, int depth)
{
	struct expr right;
	bool ok;

	expr_init(u, &right);
	ok = value_of(u, LLVMGetOperand(value, 0), x, depth + 1) &&
	     value_of(u, LLVMGetOperand(value, 1), &right, depth + 1) && !x->deref && !right.deref;
	if (ok && right.text.text[0] == '-' && op[0] == '+')
		strbuf_addf(&x->text, " - %s", right.text.text + 1);
	else if (ok)
		strbuf_addf(&x->text, " %s %s", op, right.text.text);
	strbuf_free(&right.text);
	x->type.node = NULL;
	return ok;
}

/* The value a load yields is named like the place it reads. */
static bool loaded_of(struct unit *u, LLVMValueRef address, LLVMTypeRef type, struct expr *x,
		      int depth)
{
	if (!place_of(u, address, x, depth + 1))
		return false;
	return descend(x, 0, LLVMStoreSizeOfType(u->layout, type));
}

static bool value_of(struct unit *u, LLVMValueRef value, struct expr *x, int depth)
{
	const char *op;
	uintptr_t address;

	if (depth > MAX_DEPTH)
		return false;
	if (LLVMIsAConstantInt(value) && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64) {
		strbuf_addf(&x->text, "%lld", LLVMConstIntGetSExtValue(value));
		return true;
	}
	if (variable_of(u, value, x))
		return true;
	if (ptrmap_get(&u->loaded, value, &address))
		return loaded_of(u, (LLVMValueRef)address, LLVMTypeOf(value), x, depth);
	if (!LLVMIsAInstruction(value))
		return false;
	switch (LLVMGetInstructionOpcode(value)) {
	case LLVMLoad:
		return loaded_of(u, LLVMGetOperand(value, 0), LLVMTypeOf(value), x, depth);
	case LLVMZExt:
	case LLVMSExt:
	case LLVMTrunc:
	case LLVMBitCast:
	case LLVMFreeze:
	case LLVMIntToPtr:
	case LLVMPtrToInt:
		return value_of(u, LLVMGetOperand(value, 0), x, depth + 1);
	default:
		op = operator_text(LLVMGetInstructionOpcode(value));
		return op && binary_of(u, value, op, x, depth);
	}
}

static void hand_out(struct expr *x, struct strbuf *to)
{
	if (x->text.length && x->text.length <= MAX_TEXT)
		strbuf_addf(to, "%s%s", x->deref ? "*" : "", x->text.text);
}

void name_of_access(struct unit *u, LLVMValueRef address, uint64_t scalar, struct strbuf *to)
{
	struct expr x;

	expr_init(u, &x);
	if (place_of(u, address, &x, 0) && (!scalar || descend(&x, 0, scalar)))
		hand_out(&x, to);
	strbuf_free(&x.text);
}

static const char *type_name(struct ditype t, unsigned *bytes)
{
	const char *name = t.node ? ir_debug_string(t.ctx, t.node, DEBUG_NAME, bytes) : NULL;

	return name && *bytes ? name : NULL;
}

/* Known by its type alone, or by its size. */
static void add_type(const struct expr *x, bool known, uint64_t scalar, struct strbuf *to)
{
	unsigned bytes = 0;
	const char *name = known ? type_name(ditype_bare(x->type), &bytes) : NULL;

	strbuf_add(to, "*");
	if (name)
		strbuf_add_bytes(to, name, bytes);
	else if (scalar)
		strbuf_addf(to, "%llu bytes", (unsigned long long)scalar);
	else
		strbuf_add(to, "object");
}

void name_of_element(struct unit *u, LLVMValueRef address, uint64_t scalar, struct strbuf *to)
{
	const char *name;
	unsigned bytes = 0;
	bool known;
	struct expr x;

	expr_init(u, &x);
	known = place_of(u, address, &x, 0) && (!scalar || descend(&x, 0, scalar));
	if (known && x.record.node) {
		name = type_name(x.record, &bytes);
		strbuf_add_bytes(to, name ? name : "record", name ? bytes : 6);
		strbuf_add(to, ".");
		strbuf_add_bytes(to, x.member.name, x.member.name_bytes);
	} else if (x.global) {
		strbuf_add_bytes(to, x.global, x.global_bytes);
	} else {
		add_type(&x, known, scalar, to);
	}
	strbuf_free(&x.text);
}

void name_of_value(struct unit *u, LLVMValueRef value, struct strbuf *to)
{
	struct expr x;

	expr_init(u, &x);
	if (value_of(u, value, &x, 0))
		hand_out(&x, to);
	strbuf_free(&x.text);
}
