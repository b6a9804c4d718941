#include <string.h>

#include <llvm-c/Core.h>

#include "deps/build.h"
#include "deps/control.h"
#include "instr/calls.h"

bool deps_calls_is(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

static const struct {
	const char *name;
	struct deps_hook use;
} hooks[] = {
	{"load_n", {2, 1}},	   {"load", {1, 0}},	     {"store_n", {2, 1}},
	{"store", {0, 1}},	   {"atomic_load", {1, 0}},  {"atomic_store", {0, 1}},
	{"atomic_rmw", {1, 1}},	   {"atomic_cas_n", {7, 3}}, {"atomic_cas", {1, 1}},
	{"atomic_swap_n", {5, 3}}, {"memcpy", {2, 1}},	     {"memmove", {2, 1}},
	{"memset", {0, 1}},
};

struct deps_hook deps_calls_hook(const char *name)
{
	for (size_t i = 0; i < sizeof(hooks) / sizeof(hooks[0]); i++)
		if (!strncmp(name, hooks[i].name, strlen(hooks[i].name)))
			return hooks[i].use;
	return (struct deps_hook){0, 0};
}

static bool is_noreturn(LLVMValueRef call, LLVMValueRef callee)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

	return LLVMGetCallSiteEnumAttribute(call, at, kind) ||
	       (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, at, kind));
}

int deps_calls_thread_function(const char *name)
{
	if (!strcmp(name, "pthread_create"))
		return 3;
	return !strcmp(name, "thrd_create") ? 2 : -1;
}

static enum deps_callee classify_name(const char *name)
{
	const char *effects;

	if (!strncmp(name, "llvm.memcpy.", 12) || !strncmp(name, "llvm.memmove.", 13))
		return DEPS_CALL_COPY;
	if (!strncmp(name, "llvm.va_", 8) || !strncmp(name, "llvm.memset.", 12))
		return DEPS_CALL_KNOWN;
	if (!strncmp(name, "llvm.", 5))
		return DEPS_CALL_NOTHING;
	/* Whatever else begins there may get at anything; what threads get is an argument. */
	if (calls_tells(name) == CALLS_BEGINS && deps_calls_thread_function(name) < 0)
		return DEPS_CALL_OPAQUE;
	if (calls_find(name) != CALLS_OPAQUE)
		return DEPS_CALL_KNOWN;
	effects = calls_effects(name);
	if (!effects)
		return DEPS_CALL_OPAQUE;
	return calls_only_reads(effects) ? DEPS_CALL_PURE : DEPS_CALL_KNOWN;
}

static int by_name(const void *key, const void *item, void *arg)
{
	const struct deps_build *b = arg;
	size_t bytes;

	return strcmp(key,
		      LLVMGetValueName2(b->functions.items[*(const uint32_t *)item].value, &bytes));
}

/* Functions of all units that a reference to f may mean: several when they are inline. */
static void add_definitions(const struct deps_build *b, LLVMValueRef f, struct deps_list *targets)
{
	uint32_t low = 0, high = (uint32_t)b->by_name.count;
	uintptr_t own;
	size_t bytes;
	const char *name = LLVMGetValueName2(f, &bytes);

	if (ptrmap_get(&b->function_of, f, &own))
		vec_push(targets, (uint32_t)own - 1);
	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (by_name(name, &b->by_name.items[mid], (void *)b) > 0)
			low = mid + 1;
		else
			high = mid;
	}
	for (; low < b->by_name.count && !by_name(name, &b->by_name.items[low], (void *)b); low++) {
		if (b->functions.items[b->by_name.items[low]].value != f)
			vec_push(targets, b->by_name.items[low]);
	}
}

/* Functions whose address may be in a class. */
static void add_class(struct deps_build *b, uint32_t class, struct deps_list *targets)
{
	class = deps_points_find(&b->points, class);
	for (size_t i = 0; i < b->points.functions.count; i++)
		if (deps_points_find(&b->points, b->points.function_class.items[i]) == class)
			add_definitions(b, b->points.functions.items[i], targets);
}

/* Functions given to one that may call them. */
static void add_callbacks(struct deps_build *b, LLVMValueRef call, struct deps_list *targets)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef arg = LLVMGetOperand(call, i);

		if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind)
			add_class(b, deps_points_place(&b->points, arg), targets);
	}
}

enum deps_callee deps_calls_find(struct deps_build *b, LLVMValueRef call, struct deps_list *targets)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	enum deps_callee kind;
	size_t bytes;

	vec_clear(targets);
	if (instr_again_hook(call))
		return DEPS_CALL_HOOK;
	if (LLVMIsAInlineAsm(callee))
		return DEPS_CALL_OPAQUE;
	if (!LLVMIsAFunction(callee)) {
		add_class(b, deps_points_place(&b->points, callee), targets);
		/* A function of a class that code outside can hand out may be anybody's. */
		if (!targets->count || deps_points_place(&b->points, callee) ==
					       deps_points_find(&b->points, b->points.outside))
			return DEPS_CALL_OPAQUE;
		return DEPS_CALL_INSIDE;
	}
	add_definitions(b, callee, targets);
	if (targets->count)
		return DEPS_CALL_INSIDE;
	kind = classify_name(LLVMGetValueName2(callee, &bytes));
	if (kind == DEPS_CALL_KNOWN || kind == DEPS_CALL_OPAQUE)
		add_callbacks(b, call, targets);
	if (kind == DEPS_CALL_OPAQUE)
		add_class(b, b->points.outside, targets);
	return kind;
}

bool deps_calls_stay(struct deps_build *b, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(b, call, &targets);
	bool stays = kind == DEPS_CALL_OPAQUE ||
		     (kind != DEPS_CALL_HOOK && is_noreturn(call, LLVMGetCalledValue(call)));

	for (size_t i = 0; i < targets.count && kind == DEPS_CALL_INSIDE; i++)
		stays |= b->functions.items[targets.items[i]].stays;
	vec_free(&targets);
	return stays;
}

int deps_calls_thread_argument(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t bytes;
	int argument;

	if (!LLVMIsAFunction(callee))
		return -1;
	argument = deps_calls_thread_function(LLVMGetValueName2(callee, &bytes));
	return argument < (int)LLVMGetNumArgOperands(call) ? argument : -1;
}

static void bind_arguments(struct deps_build *b, LLVMValueRef call, LLVMValueRef f, bool exact)
{
	unsigned params = LLVMCountParams(f), n = LLVMGetNumArgOperands(call);
	int only = deps_calls_thread_argument(call);

	if (!exact && only >= 0 && params == 1) {
		deps_points_assign(&b->points, LLVMGetParam(f, 0),
				   LLVMGetOperand(call, (unsigned)only));
		return;
	}
	for (unsigned i = 0; i < n; i++) {
		for (unsigned k = 0; k < params; k++)
			if (!exact || i == k)
				deps_points_assign(&b->points, LLVMGetParam(f, k),
						   LLVMGetOperand(call, i));
		if (exact && i >= params)
			deps_points_escape(&b->points, LLVMGetOperand(call, i));
	}
}

/* Arguments become parameters, results what the call gives. */
static void bind(struct deps_build *b, LLVMValueRef call, uint32_t target, bool exact)
{
	LLVMValueRef f = b->functions.items[target].value;

	bind_arguments(b, call, f, exact);
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k)) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(k);

		if (!last || !LLVMIsAReturnInst(last) || !LLVMGetNumOperands(last))
			continue;
		if (exact)
			deps_points_assign(&b->points, call, LLVMGetOperand(last, 0));
		else
			deps_points_escape(&b->points, LLVMGetOperand(last, 0));
	}
}

static void use_hook(struct deps_points *p, LLVMValueRef call, const char *name)
{
	unsigned n = LLVMGetNumArgOperands(call);
	LLVMValueRef at = n ? LLVMGetOperand(call, 0) : NULL;

	if (!strncmp(name, "load_n", 6) || !strncmp(name, "store_n", 7) ||
	    !strncmp(name, "mem", 3)) {
		if (strcmp(name, "memset"))
			deps_points_copy(p, at, LLVMGetOperand(call, 1));
		if (*name == 'm')
			deps_points_assign(p, call, at);
	} else if (!strcmp(name, "atomic_cas_n") || !strcmp(name, "atomic_swap_n")) {
		for (unsigned i = 1; i <= 2; i++)
			if (!LLVMIsNull(LLVMGetOperand(call, i)))
				deps_points_copy(p, at, LLVMGetOperand(call, i));
	} else if (!strncmp(name, "load", 4) || !strncmp(name, "store", 5) ||
		   !strncmp(name, "atomic", 6)) {
		deps_points_access(p, at, call);
		for (unsigned i = 1; i + 1 < n; i++)
			deps_points_access(p, at, LLVMGetOperand(call, i));
	}
}

/* Does it hand bytes from and to elsewhere: the kernel, another thread, a stream? */
static bool exchanges(const char *name)
{
	const char *effects = calls_effects(name);
	enum calls_tells tells = calls_tells(name);

	if (calls_find(name) != CALLS_OPAQUE)
		return tells == CALLS_WORLD || tells == CALLS_GIVES;
	for (const char *w = effects; w && *w; w += strcspn(w, " "), w += strspn(w, " "))
		if (*w == 'h' || *w == 'g' || *w == 'i')
			return true;
	return false;
}

static void use_known(struct deps_points *p, LLVMValueRef call)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &bytes);
	/* Where variable arguments and values of thread keys come from is not followed. */
	bool keeps = strstr(name, "va_start") || strstr(name, "specific") || strstr(name, "tss_") ||
		     strstr(name, "join");

	if (!keeps && !exchanges(name))
		return;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef arg = LLVMGetOperand(call, i);

		if (keeps)
			deps_points_escape(p, arg);
		/* Pointers may go through a pipe, and come out of it. */
		else if (LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind)
			deps_points_unify(p, deps_points_to(p, deps_points_place(p, arg)),
					  p->outside);
	}
	deps_points_escape(p, call);
}

static void use_call(struct deps_build *b, LLVMValueRef call)
{
	struct deps_points *p = &b->points;
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(b, call, &targets);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		if (kind == DEPS_CALL_OPAQUE)
			deps_points_escape(p, LLVMGetOperand(call, i));
		/* Of what the compiler knows, the place of a thread's variable is a pointer. */
		else if (kind == DEPS_CALL_PURE || kind == DEPS_CALL_KNOWN ||
			 kind == DEPS_CALL_NOTHING)
			deps_points_assign(p, call, LLVMGetOperand(call, i));
	}
	if (kind == DEPS_CALL_OPAQUE)
		deps_points_escape(p, call);
	if (kind == DEPS_CALL_COPY)
		deps_points_copy(p, LLVMGetOperand(call, 0), LLVMGetOperand(call, 1));
	if (kind == DEPS_CALL_HOOK)
		use_hook(p, call, instr_again_hook(call));
	if (kind == DEPS_CALL_KNOWN)
		use_known(p, call);
	for (size_t i = 0; i < targets.count; i++)
		bind(b, call, targets.items[i], kind == DEPS_CALL_INSIDE);
	vec_free(&targets);
}

static void use_instruction(struct deps_build *b, LLVMValueRef i)
{
	struct deps_points *p = &b->points;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		deps_points_access(p, LLVMGetOperand(i, 0), i);
		break;
	case LLVMStore:
		deps_points_access(p, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		deps_points_access(p, LLVMGetOperand(i, 0), i);
		for (int k = 1; k < LLVMGetNumOperands(i); k++)
			deps_points_access(p, LLVMGetOperand(i, 0), LLVMGetOperand(i, (unsigned)k));
		break;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		use_call(b, i);
		break;
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMAlloca:
		break;
	case LLVMLandingPad:
		deps_points_escape(p, i);
		break;
	default:
		for (int k = 0; k < LLVMGetNumOperands(i); k++)
			if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, (unsigned)k)))
				deps_points_assign(p, i, LLVMGetOperand(i, (unsigned)k));
	}
}

static void find_stays(struct deps_build *b)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (size_t i = 0; i < b->functions.count; i++) {
			struct deps_function *f = &b->functions.items[i];

			if (f->stays || !deps_control_stays(b, f->value))
				continue;
			f->stays = changed = true;
		}
	}
}

void deps_calls_resolve(struct deps_build *b)
{
	uint64_t before;

	for (size_t u = 0; u < b->units.count; u++)
		for (LLVMValueRef g = LLVMGetFirstGlobal(b->units.items[u].mod); g;
		     g = LLVMGetNextGlobal(g))
			deps_points_initializer(&b->points, g);
	do {
		before = b->points.changes;
		for (size_t i = 0; i < b->functions.count; i++)
			for (LLVMBasicBlockRef k =
				     LLVMGetFirstBasicBlock(b->functions.items[i].value);
			     k; k = LLVMGetNextBasicBlock(k))
				for (LLVMValueRef v = LLVMGetFirstInstruction(k); v;
				     v = LLVMGetNextInstruction(v))
					use_instruction(b, v);
	} while (b->points.changes != before);
	find_stays(b);
}
