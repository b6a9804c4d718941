/* Types as words and bytes, constants as words. */
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "symex/code/program.h"

bool program_is_real(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
		return true;
	default:
		return false;
	}
}

unsigned program_width(const struct symex_program *p, LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type);
	case LLVMPointerTypeKind:
		return 64;
	case LLVMX86_FP80TypeKind:
		return 80;
	default:
		return (unsigned)LLVMSizeOfTypeInBits(p->layout, type);
	}
}

static uint32_t elements(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMStructTypeKind:
		return LLVMCountStructElementTypes(type);
	case LLVMArrayTypeKind:
		return (uint32_t)LLVMGetArrayLength2(type);
	default:
		return LLVMGetVectorSize(type);
	}
}

static bool is_aggregate(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	return kind == LLVMStructTypeKind || kind == LLVMArrayTypeKind ||
	       kind == LLVMVectorTypeKind;
}

static LLVMTypeRef element(LLVMTypeRef type, uint32_t i)
{
	return LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i)
							   : LLVMGetElementType(type);
}

uint32_t program_words_of(const struct symex_program *p, LLVMTypeRef type)
{
	uint32_t n = 0;

	switch (LLVMGetTypeKind(type)) {
	case LLVMVoidTypeKind:
	case LLVMMetadataTypeKind:
	case LLVMLabelTypeKind:
	case LLVMTokenTypeKind:
		return 0;
	case LLVMStructTypeKind:
		for (uint32_t i = 0; i < elements(type); i++)
			n += program_words_of(p, element(type, i));
		return n;
	case LLVMArrayTypeKind:
	case LLVMVectorTypeKind:
		return elements(type) * program_words_of(p, LLVMGetElementType(type));
	default:
		return program_width(p, type) > 64 ? 2 : 1;
	}
}

static uint64_t element_offset(const struct symex_program *p, LLVMTypeRef type, uint32_t i)
{
	LLVMTypeRef inner;

	if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
		return LLVMOffsetOfElement(p->layout, type, i);
	inner = LLVMGetElementType(type);
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		return i * (LLVMSizeOfTypeInBits(p->layout, inner) / 8);
	return i * LLVMABISizeOfType(p->layout, inner);
}

static bool add_leaves(const struct symex_program *p, LLVMTypeRef type, uint64_t offset,
		       struct program_leaves *to, uint32_t *word)
{
	bool whole = true;

	if (!is_aggregate(type)) {
		struct program_leaf leaf = {type, offset, *word, program_width(p, type)};

		vec_push(to, leaf);
		*word += leaf.width > 64 ? 2 : 1;
		return leaf.width <= EXPR_MAX_WIDTH;
	}
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
	    LLVMSizeOfTypeInBits(p->layout, LLVMGetElementType(type)) % 8)
		whole = false;
	for (uint32_t i = 0; i < elements(type); i++)
		whole &= add_leaves(p, element(type, i), offset + element_offset(p, type, i), to,
				    word);
	return whole;
}

bool program_leaves(const struct symex_program *p, LLVMTypeRef type, struct program_leaves *to)
{
	uint32_t word = 0;

	return add_leaves(p, type, 0, to, &word);
}

/* ---- constants ---- */

static bool constant_real(LLVMValueRef c, struct program_words *to)
{
	LLVMBool loses;
	double d = LLVMConstRealGetDouble(c, &loses);
	LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(c));
	uint64_t bits[2] = {0, 0};
	long double wide = d;
	float f = (float)d;

	if (kind == LLVMFloatTypeKind) {
		memcpy(bits, &f, sizeof(f));
	} else if (kind == LLVMDoubleTypeKind) {
		memcpy(bits, &d, sizeof(d));
	} else if (kind == LLVMX86_FP80TypeKind) {
		/* The C interface hands out doubles only: read more digits from the text. */
		if (loses) {
			char *text = LLVMPrintValueToString(c);
			const char *hex = strstr(text, "0xK");
			unsigned long long high = 0, low = 0;

			if (!hex || sscanf(hex + 3, "%4llx%16llx", &high, &low) != 2) {
				LLVMDisposeMessage(text);
				return false;
			}
			LLVMDisposeMessage(text);
			bits[0] = low;
			bits[1] = high;
		} else {
			memcpy(bits, &wide, 10);
		}
		vec_push(to, bits[0]);
		vec_push(to, bits[1]);
		return true;
	} else {
		return false;
	}
	vec_push(to, bits[0]);
	return true;
}

static bool constant_integer(LLVMValueRef c, struct program_words *to)
{
	unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(c));
	LLVMValueRef high;

	if (width <= 64) {
		vec_push(to, LLVMConstIntGetZExtValue(c));
		return true;
	}
	if (width > 128)
		return false;
	/* Wide ones can be had by folding only. */
	vec_push(to, LLVMConstIntGetZExtValue(LLVMConstTrunc(
			     c, LLVMInt64TypeInContext(LLVMGetTypeContext(LLVMTypeOf(c))))));
	high = c;
	{
		char *text = LLVMPrintValueToString(high);
		const char *digits = strchr(text, ' ');
		bool minus;
		expr_value value = 0;

		digits = digits ? digits + 1 : text;
		minus = *digits == '-';
		for (digits += minus; *digits >= '0' && *digits <= '9'; digits++)
			value = value * 10 + (unsigned)(*digits - '0');
		LLVMDisposeMessage(text);
		if (minus)
			value = -value;
		vec_push(to,
			 (uint64_t)(value >> 64) &
				 (width == 128 ? ~UINT64_C(0) : (UINT64_C(1) << (width - 64)) - 1));
	}
	return true;
}

static bool one_word(struct symex_program *p, LLVMValueRef c, uint64_t *out)
{
	struct program_words w = VEC_INIT;
	bool ok = program_constant(p, c, &w) && w.count == 1;

	if (ok)
		*out = w.items[0];
	vec_free(&w);
	return ok;
}

static bool constant_gep(struct symex_program *p, LLVMValueRef c, uint64_t *out)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(c);
	uint64_t address, index;

	if (!one_word(p, LLVMGetOperand(c, 0), &address))
		return false;
	for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(c); i++) {
		LLVMValueRef op = LLVMGetOperand(c, i);

		if (!LLVMIsAConstantInt(op))
			return false;
		index = (uint64_t)LLVMConstIntGetSExtValue(op);
		if (i == 1) {
			address += index * LLVMABISizeOfType(p->layout, type);
			continue;
		}
		address += element_offset(p, type, (uint32_t)index);
		if (LLVMGetTypeKind(type) != LLVMStructTypeKind && (int64_t)index < 0)
			return false;
		type = element(type, (uint32_t)index);
	}
	*out = address;
	return true;
}

static bool constant_expression(struct symex_program *p, LLVMValueRef c, uint64_t *out)
{
	uint64_t a, b;

	switch (LLVMGetConstOpcode(c)) {
	case LLVMGetElementPtr:
		return constant_gep(p, c, out);
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
		return one_word(p, LLVMGetOperand(c, 0), out);
	case LLVMTrunc:
		if (!one_word(p, LLVMGetOperand(c, 0), &a))
			return false;
		*out = a & (~UINT64_C(0) >> (64 - program_width(p, LLVMTypeOf(c))));
		return true;
	case LLVMAdd:
	case LLVMSub:
	case LLVMXor:
		if (!one_word(p, LLVMGetOperand(c, 0), &a) ||
		    !one_word(p, LLVMGetOperand(c, 1), &b))
			return false;
		*out = LLVMGetConstOpcode(c) == LLVMAdd	  ? a + b
		       : LLVMGetConstOpcode(c) == LLVMSub ? a - b
							  : a ^ b;
		return true;
	default:
		return false;
	}
}

static void push_zeros(struct program_words *to, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		vec_push(to, 0);
}

static bool constant_elements(struct symex_program *p, LLVMValueRef c, struct program_words *to)
{
	bool ok = true;

	for (uint32_t i = 0; ok && i < elements(LLVMTypeOf(c)); i++)
		ok = program_constant(p, LLVMGetAggregateElement(c, i), to);
	return ok;
}

static bool constant_address(struct symex_program *p, LLVMValueRef c, uint64_t *out)
{
	uintptr_t found;

	if (LLVMIsAGlobalAlias(c))
		return one_word(p, LLVMAliasGetAliasee(c), out);
	if (LLVMIsAGlobalVariable(c) && LLVMIsThreadLocal(c))
		return false;
	if (ptrmap_get(&p->function_of, c, &found))
		*out = ((struct program_function *)found)->address;
	else if (ptrmap_get(&p->global_of, c, &found))
		*out = found;
	else
		return false;
	return true;
}

bool program_constant(struct symex_program *p, LLVMValueRef c, struct program_words *to)
{
	LLVMTypeRef type = LLVMTypeOf(c);
	uint64_t word = 0;

	if (LLVMIsAConstantInt(c))
		return constant_integer(c, to);
	if (LLVMIsAConstantFP(c))
		return constant_real(c, to);
	if (LLVMIsAConstantPointerNull(c) || LLVMIsUndef(c) || LLVMIsPoison(c) ||
	    LLVMIsAConstantAggregateZero(c)) {
		push_zeros(to, program_words_of(p, type));
		return true;
	}
	if (is_aggregate(type) && !LLVMIsAConstantExpr(c))
		return constant_elements(p, c, to);
	if (LLVMIsABlockAddress(c))
		word = program_label(p, LLVMGetBlockAddressBasicBlock(c));
	else if (LLVMIsAFunction(c) || LLVMIsAGlobalVariable(c) || LLVMIsAGlobalAlias(c)) {
		if (!constant_address(p, c, &word))
			return false;
	} else if (!LLVMIsAConstantExpr(c) || !constant_expression(p, c, &word)) {
		return false;
	}
	vec_push(to, word);
	return true;
}

uint64_t program_label(struct symex_program *p, LLVMBasicBlockRef block)
{
	uintptr_t found;
	uint64_t address = ADDR_LABEL + p->label_blocks.count * 16;

	if (ptrmap_get(&p->labels, block, &found))
		return found;
	vec_push(&p->label_blocks, block);
	ptrmap_set(&p->labels, block, address);
	return address;
}
