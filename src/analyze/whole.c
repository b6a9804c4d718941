#include "analyze/whole.h"

#include <assert.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "instr/asm.h"
#include "instr/flavor.h"
#include "instr/name.h"
#include "ir/bitcode.h"
#include "ir/canon.h"
#include "ir/module.h"

#define MAX_INSTRUCTIONS 100000 /* of bodies with a context each */
#define MAX_DEPTH 64

/* ---- code ---- */

static void mark_cyclic(struct code *c)
{
	size_t n = c->cfg.blocks.count;
	VEC(uint32_t) work = VEC_INIT;
	bool *seen = xcalloc(n + 1, sizeof(bool));

	c->cyclic = xcalloc(n + 1, sizeof(bool));
	for (uint32_t from = 0; from < n; from++) {
		memset(seen, 0, n * sizeof(bool));
		vec_push(&work, from);
		while (work.count && !c->cyclic[from]) {
			LLVMValueRef end =
				LLVMGetBasicBlockTerminator(c->cfg.blocks.items[vec_pop(&work)]);

			for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++) {
				uint32_t to;

				if (!cfg_index(&c->cfg, LLVMGetSuccessor(end, i), &to))
					continue;
				c->cyclic[from] |= to == from;
				if (!seen[to])
					vec_push(&work, to);
				seen[to] = true;
			}
		}
		vec_clear(&work);
	}
	vec_free(&work);
	free(seen);
}

static void add_code(struct whole *w, LLVMValueRef function)
{
	struct code c = {.function = function};

	for (unsigned i = 0; i < LLVMCountParams(function); i++)
		ptrmap_set(&c.number, LLVMGetParam(function, i), ++c.values);
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k;
	     k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			ptrmap_set(&c.number, i, ++c.values);
	cfg_init(&c.cfg, function);
	mark_cyclic(&c);
	vec_push(&w->codes, c);
	ptrmap_set(&w->code_of, function, w->codes.count);
}

uint32_t whole_code(struct whole *w, LLVMValueRef function)
{
	uintptr_t n;

	return ptrmap_get(&w->code_of, function, &n) ? (uint32_t)n - 1 : WHOLE_NONE;
}

/* ---- bodies ---- */

static bool too_much(const struct whole *w)
{
	return w->instructions > MAX_INSTRUCTIONS;
}

/* A body of the code on the way to this one, or any when there are too many. */
static uint32_t find_above(const struct whole *w, uint32_t body, uint32_t code)
{
	uint32_t at = body, depth = 0, thread = w->bodies.items[body].thread;

	for (;;) {
		const struct body *b = &w->bodies.items[at];

		if (b->code == code)
			return at;
		if (!b->callers.count || ++depth > MAX_DEPTH)
			break;
		at = b->callers.items[0].body;
	}
	if (depth <= MAX_DEPTH && !too_much(w) && thread != w->foreign)
		return WHOLE_NONE;
	for (uint32_t i = 0; i < w->bodies.count; i++)
		if (w->bodies.items[i].code == code && w->bodies.items[i].thread == thread)
			return i;
	return WHOLE_NONE;
}

static uint32_t new_body(struct whole *w, uint32_t code, uint32_t thread)
{
	struct body b = {.code = code, .thread = thread};

	b.result = points_node(&w->points);
	b.rest = points_node(&w->points);
	b.first = points_node(&w->points);
	for (uint32_t i = 1; i < w->codes.items[code].values; i++)
		points_node(&w->points);
	w->instructions += w->codes.items[code].values;
	vec_push(&w->bodies, b);
	return (uint32_t)w->bodies.count - 1;
}

uint32_t whole_enter(struct whole *w, uint32_t body, LLVMValueRef call, uint32_t code)
{
	const struct body *b = &w->bodies.items[body];
	struct link l = {.call = call};
	struct caller c = {call, body};

	for (size_t i = 0; i < b->links.count; i++)
		if (b->links.items[i].call == call &&
		    w->bodies.items[b->links.items[i].body].code == code)
			return b->links.items[i].body;
	l.body = find_above(w, body, code);
	if (l.body == WHOLE_NONE)
		l.body = new_body(w, code, b->thread);
	else
		w->bodies.items[l.body].shared = true;
	vec_push(&w->bodies.items[body].links, l);
	vec_push(&w->bodies.items[l.body].callers, c);
	return l.body;
}

/* ---- threads ---- */

/* The same place makes a thread that makes a thread: all of them are one of ours. */
static uint32_t find_thread(const struct whole *w, uint32_t body, LLVMValueRef call, uint32_t code)
{
	uint32_t depth = 0;

	for (uint32_t i = 0; i < w->threads.count; i++)
		if (w->threads.items[i].body == body && w->threads.items[i].create == call &&
		    w->bodies.items[w->threads.items[i].root].code == code)
			return i;
	for (uint32_t t = w->bodies.items[body].thread; t; t = w->threads.items[t].parent) {
		const struct thread *x = &w->threads.items[t];

		depth++;
		if (x->create == call && w->bodies.items[x->root].code == code)
			return t;
		if (depth > MAX_DEPTH)
			return t;
	}
	return WHOLE_NONE;
}

uint32_t whole_thread(struct whole *w, enum thread_kind kind, uint32_t body, LLVMValueRef call,
		      uint32_t code)
{
	struct thread t = {.kind = kind, .create = call, .body = body};
	uint32_t number = call ? find_thread(w, body, call, code) : WHOLE_NONE, root;

	if (number != WHOLE_NONE) {
		if (w->threads.items[number].body != body)
			w->threads.items[number].many = true;
		return number;
	}
	number = (uint32_t)w->threads.count;
	t.parent = call ? w->bodies.items[body].thread : WHOLE_NONE;
	t.result = points_node(&w->points);
	locs_object(&w->points.locs, OBJECT_THREAD, call, &t.handle)->made = number;
	t.many = kind == THREAD_HANDLER;
	vec_push(&w->threads, t);
	root = new_body(w, code, number);
	w->threads.items[number].root = root;
	points_copy(&w->points, w->bodies.items[root].result, t.result);
	return number;
}

uint32_t whole_foreign(struct whole *w, LLVMValueRef function, uint32_t code)
{
	if (w->foreign != WHOLE_NONE)
		return whole_enter(w, w->threads.items[w->foreign].root, NULL, code);
	w->foreign = (uint32_t)w->threads.count;
	whole_thread(w, THREAD_HANDLER, 0, function, code);
	return w->threads.items[w->foreign].root;
}

/* ---- objects ---- */

uint32_t whole_global(struct whole *w, LLVMValueRef global)
{
	struct object *o;
	uintptr_t known;
	uint32_t number;

	if (ptrmap_get(&w->objects, global, &known))
		return (uint32_t)known - 1;
	o = locs_object(&w->points.locs, LLVMIsAFunction(global) ? OBJECT_FUNCTION : OBJECT_GLOBAL,
			global, &number);
	ptrmap_set(&w->objects, global, number + 1);
	if (o->kind == OBJECT_GLOBAL && LLVMTypeIsSized(LLVMGlobalGetValueType(global)))
		o->size = LLVMABISizeOfType(w->layout, LLVMGlobalGetValueType(global));
	if (o->kind == OBJECT_GLOBAL && LLVMIsDeclaration(global)) {
		o->kind = OBJECT_LIBRARY;
		o->size = 0;
		points_put(&w->points,
			   points_in(&w->points, locs_get(&w->points.locs, number, 0, 1)),
			   locs_get(&w->points.locs, number, 0, 1));
	}
	return number;
}

uint32_t whole_made(struct whole *w, enum object_kind kind, uint32_t body, LLVMValueRef v,
		    bool *fresh)
{
	uint32_t thread = w->bodies.items[body].thread, number;
	uintptr_t at = 0;
	struct object *o;

	*fresh = false;
	ptrmap_get(&w->made_first, v, &at);
	for (uintptr_t i = at; i; i = w->made_next.items[i - 1]) {
		o = &w->points.locs.objects.items[w->made.items[i - 1]];
		if (o->kind == kind && (kind == OBJECT_TLS ? o->thread == thread : o->body == body))
			return w->made.items[i - 1];
	}
	o = locs_object(&w->points.locs, kind, v, &number);
	o->thread = thread;
	o->body = body;
	vec_push(&w->made, number);
	vec_push(&w->made_next, (uint32_t)at);
	ptrmap_set(&w->made_first, v, w->made.count);
	*fresh = true;
	return number;
}

void whole_note(struct whole *w, const char *kind, const char *what, LLVMValueRef at)
{
	struct note n = {kind, NULL, at};

	for (size_t i = 0; i < w->notes.count; i++)
		if (!strcmp(w->notes.items[i].kind, kind) && !strcmp(w->notes.items[i].what, what))
			return;
	n.what = xstrdup(what);
	vec_push(&w->notes, n);
}

void whole_watch(struct whole *w, uint32_t node, struct watch watch)
{
	vec_push(&w->watches, watch);
	points_edge(&w->points, node,
		    (struct points_edge){.kind = POINTS_WATCH,
					 .other = (uint32_t)w->watches.count - 1});
}

/* ---- the program ---- */

int whole_init(struct whole *w, const char *path, const struct limit *limit, struct err *e)
{
	int rc;

	*w = (struct whole){.ctx = ir_context_new(), .limit = *limit, .foreign = WHOLE_NONE};
	points_init(&w->points, whole_told, w);
	rc = ir_bitcode_link(w->ctx, path, &w->mod, e);
	if (rc == 0)
		rc = ir_canon_module(w->mod, e);
	if (rc != 0)
		return rc;
	unit_init(&w->unit, w->mod, instr_flavor_find(INSTR_FLAVOR_DEFAULT));
	asm_translate(&w->unit);
	name_collect(&w->unit);
	w->layout = LLVMGetModuleDataLayout(w->mod);
	for (LLVMValueRef f = LLVMGetFirstFunction(w->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			add_code(w, f);
	return 0;
}

void whole_fini(struct whole *w)
{
	for (size_t i = 0; i < w->codes.count; i++) {
		ptrmap_free(&w->codes.items[i].number);
		cfg_fini(&w->codes.items[i].cfg);
		free(w->codes.items[i].cyclic);
	}
	for (size_t i = 0; i < w->bodies.count; i++) {
		vec_free(&w->bodies.items[i].callers);
		vec_free(&w->bodies.items[i].links);
	}
	for (size_t i = 0; i < w->notes.count; i++)
		free(w->notes.items[i].what);
	vec_free(&w->codes);
	vec_free(&w->bodies);
	vec_free(&w->threads);
	vec_free(&w->watches);
	vec_free(&w->notes);
	vec_free(&w->made);
	vec_free(&w->made_next);
	ptrmap_free(&w->code_of);
	ptrmap_free(&w->constants);
	ptrmap_free(&w->objects);
	ptrmap_free(&w->made_first);
	points_fini(&w->points);
	if (w->layout)
		unit_fini(&w->unit);
	if (w->mod)
		LLVMDisposeModule(w->mod);
	LLVMContextDispose(w->ctx);
}

static void make_common(struct whole *w)
{
	uint32_t object;

	locs_object(&w->points.locs, OBJECT_UNKNOWN, NULL, &object);
	w->unknown = locs_get(&w->points.locs, object, 0, 1);
	w->escaped = points_node(&w->points);
	w->world = points_node(&w->points);
	w->specific = points_node(&w->points);
	w->token = points_node(&w->points);
	w->thrown = points_node(&w->points);
	w->ending = points_node(&w->points);
	/* What nobody knows points to what escaped, and what is stored there escapes. */
	points_put(&w->points, w->escaped, w->unknown);
	points_copy(&w->points, w->escaped, points_out(&w->points, w->unknown));
	points_copy(&w->points, points_in(&w->points, w->unknown), w->escaped);
	whole_watch(w, w->escaped, (struct watch){.kind = WATCH_ESCAPE});
}

/* Constructors run before main in its thread; who calls them is no instruction. */
static void enter_constructors(struct whole *w, uint32_t root)
{
	LLVMValueRef list = LLVMGetNamedGlobal(w->mod, "llvm.global_ctors");
	LLVMValueRef all = list ? LLVMGetInitializer(list) : NULL;

	for (int i = 0; all && LLVMIsAConstantArray(all) && i < LLVMGetNumOperands(all); i++) {
		LLVMValueRef row = LLVMGetOperand(all, (unsigned)i);
		LLVMValueRef f = LLVMIsAConstantStruct(row) ? LLVMGetOperand(row, 1) : NULL;
		uint32_t code = f ? whole_code(w, f) : WHOLE_NONE;

		if (code == WHOLE_NONE)
			continue;
		w->bodies.items[whole_enter(w, root, WHOLE_BEFORE, code)].called_back = false;
	}
}

/* The words and the environment of the program: memory of the library. */
static void give_arguments(struct whole *w, uint32_t root)
{
	LLVMValueRef main = whole_function(w, root);
	struct object *o;
	uint32_t object, loc;

	o = locs_object(&w->points.locs, OBJECT_LIBRARY, main, &object);
	assert(o->thread == LOC_NO_THREAD);
	loc = locs_get(&w->points.locs, object, 0, 1);
	points_put(&w->points, points_in(&w->points, loc), loc);
	for (unsigned i = 1; i < LLVMCountParams(main); i++)
		points_put(&w->points, whole_node(w, root, LLVMGetParam(main, i)), loc);
}

static bool stop(void *arg)
{
	const struct whole *w = arg;

	return limit_reached(&w->limit) != LIMIT_NONE;
}

static void visit(struct whole *w, uint32_t body)
{
	LLVMValueRef f = whole_function(w, body);

	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f); k; k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			whole_value(w, body, i);
}

/* A call in a loop, or in a body that runs several times, enters its target several times. */
static void find_many(struct whole *w)
{
	bool changed = true;

	for (uint32_t i = 0; i < w->bodies.count; i++)
		w->bodies.items[i].many =
			w->bodies.items[i].shared || w->bodies.items[i].called_back;
	while (changed) {
		changed = false;
		for (uint32_t i = 0; i < w->bodies.count; i++)
			for (size_t k = 0; k < w->bodies.items[i].links.count; k++) {
				const struct link *l = &w->bodies.items[i].links.items[k];

				if (w->bodies.items[l->body].many || !whole_again(w, i, l->call))
					continue;
				changed = w->bodies.items[l->body].many = true;
			}
	}
	do {
		changed = false;
		for (uint32_t t = 1; t < w->threads.count; t++) {
			struct thread *x = &w->threads.items[t];
			bool many = whole_again(w, x->body, x->create) ||
				    w->threads.items[x->parent].many;

			changed |= many && !x->many;
			x->many |= many;
		}
	} while (changed);
	for (size_t i = 0; i < w->points.locs.objects.count; i++) {
		struct object *o = &w->points.locs.objects.items[i];

		if ((o->kind == OBJECT_HEAP || o->kind == OBJECT_STACK) &&
		    whole_again(w, o->body, o->value))
			o->many = true;
	}
}

bool whole_again(const struct whole *w, uint32_t body, LLVMValueRef i)
{
	const struct body *b = &w->bodies.items[body];
	const struct code *c = &w->codes.items[b->code];
	uint32_t block;

	if (b->many || b->shared)
		return true;
	if (!i || i == WHOLE_BEFORE || !LLVMIsAInstruction(i))
		return false;
	return cfg_index(&c->cfg, LLVMGetInstructionParent(i), &block) && c->cyclic[block];
}

void whole_solve(struct whole *w)
{
	LLVMValueRef main = LLVMGetNamedFunction(w->mod, "main");
	uint32_t code = main ? whole_code(w, main) : WHOLE_NONE, root;

	make_common(w);
	if (code == WHOLE_NONE) {
		whole_note(w, "no-main", "the file has no function main", NULL);
		return;
	}
	whole_thread(w, THREAD_MAIN, 0, NULL, code);
	root = w->threads.items[0].root;
	give_arguments(w, root);
	enter_constructors(w, root);
	do {
		for (; w->visited < w->bodies.count; w->visited++)
			visit(w, w->visited);
		w->stopped = !points_solve(&w->points, stop, w);
	} while (!w->stopped && w->visited < w->bodies.count);
	if (w->stopped)
		whole_note(w, "limit", "time was up before all was looked at", NULL);
	find_many(w);
}
