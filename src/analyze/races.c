#include "analyze/races.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "analyze/apart.h"
#include "analyze/shared.h"
#include "analyze/words.h"
#include "base/mem.h"

/* An access that may touch an object, at one location of it. */
struct touch {
	uint32_t object, access, loc;
};

/* What keeps a pair of accesses apart, or nothing does. */
enum verdict {
	VERDICT_RACE,
	VERDICT_NONE,
	VERDICT_LOCKED,
	VERDICT_ORDERED,
	VERDICT_DISJOINT,
	VERDICT_SCHEDULED
};

/* Accesses at two places of the code, with all their contexts. */
struct pair {
	LLVMValueRef a, b;
	uint32_t first, second; /* accesses that show it */
	uint64_t contexts;
	bool together;	      /* at the same place, at the same time as far as a schedule says */
	enum verdict verdict; /* RACE as soon as one of them is */
};

struct races {
	struct flow *f;
	const struct schedule *schedule;
	bool *shared;
	bool *given; /* objects that std::thread gives to its thread */
	struct analysis *to;
	size_t known_from; /* findings of others stand before */
	VEC(struct touch) touches;
	VEC(struct pair) pairs;
	struct ptrmap first; /* instruction -> index of its newest pair + 1 */
	VEC(uint32_t) next;
};

/* ---- locks ---- */

/* The place of a lock in the object an access is to, seen from a leaf both are computed from. */
static bool same_block(struct races *r, const struct token *t, const struct form *at,
		       uint32_t object, int64_t *place)
{
	struct points *p = &r->f->w->points;
	const struct form_leaf *leaf = &t->form.terms[0].leaf;
	const uint32_t *set;
	uint32_t found = LOC_NONE;
	bool same = false;
	size_t n;

	if (t->form.count != 1 || t->form.terms[0].scale != 1 || leaf->cast)
		return false;
	for (uint32_t i = 0; i < at->count; i++)
		same |= at->terms[i].scale == 1 && form_same_leaf(&at->terms[i].leaf, leaf);
	if (!same)
		return false;
	set = points_set(
		p, whole_node(r->f->w, leaf->body == WHOLE_NONE ? 0 : leaf->body, leaf->value), &n);
	for (size_t i = 0; i < n; i++) {
		const struct loc *l = &p->locs.all.items[set[i]];

		if (l->object != object)
			continue;
		if (l->stride || found != LOC_NONE)
			return false;
		found = set[i];
	}
	if (found == LOC_NONE)
		return false;
	*place = p->locs.all.items[found].offset + t->form.constant;
	return true;
}

static bool same_lock(struct races *r, const struct access *a, const struct token *x,
		      const struct access *b, const struct token *y, uint32_t object)
{
	struct form fa, fb;
	int64_t da, db;

	if (x->pending || y->pending || (x->mode == TOKEN_READ && y->mode == TOKEN_READ) ||
	    x->once != y->once)
		return false;
	if (x->loc != LOC_NONE && x->loc == y->loc)
		return true;
	if (!a->pointer || !b->pointer || a->deep || b->deep)
		return false;
	fa = form_of(r->f->w, a->body, a->pointer);
	fb = form_of(r->f->w, b->body, b->pointer);
	if (form_distance(&x->form, &fa, &da) && form_distance(&y->form, &fb, &db) && da == db)
		return true;
	return same_block(r, x, &fa, object, &da) && same_block(r, y, &fb, object, &db) && da == db;
}

static bool locked(struct races *r, const struct access *a, const struct access *b, uint32_t object)
{
	const struct flow *f = r->f;
	const struct state *s = &f->snapshots.items[a->state], *t = &f->snapshots.items[b->state];

	for (uint32_t i = 0; i < s->count; i++)
		for (uint32_t k = 0; k < t->count; k++)
			if (same_lock(r, a, &f->tokens.items[s->tokens[i]], b,
				      &f->tokens.items[t->tokens[k]], object))
				return true;
	return false;
}

/* ---- what a thread of C++ is given ---- */

static bool ends_with(const char *text, size_t n, const char *end)
{
	size_t m = strlen(end);

	return text && n >= m && !memcmp(text + n - m, end, m);
}

/* In code of std::thread, also where it was inlined. */
static bool in_thread_code(LLVMValueRef at)
{
	static const char *const files[] = {"/bits/std_thread.h", "/bits/unique_ptr.h", "/tuple"};
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(at));
	unsigned bytes = 0;
	const char *file = LLVMGetDebugLocFilename(at, &bytes);
	size_t n;

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (ends_with(file, bytes, files[i]))
			return true;
	return strstr(LLVMGetValueName2(function, &n), "St6thread") != NULL;
}

static bool begins_cxx_thread(LLVMValueRef create)
{
	size_t n;

	return (LLVMIsACallInst(create) || LLVMIsAInvokeInst(create)) &&
	       !strncmp(LLVMGetValueName2(LLVMGetCalledValue(create), &n), "_ZNSt6thread", 12);
}

/*
 * std::thread makes a block with what its thread is to do and gives it away when the thread begins;
 * whatever else its code could do with the block, the pointer is null by then.
 */
static bool *find_given(struct flow *f)
{
	struct points *p = &f->w->points;
	bool *given = xcalloc(p->locs.objects.count + 1, sizeof(bool));

	for (size_t t = 0; t < f->w->threads.count; t++) {
		const struct thread *x = &f->w->threads.items[t];
		LLVMValueRef root = whole_function(f->w, x->root);
		const uint32_t *set;
		size_t n;

		if (!x->create || !begins_cxx_thread(x->create) || !LLVMCountParams(root))
			continue;
		set = points_set(p, whole_node(f->w, x->root, LLVMGetParam(root, 0)), &n);
		for (size_t i = 0; i < n; i++) {
			uint32_t object = p->locs.all.items[set[i]].object;

			given[object] |= p->locs.objects.items[object].kind == OBJECT_HEAP;
		}
	}
	return given;
}

static bool given_away(const struct races *r, uint32_t object, const struct access *a)
{
	const struct object *o = &r->f->w->points.locs.objects.items[object];

	return r->given[object] && r->f->w->bodies.items[a->body].thread == o->thread &&
	       in_thread_code(a->at);
}

/* ---- pairs ---- */

static enum verdict judge(struct races *r, const struct touch *x, const struct touch *y)
{
	struct flow *f = r->f;
	const struct access *a = &f->accesses.items[x->access], *b = &f->accesses.items[y->access];

	if ((!a->write && !b->write) || (a->atomic && b->atomic))
		return VERDICT_NONE;
	if (!locs_meet(&f->w->points.locs, x->loc, a->bytes, y->loc, b->bytes))
		return VERDICT_NONE;
	if (given_away(r, x->object, a) != given_away(r, x->object, b))
		return VERDICT_ORDERED;
	if (!flow_beside(f, a, b))
		return f->w->bodies.items[a->body].thread == f->w->bodies.items[b->body].thread
			       ? VERDICT_NONE
			       : VERDICT_ORDERED;
	if (locked(r, a, b, x->object))
		return VERDICT_LOCKED;
	if (apart_by_number(f, a, b))
		return VERDICT_DISJOINT;
	return r->schedule && !schedule_beside(r->schedule, x->access, y->access)
		       ? VERDICT_SCHEDULED
		       : VERDICT_RACE;
}

static struct pair *pair_of(struct races *r, LLVMValueRef a, LLVMValueRef b)
{
	struct pair fresh = {.a = a, .b = b, .verdict = VERDICT_NONE};
	uintptr_t at = 0;

	ptrmap_get(&r->first, a, &at);
	for (uintptr_t i = at; i; i = r->next.items[i - 1])
		if (r->pairs.items[i - 1].b == b)
			return &r->pairs.items[i - 1];
	vec_push(&r->pairs, fresh);
	vec_push(&r->next, (uint32_t)at);
	ptrmap_set(&r->first, a, r->pairs.count);
	return &vec_last(&r->pairs);
}

static void add_pair(struct races *r, const struct touch *x, const struct touch *y)
{
	const struct flow *f = r->f;
	enum verdict v = judge(r, x, y);
	struct pair *p;

	if (v == VERDICT_NONE)
		return;
	p = pair_of(r, f->accesses.items[x->access].at, f->accesses.items[y->access].at);
	p->contexts += v == VERDICT_RACE;
	if (v != VERDICT_DISJOINT && !p->together)
		p->together = !r->schedule || schedule_beside(r->schedule, x->access, y->access);
	if (p->verdict == VERDICT_RACE || (p->verdict != VERDICT_NONE && v != VERDICT_RACE))
		return;
	p->first = x->access;
	p->second = y->access;
	p->verdict = v;
}

static int by_object(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->object != y->object)
		return x->object < y->object ? -1 : 1;
	if (x->access != y->access)
		return x->access < y->access ? -1 : 1;
	return x->loc < y->loc ? -1 : x->loc > y->loc;
}

static bool wanted(const struct races *r, uint32_t object)
{
	const struct object *o = &r->f->w->points.locs.objects.items[object];

	switch (o->kind) {
	case OBJECT_GLOBAL:
		return !LLVMIsGlobalConstant(o->value);
	case OBJECT_STACK:
	case OBJECT_HEAP:
	case OBJECT_TLS:
		return r->shared[object];
	case OBJECT_LIBRARY:
		return true;
	default:
		return false;
	}
}

/* Whoever keeps a pointer as a number or a text is not followed: what it points to may be anything.
 */
static void note_lost(struct races *r, const struct access *a)
{
	if (a->pointer && !LLVMIsNull(a->pointer) && !LLVMIsUndef(a->pointer))
		whole_note(r->f->w, "pointer", "a pointer that comes from nowhere known", a->at);
}

static void find_touches(struct races *r)
{
	struct points *p = &r->f->w->points;

	for (uint32_t i = 0; i < r->f->accesses.count; i++) {
		size_t n;
		const uint32_t *set = points_set(p, r->f->accesses.items[i].node, &n);

		if (n == 0)
			note_lost(r, &r->f->accesses.items[i]);
		for (size_t k = 0; k < n; k++) {
			struct touch t = {p->locs.all.items[set[k]].object, i, set[k]};

			if (wanted(r, t.object))
				vec_push(&r->touches, t);
		}
	}
	if (r->touches.count)
		qsort(r->touches.items, r->touches.count, sizeof(struct touch), by_object);
}

/* All pairs of the accesses to one object. */
static bool compare(struct races *r, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++) {
		if (limit_reached(&r->f->w->limit) != LIMIT_NONE)
			return false;
		for (size_t k = i; k < end; k++)
			add_pair(r, &r->touches.items[i], &r->touches.items[k]);
	}
	return true;
}

/* ---- words ---- */

static const char *why(enum verdict v)
{
	switch (v) {
	case VERDICT_LOCKED:
		return "a common lock";
	case VERDICT_ORDERED:
		return "the threads do not run at the same time";
	case VERDICT_SCHEDULED:
		return "the schedule";
	case VERDICT_DISJOINT:
		return "each thread has elements of its own";
	default:
		return NULL;
	}
}

static bool same_place(const struct finding_place *a, const struct finding_place *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static bool same_text(const char *a, const char *b)
{
	return a == b || (a && b && !strcmp(a, b));
}

/*
 * A statement has several accesses: of all that are at the same lines, of the same variables and of
 * one class, one is shown.  True when it is one of them.
 */
static bool add_to_known(struct races *r, uint64_t contexts)
{
	size_t last = r->to->findings.count - 1;
	const struct finding *f = &r->to->findings.items[last];

	for (size_t i = r->known_from; i < last; i++) {
		const struct finding *g = &r->to->findings.items[i];
		bool turned = !same_place(&f->events.items[0].at, &g->events.items[0].at);
		const struct finding_event *x = &g->events.items[turned],
					   *y = &g->events.items[!turned];

		if (strcmp(f->rule, g->rule) || f->level != g->level ||
		    !same_place(&f->events.items[0].at, &x->at) ||
		    !same_place(&f->events.items[1].at, &y->at) ||
		    !same_text(f->events.items[0].object, x->object) ||
		    !same_text(f->events.items[1].object, y->object))
			continue;
		r->to->rows.items[i].contexts += contexts;
		analysis_drop(r->to);
		return true;
	}
	return false;
}

static void report(struct races *r, const struct pair *p)
{
	struct flow *f = r->f;
	const struct access *a = &f->accesses.items[p->first], *b = &f->accesses.items[p->second];
	bool race = p->verdict == VERDICT_RACE, frees = a->frees || b->frees;
	struct strbuf name = STRBUF_INIT, message = STRBUF_INIT;
	struct finding *to;

	words_variable(f->w, a->pointer, a->bytes, &name);
	if (!name.length)
		words_variable(f->w, b->pointer, b->bytes, &name);
	strbuf_addf(&message, "%s: nothing keeps the two %s apart",
		    name.length ? name.text : "memory", frees ? "uses" : "accesses");
	if (!race) {
		strbuf_clear(&message);
		strbuf_addf(&message, "%s: kept apart by %s", name.length ? name.text : "memory",
			    why(p->verdict));
	}
	to = analysis_add(r->to, frees ? "use-after-free" : "race",
			  race ? ANALYSIS_POSSIBLE : ANALYSIS_IMPOSSIBLE, message.text);
	words_access(f, a, to);
	words_access(f, b, to);
	vec_last(&r->to->rows).contexts = p->contexts;
	if (!add_to_known(r, p->contexts) && !race)
		vec_last(&r->to->rows).why = xstrdup(why(p->verdict));
	strbuf_free(&name);
	strbuf_free(&message);
}

static void count(struct races *r, const struct pair *p)
{
	r->to->pairs++;
	r->to->locked += p->verdict == VERDICT_LOCKED;
	r->to->ordered += p->verdict == VERDICT_ORDERED;
	r->to->disjoint += p->verdict == VERDICT_DISJOINT;
	r->to->alias_all++;
	r->to->alias_specialised += p->together;
}

void races_find(struct flow *f, const struct schedule *s, bool all, struct analysis *to)
{
	struct races r = {
		.f = f, .to = to, .schedule = s, .shared = shared_find(f), .given = find_given(f)};

	bool done = true;

	find_touches(&r);
	for (size_t i = 0, end; i < r.touches.count && done; i = end) {
		for (end = i + 1; end < r.touches.count &&
				  r.touches.items[end].object == r.touches.items[i].object;)
			end++;
		done = compare(&r, i, end);
	}
	if (!done)
		whole_note(f->w, "limit", "time was up before all pairs were looked at", NULL);
	for (size_t i = 0; i < r.pairs.count; i++) {
		count(&r, &r.pairs.items[i]);
		if (r.pairs.items[i].verdict == VERDICT_RACE ||
		    r.pairs.items[i].verdict == VERDICT_SCHEDULED || all)
			report(&r, &r.pairs.items[i]);
	}
	to->accesses = f->accesses.count;
	free(r.shared);
	free(r.given);
	vec_free(&r.touches);
	vec_free(&r.pairs);
	vec_free(&r.next);
	ptrmap_free(&r.first);
}
