#include "analyze/words.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "analyze/outside.h"
#include "instr/name.h"
#include "ir/debug.h"
#include "ir/demangle.h"

#define MAX_FRAMES 16

static char *function_name(struct whole *w, LLVMMetadataRef subprogram, LLVMValueRef function)
{
	struct strbuf name = STRBUF_INIT;
	size_t bytes;

	if (subprogram)
		ir_debug_subprogram_name(w->ctx, subprogram, &name);
	if (name.length)
		return strbuf_take(&name);
	strbuf_free(&name);
	return ir_demangle(LLVMGetValueName2(function, &bytes));
}

/* Relative to where it was compiled: as the source was named. */
static struct finding_place place_of(struct whole *w, const struct ir_location *at,
				     LLVMValueRef function)
{
	char *file = xstrndup(at->file, at->file_bytes);
	char *name = function_name(w, at->subprogram, function);
	struct finding_place p = finding_place(file, at->line, at->column, name);

	free(file);
	free(name);
	return p;
}

struct finding_place words_place(struct whole *w, LLVMValueRef at)
{
	struct ir_location l;
	LLVMValueRef function;

	if (!at || at == WHOLE_BEFORE || !LLVMIsAInstruction(at))
		return finding_place(NULL, 0, 0, NULL);
	function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
	if (!ir_debug_location(at, &l)) {
		char *name = function_name(w, NULL, function);
		struct finding_place p = finding_place(NULL, 0, 0, name);

		free(name);
		return p;
	}
	return place_of(w, &l, function);
}

void words_variable(struct whole *w, LLVMValueRef pointer, uint64_t bytes, struct strbuf *to)
{
	size_t before = to->length;

	if (pointer)
		name_of_access(&w->unit, pointer, bytes <= 16 ? bytes : 0, to);
	if (to->length == before && pointer)
		name_of_access(&w->unit, pointer, 0, to);
}

void words_thread(struct whole *w, uint32_t thread, struct strbuf *to)
{
	char *name;

	if (thread == 0) {
		strbuf_add(to, "main");
		return;
	}
	name = function_name(w, LLVMGetSubprogram(whole_function(w, w->threads.items[thread].root)),
			     whole_function(w, w->threads.items[thread].root));
	strbuf_addf(to, "T%u (%s)", thread, name);
	free(name);
}

void words_stack(struct whole *w, uint32_t body, LLVMValueRef at, struct finding_event *to)
{
	for (int i = 0; i < MAX_FRAMES; i++) {
		const struct body *b = &w->bodies.items[body];

		vec_push(&to->stack, words_place(w, at));
		if (!b->callers.count)
			break;
		at = b->callers.items[0].call;
		body = b->callers.items[0].body;
	}
}

static void name_token(struct flow *f, const struct token *t, struct strbuf *to)
{
	struct points *p = &f->w->points;
	size_t n, bytes, before = to->length;
	const uint32_t *set = points_set(p, t->node, &n);
	const struct object *o;

	if (!n)
		return;
	o = &p->locs.objects.items[p->locs.all.items[set[0]].object];
	if (o->kind == OBJECT_GLOBAL || o->kind == OBJECT_TLS)
		words_variable(f->w, o->value, 0, to);
	if (to->length == before && o->value)
		strbuf_add(to, LLVMGetValueName2(o->value, &bytes));
	if (o->kind == OBJECT_HEAP || o->kind == OBJECT_STACK || to->length == before) {
		struct finding_place at = words_place(f->w, o->value);

		to->length = before;
		strbuf_addf(to, "the one in what %s:%llu makes", at.file ? at.file : "?",
			    (unsigned long long)at.line);
		free(at.file);
		free(at.function);
	}
}

static void add_held(struct flow *f, uint32_t state, struct finding_event *to)
{
	const struct state *s = &f->snapshots.items[state];
	struct strbuf text = STRBUF_INIT;

	for (uint32_t i = 0; i < s->count; i++) {
		const struct token *t = &f->tokens.items[s->tokens[i]];

		if (t->pending || t->once)
			continue;
		if (text.length)
			strbuf_add(&text, ", ");
		name_token(f, t, &text);
		if (t->mode == TOKEN_READ)
			strbuf_add(&text, " (shared)");
	}
	if (text.length)
		to->held = strbuf_take(&text);
	strbuf_free(&text);
}

static void add_thread(struct flow *f, uint32_t body, struct finding_event *to)
{
	struct whole *w = f->w;
	uint32_t thread = w->bodies.items[body].thread;
	struct strbuf text = STRBUF_INIT;
	struct finding_place at;

	words_thread(w, thread, &text);
	to->thread = strbuf_take(&text);
	if (!thread)
		return;
	at = words_place(w, w->threads.items[thread].create);
	if (at.file)
		to->created = xasprintf("%s at %s:%llu", at.function ? at.function : "?", at.file,
					(unsigned long long)at.line);
	free(at.file);
	free(at.function);
}

static const char *operation(const struct access *a)
{
	if (a->frees)
		return "free";
	if (a->atomic)
		return a->write ? "atomic write" : "atomic read";
	return a->write ? "write" : "read";
}

/* What the library keeps, when the access is to that. */
static void name_state(struct whole *w, const struct access *a, struct strbuf *to)
{
	struct points *p = &w->points;
	size_t n;
	const uint32_t *set = points_set(p, a->node, &n);

	for (unsigned i = 0; i < OUTSIDE_STATES && n == 1 && !a->pointer; i++)
		if (w->states[i] && w->states[i] - 1 == p->locs.all.items[set[0]].object)
			strbuf_addf(to, "what the C library keeps for %s", outside_states[i]);
}

void words_access(struct flow *f, const struct access *a, struct finding *to)
{
	static const struct {
		const char *operation, *does;
	} verbs[] = {{"read", "reads"},
		     {"write", "writes"},
		     {"atomic read", "atomically reads"},
		     {"atomic write", "atomically writes"},
		     {"free", "frees"}};
	const char *what = operation(a), *does = "";
	struct strbuf variable = STRBUF_INIT, text = STRBUF_INIT;
	struct finding_event *e;

	for (size_t i = 0; i < sizeof(verbs) / sizeof(verbs[0]); i++)
		if (!strcmp(verbs[i].operation, what))
			does = verbs[i].does;
	words_variable(f->w, a->pointer, a->bytes, &variable);
	if (!variable.length)
		name_state(f->w, a, &variable);
	words_thread(f->w, f->w->bodies.items[a->body].thread, &text);
	strbuf_addf(&text, " %s %s", does, variable.length ? variable.text : "memory");
	e = finding_add_event(to, text.text, words_place(f->w, a->at));
	e->object = variable.length ? strbuf_take(&variable) : NULL;
	e->operation = what;
	add_thread(f, a->body, e);
	words_stack(f->w, a->body, a->at, e);
	add_held(f, a->state, e);
	strbuf_free(&variable);
	strbuf_free(&text);
}

void words_taken(struct flow *f, const struct taken *t, struct finding *to)
{
	const struct acquisition *a = &f->acquisitions.items[t->acquisition];
	struct strbuf name = STRBUF_INIT, text = STRBUF_INIT;
	struct finding_event *e;

	name_token(f, &f->tokens.items[a->token], &name);
	words_thread(f->w, f->w->bodies.items[a->body].thread, &text);
	strbuf_addf(&text, " locks %s", name.length ? name.text : "a lock");
	e = finding_add_event(to, text.text, words_place(f->w, a->call));
	e->object = name.length ? strbuf_take(&name) : NULL;
	e->operation = "lock";
	add_thread(f, a->body, e);
	words_stack(f->w, a->body, a->call, e);
	add_held(f, t->state, e);
	strbuf_free(&name);
	strbuf_free(&text);
}
