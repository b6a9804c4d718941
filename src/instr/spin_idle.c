#include "instr/spin_idle.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "instr/call.h"
#include "instr/calls.h"

#define MOST_BLOCKS 512 /* of a function that is looked at */
#define MOST_VALUES 64	/* computed from one */

struct search {
	struct unit *u;
	const struct cfg *c;
	const struct cfg_loop *loop;
	VEC(LLVMValueRef) values; /* idle if everything else is */
	bool *behind;		  /* [b * blocks + p]: every way from b to an end leads through p */
};

/* ---- what only spends time ---- */

static bool is_call(LLVMValueRef i)
{
	return LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i);
}

static bool library_spends_time(LLVMValueRef call)
{
	static const char *const names[] = {"sched_yield", "pthread_yield", "thrd_yield", "usleep",
					    "sleep"};
	size_t bytes;
	const char *symbol = LLVMGetValueName2(LLVMGetCalledValue(call), &bytes);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strcmp(symbol, names[i]))
			return true;
	return false;
}

/* Markers, pauses and arithmetic. */
static bool intrinsic_spends_time(LLVMValueRef call)
{
	static const char *const names[] = {"llvm.dbg.",  "llvm.lifetime.", "llvm.x86.sse2.pause",
					    "llvm.umin.", "llvm.umax.",	    "llvm.smin.",
					    "llvm.smax.", "llvm.abs.",	    "llvm.expect."};
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t bytes;
	const char *symbol = LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &bytes) : "";

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (!strncmp(symbol, names[i], strlen(names[i])))
			return true;
	return LLVMIsAInlineAsm(callee) && LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
}

static bool call_spends_time(struct unit *u, LLVMValueRef call)
{
	switch (call_classify(call)) {
	case CALL_NONE:
		return intrinsic_spends_time(call);
	case CALL_INSIDE:
		return ptrmap_has(&u->idle, LLVMGetCalledValue(call));
	case CALL_LIBRARY:
		return library_spends_time(call);
	default:
		return false;
	}
}

/* It does so by events of the thread. */
static bool call_is_event(LLVMValueRef call)
{
	return call_classify(call) != CALL_NONE;
}

static bool is_division(LLVMValueRef i)
{
	LLVMOpcode code = LLVMGetInstructionOpcode(i);

	return code == LLVMSDiv || code == LLVMUDiv || code == LLVMSRem || code == LLVMURem;
}

static bool only_computes(LLVMValueRef i)
{
	return LLVMIsAICmpInst(i) || LLVMIsAFCmpInst(i) || LLVMIsABinaryOperator(i) ||
	       LLVMIsACastInst(i) || LLVMIsAFreezeInst(i) || LLVMIsASelectInst(i) ||
	       LLVMIsAPHINode(i);
}

static bool spends_time(struct unit *u, LLVMValueRef i)
{
	if (is_call(i))
		return call_spends_time(u, i);
	if (only_computes(i))
		return !is_division(i) || LLVMIsAConstantInt(LLVMGetOperand(i, 1));
	return LLVMIsABranchInst(i) || LLVMIsASwitchInst(i);
}

static bool function_spends_time(struct unit *u, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (!spends_time(u, i) && !LLVMIsAReturnInst(i))
				return false;
	return true;
}

/* From the leaves up: a function that calls itself is left out. */
void spin_find_idle(struct unit *u)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
			if (!LLVMIsDeclaration(f) && !ptrmap_has(&u->idle, f) &&
			    function_spends_time(u, f))
				changed |= ptrmap_add(&u->idle, f);
	}
}

/* ---- blocks ---- */

static uint32_t block_count(const struct search *s)
{
	return (uint32_t)s->c->blocks.count;
}

static bool is_behind(const struct search *s, uint32_t b, uint32_t p)
{
	return s->behind[b * block_count(s) + p];
}

/* One step of the iteration: whether fewer blocks are known to be behind b than before. */
static bool narrow(struct search *s, uint32_t b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(s->c->blocks.items[b]);
	unsigned ways = LLVMGetNumSuccessors(last);
	bool changed = false;

	for (uint32_t p = 0; p < block_count(s); p++) {
		bool all = p == b || ways > 0;

		for (unsigned k = 0; p != b && k < ways; k++) {
			uint32_t next;

			all = all && cfg_index(s->c, LLVMGetSuccessor(last, k), &next) &&
			      is_behind(s, next, p);
		}
		changed |= is_behind(s, b, p) != all;
		s->behind[b * block_count(s) + p] = all;
	}
	return changed;
}

static void find_behind(struct search *s)
{
	const uint32_t n = block_count(s);
	bool changed = true;

	s->behind = xcalloc((size_t)n * n, sizeof(*s->behind));
	memset(s->behind, true, (size_t)n * n);
	while (changed) {
		changed = false;
		for (uint32_t b = n; b-- > 0;)
			changed |= narrow(s, b);
	}
}

/* Where all ways from b meet first; false when there is no such place. */
static bool find_meeting(const struct search *s, uint32_t b, uint32_t *meeting)
{
	for (uint32_t p = 0; p < block_count(s); p++) {
		bool first = p != b && is_behind(s, b, p);

		for (uint32_t q = 0; first && q < block_count(s); q++)
			first = q == b || !is_behind(s, b, q) || is_behind(s, p, q);
		if (!first)
			continue;
		*meeting = p;
		return true;
	}
	return false;
}

struct edge {
	uint32_t from, to;
};

struct walk {
	const struct search *s;
	VEC(struct edge) edges; /* gone along, and about to be from `next' on */
	size_t next;
};

static void walk_along(struct walk *w, uint32_t from, LLVMBasicBlockRef to)
{
	struct edge e = {from, 0};

	if (!cfg_index(w->s->c, to, &e.to))
		return;
	for (size_t i = 0; i < w->edges.count; i++)
		if (w->edges.items[i].from == e.from && w->edges.items[i].to == e.to)
			return;
	vec_push(&w->edges, e);
}

static void walk_on(struct walk *w, uint32_t from)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(w->s->c->blocks.items[from]);

	for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++)
		walk_along(w, from, LLVMGetSuccessor(last, k));
}

/* Marks what can be reached from the ends of b without passing through `stop'. */
static void reach(const struct search *s, uint32_t b, uint32_t stop, bool *reached)
{
	struct walk w = {.s = s};

	walk_on(&w, b);
	while (w.next < w.edges.count) {
		struct edge e = w.edges.items[w.next++];
		LLVMBasicBlockRef next;

		if (e.to == stop)
			continue;
		reached[e.to] = true;
		next = cfg_next(s->c->blocks.items[e.from], s->c->blocks.items[e.to]);
		if (next)
			walk_along(&w, e.to, next);
		else
			walk_on(&w, e.to);
	}
	vec_free(&w.edges);
}

/* ---- values ---- */

static bool add(struct search *s, LLVMValueRef value)
{
	for (size_t i = 0; i < s->values.count; i++)
		if (s->values.items[i] == value)
			return true;
	if (s->values.count == MOST_VALUES)
		return false;
	vec_push(&s->values, value);
	return true;
}

static bool is_quiet_to_header(const struct search *s, LLVMValueRef from)
{
	uint32_t b, header = s->loop->header;
	bool quiet = cfg_index(s->c, LLVMGetInstructionParent(from), &b) && s->loop->inside[b];
	bool *reached = xcalloc(block_count(s), sizeof(*reached));

	for (LLVMValueRef i = LLVMGetNextInstruction(from); quiet && i;
	     i = LLVMGetNextInstruction(i))
		quiet = spends_time(s->u, i);
	if (quiet)
		reach(s, b, header, reached);
	for (uint32_t p = 0; quiet && p < block_count(s); p++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(s->c->blocks.items[p]);
		     quiet && reached[p] && i; i = LLVMGetNextInstruction(i))
			quiet = s->loop->inside[p] && spends_time(s->u, i);
	free(reached);
	return quiet;
}

/* Which way is taken decides what is met with from there on. */
static bool add_phis(struct search *s, uint32_t meeting, uint32_t from, const bool *between)
{
	LLVMBasicBlockRef block = s->c->blocks.items[meeting];

	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i)) {
		LLVMValueRef seen = NULL;

		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);
			uint32_t b;

			if (!cfg_index(s->c, LLVMGetIncomingBlock(i, k), &b) ||
			    (b != from && !between[b]))
				continue;
			if (seen && seen != value && !add(s, i))
				return false;
			seen = value;
		}
	}
	return true;
}

static bool leaves_region(const struct search *s, LLVMValueRef value, const bool *between)
{
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		uint32_t b;

		if (!cfg_index(s->c, LLVMGetInstructionParent(LLVMGetUser(use)), &b) || !between[b])
			return true;
	}
	return false;
}

/* Everything on the ways between does nothing but spend time. */
static bool region_is_idle(struct search *s, LLVMValueRef branch, const bool *between)
{
	bool events = false;

	for (uint32_t b = 0; b < block_count(s); b++)
		for (LLVMValueRef i = LLVMGetFirstInstruction(s->c->blocks.items[b]);
		     between[b] && i; i = LLVMGetNextInstruction(i)) {
			if (!spends_time(s->u, i))
				return false;
			events |= is_call(i) && call_is_event(i);
			if (leaves_region(s, i, between) && !add(s, i))
				return false;
		}
	return !events || is_quiet_to_header(s, branch);
}

static bool branch_is_idle(struct search *s, LLVMValueRef branch)
{
	bool *between, idle;
	uint32_t b, meeting;

	if (!cfg_index(s->c, LLVMGetInstructionParent(branch), &b))
		return true;
	if (!s->behind)
		find_behind(s);
	if (!find_meeting(s, b, &meeting))
		return false;
	between = xcalloc(block_count(s), sizeof(*between));
	reach(s, b, meeting, between);
	idle = region_is_idle(s, branch, between) && add_phis(s, meeting, b, between);
	free(between);
	return idle;
}

static bool use_is_idle(struct search *s, LLVMValueRef user)
{
	if (only_computes(user))
		return spends_time(s->u, user) && add(s, user);
	if (LLVMIsABranchInst(user) || LLVMIsASwitchInst(user))
		return branch_is_idle(s, user);
	if (!is_call(user) || !call_spends_time(s->u, user))
		return false;
	if (call_classify(user) == CALL_INSIDE && !is_quiet_to_header(s, user))
		return false;
	return add(s, user);
}

bool spin_is_idle(struct unit *u, const struct cfg *c, const struct cfg_loop *loop,
		  LLVMValueRef value)
{
	struct search s = {.u = u, .c = c, .loop = loop};
	bool idle = c->blocks.count <= MOST_BLOCKS && add(&s, value);

	for (size_t i = 0; idle && i < s.values.count; i++)
		for (LLVMUseRef use = LLVMGetFirstUse(s.values.items[i]); idle && use;
		     use = LLVMGetNextUse(use))
			idle = use_is_idle(&s, LLVMGetUser(use));
	vec_free(&s.values);
	free(s.behind);
	return idle;
}
