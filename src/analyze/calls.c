/* Who is called, what they get, and which threads begin there. */
#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/outside.h"
#include "analyze/whole.h"
#include "instr/asm.h"

static uint32_t argument(struct whole *w, uint32_t body, LLVMValueRef call, unsigned i)
{
	return whole_node(w, body, LLVMGetArgOperand(call, i));
}

/* The function of that name in this program, wherever it is only declared. */
static LLVMValueRef bare(LLVMValueRef f)
{
	while (LLVMIsAGlobalAlias(f))
		f = LLVMAliasGetAliasee(f);
	return f;
}

/* ---- calls ---- */

bool whole_by_value(LLVMValueRef f, unsigned parameter)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);

	return LLVMGetEnumAttributeAtIndex(f, parameter + 1, kind) != NULL;
}

/* The called function gets a copy of what the argument points to. */
static void copy_argument(struct whole *w, uint32_t body, LLVMValueRef call, uint32_t to,
			  unsigned i)
{
	LLVMValueRef parameter = LLVMGetParam(whole_function(w, to), i);
	uint32_t node = whole_node(w, to, parameter);
	struct watch x = {.kind = WATCH_COPY, .body = body, .call = call, .b = node};
	bool fresh;
	uint32_t object = whole_made(w, OBJECT_STACK, to, parameter, &fresh);

	points_put(&w->points, node, locs_get(&w->points.locs, object, 0, 0));
	x.a = argument(w, body, call, i);
	whole_watch(w, x.a, x);
}

static void bind(struct whole *w, uint32_t body, LLVMValueRef call, uint32_t to)
{
	LLVMValueRef f = whole_function(w, to);
	unsigned params = LLVMCountParams(f), n = LLVMGetNumArgOperands(call);

	for (unsigned i = 0; i < n; i++)
		if (i < params && whole_by_value(f, i))
			copy_argument(w, body, call, to, i);
		else
			points_copy(&w->points, argument(w, body, call, i),
				    i < params ? whole_node(w, to, LLVMGetParam(f, i))
					       : w->bodies.items[to].rest);
	points_copy(&w->points, w->bodies.items[to].result, whole_node(w, body, call));
}

void whole_call_function(struct whole *w, uint32_t body, LLVMValueRef call, LLVMValueRef f)
{
	uint32_t code;
	size_t bytes;

	f = bare(f);
	code = LLVMIsAFunction(f) ? whole_code(w, f) : WHOLE_NONE;
	if (code != WHOLE_NONE)
		bind(w, body, call, whole_enter(w, body, call, code));
	else
		whole_outside(w, body, call, LLVMGetValueName2(f, &bytes));
}

static void asm_note(struct whole *w, uint32_t body, LLVMValueRef call)
{
	if (!asm_may_touch(call))
		return;
	whole_note(w, "assembly", "inline assembly that is not understood", call);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		whole_escape(w, argument(w, body, call, i));
	points_copy(&w->points, w->escaped, whole_node(w, body, call));
}

void whole_call(struct whole *w, uint32_t body, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (LLVMIsAInlineAsm(callee)) {
		asm_note(w, body, call);
		return;
	}
	callee = bare(callee);
	if (LLVMIsAFunction(callee)) {
		whole_call_function(w, body, call, callee);
		return;
	}
	whole_watch(w, whole_node(w, body, callee),
		    (struct watch){.kind = WATCH_CALL, .body = body, .call = call});
}

void whole_escape(struct whole *w, uint32_t node)
{
	points_copy(&w->points, node, w->escaped);
}

/* ---- watched nodes ---- */

/* Everything stored in the object may be anything known outside, and is known there. */
static void escape_object(struct whole *w, uint32_t object)
{
	uint32_t any = locs_get(&w->points.locs, object, 0, 1);
	struct object *o = &w->points.locs.objects.items[object];

	if (o->escaped || o->kind == OBJECT_UNKNOWN)
		return;
	o->escaped = true;
	if (o->kind == OBJECT_FUNCTION) {
		uint32_t code = whole_code(w, o->value);

		/* Whoever knows it may call it, in a thread of theirs. */
		if (code != WHOLE_NONE) {
			LLVMValueRef f = o->value;
			uint32_t root = whole_foreign(w, f, code);

			for (unsigned i = 0; i < LLVMCountParams(f); i++)
				points_copy(&w->points, w->escaped,
					    whole_node(w, root, LLVMGetParam(f, i)));
			whole_escape(w, w->bodies.items[root].result);
		}
		return;
	}
	points_copy(&w->points, w->escaped, points_in(&w->points, any));
	points_copy(&w->points, points_out(&w->points, any), w->escaped);
}

/* Calls of a library function call back: it hands on what it has. */
static void call_back(struct whole *w, const struct watch *x, LLVMValueRef f)
{
	uint32_t code = whole_code(w, bare(f)), to;

	if (code == WHOLE_NONE)
		return;
	to = whole_enter(w, x->body, x->call, code);
	w->bodies.items[to].called_back = true;
	for (unsigned i = 0; i < LLVMCountParams(f); i++)
		points_copy(&w->points, x->a, whole_node(w, to, LLVMGetParam(f, i)));
	points_copy(&w->points, w->bodies.items[to].result, whole_node(w, x->body, x->call));
}

static void create(struct whole *w, const struct watch *x, LLVMValueRef f)
{
	uint32_t code = whole_code(w, bare(f)), t, root;
	size_t bytes;

	if (code == WHOLE_NONE) {
		const char *name = LLVMGetValueName2(f, &bytes);

		if (outside_is_opaque(name)) {
			whole_note(w, "call", name, x->call);
			if (x->a != POINTS_NONE)
				whole_escape(w, x->a);
		}
		return;
	}
	t = whole_thread(w, x->kind == WATCH_HANDLER ? THREAD_HANDLER : THREAD_PLAIN, x->body,
			 x->call, code);
	root = w->threads.items[t].root;
	if (x->a != POINTS_NONE)
		for (unsigned i = 0; i < LLVMCountParams(f); i++)
			points_copy(&w->points, x->a, whole_node(w, root, LLVMGetParam(f, i)));
	if (x->b != POINTS_NONE) {
		uint32_t handle = points_node(&w->points);

		points_put(&w->points, handle,
			   locs_get(&w->points.locs, w->threads.items[t].handle, 0, 0));
		points_edge(&w->points, x->b,
			    (struct points_edge){.kind = POINTS_STORE, .other = handle});
	}
}

/* Runs when the process or the thread ends. */
static void end(struct whole *w, const struct watch *x, LLVMValueRef f)
{
	uint32_t code = whole_code(w, bare(f)), to;

	if (code == WHOLE_NONE)
		return;
	to = whole_enter(w, x->body, NULL, code);
	w->bodies.items[to].called_back = true;
	if (x->a != POINTS_NONE)
		for (unsigned i = 0; i < LLVMCountParams(f); i++)
			points_copy(&w->points, x->a, whole_node(w, to, LLVMGetParam(f, i)));
}

#define MAX_WORDS 64 /* of a block copy that are followed one by one */

static void copy_words(struct whole *w, uint32_t to, uint32_t from, uint64_t bytes)
{
	struct points *p = &w->points;

	for (uint64_t at = 0; at < bytes; at += 8) {
		uint32_t a = locs_add(&p->locs, to, (int64_t)at, 0);
		uint32_t b = locs_add(&p->locs, from, (int64_t)at, 0);

		if (a != LOC_NONE && b != LOC_NONE)
			points_copy(p, points_out(p, b), points_in(p, a));
	}
}

static void copy_block(struct whole *w, const struct watch *x, uint32_t to, uint32_t from)
{
	struct points *p = &w->points;

	if (x->bytes && x->bytes <= MAX_WORDS * 8) {
		copy_words(w, to, from, x->bytes);
		return;
	}
	points_copy(p, points_out(p, locs_get(&p->locs, p->locs.all.items[from].object, 0, 1)),
		    points_in(p, locs_get(&p->locs, p->locs.all.items[to].object, 0, 1)));
}

/* A pointer to a block that is copied came: with all on the other side. */
static void copied(struct whole *w, const struct watch *x, uint32_t loc)
{
	size_t n;
	VEC(uint32_t) others = VEC_INIT;
	const uint32_t *set = points_set(&w->points, x->b, &n);

	for (size_t i = 0; i < n; i++)
		vec_push(&others, set[i]);
	/* a is the node watched, call NULL when that is where it is copied to. */
	for (size_t i = 0; i < others.count; i++)
		copy_block(w, x, x->call ? others.items[i] : loc, x->call ? loc : others.items[i]);
	vec_free(&others);
}

/*
 * Virtual functions of the C++ library's own classes, by their table or what tells their type: they
 * work on their object and the library's memory.
 */
static bool is_library_class(const char *name)
{
	static const char *const begins[] = {"_ZTVSt", "_ZTVNSt", "_ZTVN10__cxxabiv1",
					     "_ZTISt", "_ZSt",	  "_ZNSt",
					     "_ZNKSt", "_ZTINSt", "_ZTVN9__gnu_cxx"};

	for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
		if (!strncmp(name, begins[i], strlen(begins[i])))
			return true;
	return !strcmp(name, "__cxa_pure_virtual");
}

static void called(struct whole *w, const struct watch *x, const struct object *o)
{
	size_t bytes;

	if (o->kind == OBJECT_FUNCTION) {
		LLVMValueRef f = o->value;

		/* Called with other arguments than it takes: not this one. */
		if (whole_code(w, bare(f)) == WHOLE_NONE ||
		    LLVMCountParams(f) <= LLVMGetNumArgOperands(x->call))
			whole_call_function(w, x->body, x->call, f);
	} else if (o->kind == OBJECT_UNKNOWN || o->kind == OBJECT_LIBRARY) {
		LLVMValueRef f = o->value;

		if (!f && o->kind == OBJECT_LIBRARY)
			return;
		if (f && is_library_class(LLVMGetValueName2(f, &bytes)))
			return;

		whole_note(w, "call",
			   f && LLVMIsAGlobalValue(f) ? LLVMGetValueName2(f, &bytes)
						      : "a function through a pointer",
			   x->call);
		for (unsigned i = 0; i < LLVMGetNumArgOperands(x->call); i++)
			whole_escape(w, argument(w, x->body, x->call, i));
		points_copy(&w->points, w->escaped, whole_node(w, x->body, x->call));
	}
}

void whole_told(void *arg, uint32_t number, uint32_t loc)
{
	struct whole *w = arg;
	struct watch x = w->watches.items[number];
	uint32_t object = w->points.locs.all.items[loc].object;
	struct object o = w->points.locs.objects.items[object];

	switch (x.kind) {
	case WATCH_CALL:
		called(w, &x, &o);
		break;
	case WATCH_ESCAPE:
		escape_object(w, object);
		break;
	case WATCH_COPY:
		copied(w, &x, loc);
		break;
	case WATCH_JOIN:
		if (o.kind == OBJECT_THREAD)
			points_edge(&w->points, x.a,
				    (struct points_edge){.kind = POINTS_STORE,
							 .other = w->threads.items[o.made].result});
		break;
	default:
		if (o.kind != OBJECT_FUNCTION) {
			if (o.kind == OBJECT_UNKNOWN)
				whole_note(w, "call", "a function through a pointer", x.call);
			break;
		}
		if (x.kind == WATCH_CALLBACK)
			call_back(w, &x, o.value);
		else if (x.kind == WATCH_END)
			end(w, &x, o.value);
		else
			create(w, &x, o.value);
	}
}
