#include "analyze/state.h"

#include <string.h>

struct state state_new(const struct flow *f)
{
	struct state s = {.reached = false};

	s.running = xcalloc(f->thread_words + 1, sizeof(uint64_t));
	s.twice = xcalloc(f->thread_words + 1, sizeof(uint64_t));
	s.may = xcalloc(f->may_words + 1, sizeof(uint64_t));
	return s;
}

void state_free(struct state *s)
{
	free(s->running);
	free(s->twice);
	free(s->may);
	memset(s, 0, sizeof(*s));
}

void state_copy(const struct flow *f, struct state *to, const struct state *from)
{
	to->reached = from->reached;
	to->count = from->count;
	memcpy(to->tokens, from->tokens, sizeof(to->tokens));
	memcpy(to->running, from->running, f->thread_words * sizeof(uint64_t));
	memcpy(to->twice, from->twice, f->thread_words * sizeof(uint64_t));
	memcpy(to->may, from->may, f->may_words * sizeof(uint64_t));
}

static bool join_bits(uint64_t *to, const uint64_t *from, size_t words)
{
	bool changed = false;

	for (size_t i = 0; i < words; i++) {
		changed |= (from[i] & ~to[i]) != 0;
		to[i] |= from[i];
	}
	return changed;
}

static bool same_place(const struct token *a, const struct token *b)
{
	return (a->loc != LOC_NONE && a->loc == b->loc) || form_equal(&a->form, &b->form);
}

/* Tokens of the same pointer, mode and result: they differ in how often it is locked. */
static bool alike(const struct token *a, const struct token *b)
{
	return same_place(a, b) && a->once == b->once && a->pending == b->pending;
}

/* The token both mean, with the weaker claim; UINT32_MAX: there is none. */
static uint32_t weaker(const struct flow *f, uint32_t x, uint32_t y)
{
	const struct token *a = &f->tokens.items[x], *b = &f->tokens.items[y];

	if (x == y)
		return x;
	if (!alike(a, b))
		return UINT32_MAX;
	if (a->mode == b->mode)
		return a->count <= b->count ? x : y;
	return a->mode == TOKEN_READ ? x : y;
}

bool state_join(const struct flow *f, struct state *to, const struct state *from)
{
	bool changed;
	uint32_t kept = 0;

	if (!from->reached)
		return false;
	if (!to->reached) {
		state_copy(f, to, from);
		return true;
	}
	changed = join_bits(to->running, from->running, f->thread_words);
	changed |= join_bits(to->twice, from->twice, f->thread_words);
	changed |= join_bits(to->may, from->may, f->may_words);
	for (uint32_t i = 0; i < to->count; i++) {
		uint32_t found = UINT32_MAX;

		for (uint32_t k = 0; k < from->count && found == UINT32_MAX; k++)
			found = weaker(f, to->tokens[i], from->tokens[k]);
		changed |= found != to->tokens[i];
		if (found != UINT32_MAX)
			to->tokens[kept++] = found;
	}
	to->count = kept;
	return changed;
}

bool state_same(const struct flow *f, const struct state *a, const struct state *b)
{
	return a->reached == b->reached && a->count == b->count &&
	       !memcmp(a->tokens, b->tokens, a->count * sizeof(a->tokens[0])) &&
	       !memcmp(a->running, b->running, f->thread_words * sizeof(uint64_t)) &&
	       !memcmp(a->twice, b->twice, f->thread_words * sizeof(uint64_t)) &&
	       !memcmp(a->may, b->may, f->may_words * sizeof(uint64_t));
}

uint32_t state_token(struct flow *f, const struct token *like)
{
	for (uint32_t i = 0; i < f->tokens.count; i++) {
		const struct token *t = &f->tokens.items[i];

		if (alike(t, like) && t->mode == like->mode && t->count == like->count &&
		    t->node == like->node)
			return i;
	}
	vec_push(&f->tokens, *like);
	return (uint32_t)f->tokens.count - 1;
}

static void drop(struct state *s, uint32_t i)
{
	memmove(&s->tokens[i], &s->tokens[i + 1], (s->count - i - 1) * sizeof(s->tokens[0]));
	s->count--;
}

#define MAX_COUNT 7

void state_acquire(struct flow *f, struct state *s, uint32_t token)
{
	struct token t = f->tokens.items[token];

	for (uint32_t i = 0; i < s->count; i++) {
		struct token *old = &f->tokens.items[s->tokens[i]];

		if (!alike(old, &t))
			continue;
		t.count = old->count < MAX_COUNT ? old->count + 1 : MAX_COUNT;
		if (old->mode > t.mode)
			t.mode = old->mode;
		t.node = old->node;
		s->tokens[i] = state_token(f, &t);
		return;
	}
	if (s->count < FLOW_TOKENS)
		s->tokens[s->count++] = token;
}

static bool may_be(struct flow *f, uint32_t a, uint32_t b)
{
	struct points *p = &f->w->points;
	size_t n, m;
	const uint32_t *x = points_set(p, a, &n), *y = points_set(p, b, &m);

	/* Nothing known of one of them: it may be anything. */
	if (!n || !m)
		return true;
	for (size_t i = 0; i < n; i++)
		for (size_t k = 0; k < m; k++)
			if (x[i] == f->w->unknown || y[k] == f->w->unknown ||
			    locs_meet(&p->locs, x[i], 1, y[k], 1))
				return true;
	return false;
}

void state_release(struct flow *f, struct state *s, const struct token *what)
{
	for (uint32_t i = s->count; i-- > 0;) {
		struct token t = f->tokens.items[s->tokens[i]];
		bool same = same_place(&t, what);

		if (t.once || (!same && !may_be(f, t.node, what->node)))
			continue;
		if (!same || t.pending || --t.count == 0)
			drop(s, i);
		else
			s->tokens[i] = state_token(f, &t);
	}
}

void state_decide(struct flow *f, struct state *s, LLVMValueRef call, bool held)
{
	for (uint32_t i = s->count; i-- > 0;) {
		struct token t = f->tokens.items[s->tokens[i]];

		if (t.pending != call)
			continue;
		drop(s, i);
		if (!held)
			continue;
		t.pending = NULL;
		state_acquire(f, s, state_token(f, &t));
	}
}

void state_forget(struct flow *f, struct state *s, uint32_t body, LLVMValueRef v)
{
	for (uint32_t i = s->count; i-- > 0;) {
		struct token *t = &f->tokens.items[s->tokens[i]];

		if (t->pending == v || (t->loc == LOC_NONE && form_uses(&t->form, body, v)))
			drop(s, i);
	}
}

void state_forget_body(struct flow *f, struct state *s, uint32_t body)
{
	for (uint32_t i = s->count; i-- > 0;) {
		struct token *t = &f->tokens.items[s->tokens[i]];
		bool uses = false;

		for (uint32_t k = 0; k < t->form.count; k++)
			uses |= t->form.terms[k].leaf.body == body;
		if (uses && t->loc == LOC_NONE)
			drop(s, i);
	}
}
