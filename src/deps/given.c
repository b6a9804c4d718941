#include "deps/given.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "deps/build.h"
#include "instr/calls.h"
#include "instr/record.h"

static const char *name_of(LLVMValueRef callee)
{
	size_t bytes;

	return LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &bytes) : "";
}

static const char *next_word(const char *w)
{
	w += strcspn(w, " ");
	return w + strspn(w, " ");
}

/* ---- intrinsics ---- */

/* Of the attribute memory(...): two bits per kind of memory, 1 reads, 2 writes. */
#define ARGUMENTS(effects) ((effects)&3)
#define ELSEWHERE(effects) ((effects) >> 2)
#define ALL_MEMORY 0x3f

static uint64_t memory_effects(LLVMValueRef intrinsic)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("memory", 6);
	LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(
		intrinsic, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, kind);

	return a ? LLVMGetEnumAttributeValue(a) : ALL_MEMORY;
}

/* What the compiler answers, and may answer differently for the same code: constants, sizes. */
static bool compiler_answers(const char *name)
{
	return !strncmp(name, "llvm.is.constant", 16) || !strncmp(name, "llvm.objectsize.", 16);
}

/* Where the code or the stack lies, or the time: nothing that its arguments say. */
static bool machine_answers(const char *name)
{
	return !strncmp(name, "llvm.x86.rd", 11) || !strncmp(name, "llvm.read", 9) ||
	       !strcmp(name, "llvm.returnaddress") || !strncmp(name, "llvm.get.", 9);
}

/* For the compiler: they claim to write what they speak of. */
static bool only_says(const char *name)
{
	return !strncmp(name, "llvm.lifetime.", 14) || !strncmp(name, "llvm.invariant.", 15) ||
	       !strncmp(name, "llvm.dbg.", 9) || !strcmp(name, "llvm.assume");
}

static bool is_pointer_result(LLVMValueRef function)
{
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

static struct deps_given of_intrinsic(LLVMValueRef callee, const char *name)
{
	static const struct deps_given told = {DEPS_GIVEN_TOLD, DEPS_GIVEN_TOLD};
	struct deps_given g = {DEPS_GIVEN_VALUE, DEPS_GIVEN_NOTHING};
	uint64_t effects = memory_effects(callee);

	if (compiler_answers(name) || machine_answers(name))
		return told;
	if (only_says(name))
		return (struct deps_given){DEPS_GIVEN_NOTHING, DEPS_GIVEN_NOTHING};
	if (!strncmp(name, "llvm.va_", 8) || ARGUMENTS(effects) & 2)
		g.writes = DEPS_GIVEN_COMPUTED;
	if (ARGUMENTS(effects) & 1)
		g.result = DEPS_GIVEN_COMPUTED;
	/* Frames and variables of threads: addresses, which are of the same objects again. */
	if (ELSEWHERE(effects) & 5 && !is_pointer_result(callee))
		g.result = DEPS_GIVEN_TOLD;
	return g;
}

/* ---- library ---- */

/* Words that say of state which others share or of the world. */
static bool effects_tell(const char *effects)
{
	for (const char *w = effects; *w; w = next_word(w))
		if (*w == 'h' || *w == 'g' || *w == 'i' || *w == '@')
			return true;
	return false;
}

static struct deps_given of_described(const char *effects)
{
	struct deps_given g = {DEPS_GIVEN_COMPUTED, DEPS_GIVEN_COMPUTED};

	if (effects_tell(effects))
		g.result = g.writes = DEPS_GIVEN_TOLD;
	return g;
}

static struct deps_given of_modelled(const char *name)
{
	static const struct deps_given by_word[] = {
		[CALLS_WORLD] = {DEPS_GIVEN_TOLD, DEPS_GIVEN_TOLD},
		[CALLS_PLAIN] = {DEPS_GIVEN_AGAIN, DEPS_GIVEN_AGAIN},
		[CALLS_OWN] = {DEPS_GIVEN_AGAIN, DEPS_GIVEN_NOTHING},
		[CALLS_TRIES] = {DEPS_GIVEN_TOLD, DEPS_GIVEN_NOTHING},
		[CALLS_COMPUTES] = {DEPS_GIVEN_COMPUTED, DEPS_GIVEN_COMPUTED},
		[CALLS_GIVES] = {DEPS_GIVEN_AGAIN, DEPS_GIVEN_TOLD},
		[CALLS_BEGINS] = {DEPS_GIVEN_TOLD, DEPS_GIVEN_TOLD},
	};
	static const struct deps_given thread = {DEPS_GIVEN_TOLD, DEPS_GIVEN_AGAIN};

	return deps_calls_thread_function(name) >= 0 ? thread : by_word[calls_tells(name)];
}

/* Will it be known when the thread is executed again? */
static bool is_executed(const char *name)
{
	static const char *const names[] = {
#define X(name) #name,
#include "wire/executed.def"
#undef X
	};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(names[i], name))
			return true;
	return false;
}

struct deps_given deps_given(LLVMValueRef callee)
{
	struct deps_given g = {DEPS_GIVEN_TOLD, DEPS_GIVEN_TOLD};
	const char *name = name_of(callee), *effects = calls_effects(name);

	if (!strncmp(name, "llvm.", 5))
		return of_intrinsic(callee, name);
	if (record_input_logged(name) || record_input_same(name))
		g.result = g.writes = DEPS_GIVEN_AGAIN;
	else if (calls_find(name) != CALLS_OPAQUE)
		g = of_modelled(name);
	else if (effects)
		g = of_described(effects);
	if (!record_input_logged(name) && !is_executed(name))
		g.result = DEPS_GIVEN_TOLD;
	return g;
}

static enum deps_written by_effects(const char *effects, unsigned i)
{
	char digit = (char)(i < 10 ? '0' + i : 'a' + i - 10);
	enum deps_written found = DEPS_WRITTEN_NOT;

	for (const char *w = effects; *w; w = next_word(w)) {
		bool deep = (*w == 'w' && w[1] == '*') || *w == 'T';
		char number = *w == 'w' && (w[1] == '+' || w[1] == '*') ? w[2] : w[1];

		/* Formats of scanf, callbacks, models: anything that is handed over. */
		if (*w && strchr("cCq@", *w))
			return DEPS_WRITTEN_DEEP;
		if ((*w == 'w' || *w == 'u' || *w == 'T') && number == digit)
			found = deep || found == DEPS_WRITTEN_DEEP ? DEPS_WRITTEN_DEEP
								   : DEPS_WRITTEN_PLACE;
	}
	return found;
}

enum deps_written deps_given_written(LLVMValueRef callee, unsigned argument)
{
	const char *name = name_of(callee), *effects = calls_effects(name);

	if (deps_given(callee).writes == DEPS_GIVEN_NOTHING)
		return DEPS_WRITTEN_NOT;
	if (!strncmp(name, "llvm.", 5))
		return DEPS_WRITTEN_PLACE;
	if (effects)
		return by_effects(effects, argument);
	/* The handle; what the thread is given is its own. */
	if (deps_calls_thread_function(name) >= 0)
		return argument == 0 ? DEPS_WRITTEN_PLACE : DEPS_WRITTEN_NOT;
	return calls_find(name) == CALLS_OPAQUE ? DEPS_WRITTEN_DEEP : DEPS_WRITTEN_PLACE;
}
