#include "symex/follow/decide.h"

#include <errno.h>
#include <string.h>

static void drop_last(struct follow_decide *d)
{
	vec_free(&vec_last(&d->stack).tried);
	d->stack.count--;
}

void follow_decide_fini(struct follow_decide *d)
{
	while (d->stack.count)
		drop_last(d);
	vec_free(&d->stack);
	vec_free(&d->asked);
}

void follow_decide_restart(struct follow_decide *d)
{
	vec_clear(&d->asked);
	for (size_t i = 0; i < d->stack.count; i++)
		d->stack.items[i].expr = EXPR_NONE;
}

static bool is_same(const struct follow_decision *a, const struct follow_decision *b)
{
	return a->thread == b->thread && a->tix == b->tix && a->site == b->site &&
	       a->kind == b->kind && a->is_address == b->is_address;
}

/* The decision of a question; a new one when it was never asked before. */
static struct follow_decision *find(struct follow_decide *d, const struct symex_question *q,
				    bool *fresh)
{
	struct follow_decision key = {.thread = q->thread,
				      .tix = q->tix,
				      .site = q->site,
				      .is_address = q->ask == SYMEX_ASK_ADDRESS,
				      .kind = (uint8_t)q->kind};

	/* Questions at one place follow each other: the last few are enough to look at. */
	for (size_t i = d->asked.count; i-- > 0 && d->asked.count - i < 64;)
		if (is_same(&d->asked.items[i], &key)) {
			key.nth = d->asked.items[i].nth + 1;
			break;
		}
	vec_push(&d->asked, key);
	*fresh = false;
	for (size_t i = 0; i < d->stack.count; i++)
		if (is_same(&d->stack.items[i], &key) && d->stack.items[i].nth == key.nth)
			return &d->stack.items[i];
	*fresh = true;
	vec_push(&d->stack, key);
	return &vec_last(&d->stack);
}

enum symex_answer follow_decide_address(struct follow_decide *d, const struct symex_question *q,
					const uint64_t *fails, uint64_t *out)
{
	bool fresh;
	struct follow_decision *x = find(d, q, &fresh);

	if (fresh) {
		x->is_open = !fails;
		x->value = fails ? *fails : 0;
	}
	x->expr = q->expr;
	*out = x->value;
	return x->is_open ? SYMEX_ANSWER_STOP : SYMEX_ANSWER_IS;
}

unsigned follow_outcomes(unsigned kind, uint64_t out[2])
{
	out[0] = 0;
	out[1] = 1;
	switch (kind) {
	case EVENT_TRYLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SPIN_TRYLOCK:
		out[1] = EBUSY;
		return 2;
	case EVENT_SEM_TRYWAIT:
		out[1] = EAGAIN;
		return 2;
	case EVENT_FAILURE:
	case EVENT_COND_TIMEOUT:
	case EVENT_LOCK_TIMEOUT:
	case EVENT_SEM_TIMEOUT:
	case EVENT_ONCE_PASS:
	case EVENT_BARRIER_ARRIVE:
		return 2;
	default:
		return 0;
	}
}

/* The likely one first: what was recorded has failed. */
static unsigned outcomes_of(unsigned kind, uint64_t out[2])
{
	unsigned n = follow_outcomes(kind, out);

	if (kind == EVENT_FAILURE) {
		out[0] = 1;
		out[1] = 0;
	}
	return n;
}

enum symex_answer follow_decide_outcome(struct follow_decide *d, const struct symex_question *q,
					uint64_t *out)
{
	uint64_t outcomes[2];
	struct follow_decision *x;
	bool fresh;

	if (!outcomes_of(q->kind, outcomes))
		return SYMEX_ANSWER_NONE;
	x = find(d, q, &fresh);
	*out = x->value = outcomes[x->alternative];
	return SYMEX_ANSWER_IS;
}

bool follow_decide_waits(const struct follow_decide *d)
{
	for (size_t i = 0; i < d->stack.count; i++)
		if (d->stack.items[i].is_open && d->stack.items[i].expr)
			return true;
	return false;
}

/* Its next outcome; false when all were tried. */
static bool advance(struct follow_decision *x)
{
	uint64_t outcomes[2];

	if (x->is_address) {
		/* Open: with those that were not tried there is no order either. */
		if (x->is_open)
			return false;
		vec_push(&x->tried, x->value);
		x->is_open = true;
		return true;
	}
	return ++x->alternative < outcomes_of(x->kind, outcomes);
}

/* The stack without decisions of the thread behind `from'; others begin their outcomes again. */
static void drop_behind(struct follow_decide *d, size_t from, uint32_t thread)
{
	size_t kept = from + 1;

	for (size_t i = from + 1; i < d->stack.count; i++) {
		struct follow_decision *x = &d->stack.items[i];

		if (x->thread == thread) {
			vec_free(&x->tried);
			continue;
		}
		vec_clear(&x->tried);
		x->alternative = 0;
		d->stack.items[kept++] = *x;
	}
	d->stack.count = kept;
}

/* What a thread does depends on decisions of its own. */
static bool again_of(struct follow_decide *d, uint32_t thread)
{
	for (size_t i = d->stack.count; i-- > 0;) {
		if (d->stack.items[i].thread != thread)
			continue;
		drop_behind(d, i, thread);
		if (advance(&d->stack.items[i]))
			return true;
		vec_free(&d->stack.items[i].tried);
		memmove(&d->stack.items[i], &d->stack.items[i + 1],
			(d->stack.count - i - 1) * sizeof(d->stack.items[0]));
		d->stack.count--;
	}
	return false;
}

bool follow_decide_again(struct follow_decide *d, uint32_t only)
{
	d->conflicts++;
	if (only != SYMEX_NONE)
		return again_of(d, only);
	while (d->stack.count && !advance(&vec_last(&d->stack)))
		drop_last(d);
	return d->stack.count > 0;
}
