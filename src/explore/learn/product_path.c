/* Configurations that are kept, and the path to the one at hand. */
#include "explore/learn/product_priv.h"

#include <assert.h>

#define TRIES 3 /* times a question is put before it counts as unanswered */

machine_config *product_new_config(struct product *p)
{
	return p->spare.count ? vec_pop(&p->spare) : xmalloc(p->m.bytes);
}

machine_config *product_copy_config(struct product *p, const machine_config *c)
{
	machine_config *copy = product_new_config(p);

	memcpy(copy, c, p->m.bytes);
	return copy;
}

void product_drop_parked(struct product *p, struct product_parked *w)
{
	vec_push(&p->spare, w->config);
	vec_free(&w->path);
}

void product_forget_all(struct product *p)
{
	while (p->stack.count)
		vec_push(&p->spare, vec_pop(&p->stack).config);
	while (p->waiting.count) {
		struct product_parked w = vec_pop(&p->waiting);

		product_drop_parked(p, &w);
	}
	while (p->resumed.count) {
		struct product_parked w = vec_pop(&p->resumed);

		product_drop_parked(p, &w);
	}
	for (size_t i = 0; i < p->asked.count; i++)
		vec_free(&p->asked.items[i]);
	vec_clear(&p->asked);
	vec_clear(&p->actions);
	vec_clear(&p->path);
	seen_clear(&p->questions);
}

void product_park(struct product *p, machine_config *before, const struct machine_action *a,
		  const struct product_frame *f)
{
	struct product_parked w = {.action = *a,
				   .last = f->last,
				   .spent = f->spent,
				   .tries = f->tries + 1,
				   .share = f->share};
	uint64_t question = machine_question(&p->m, before, a);
	struct model_schedule asked = VEC_INIT;

	assert(f->tries <= TRIES && f->path <= p->path.count);
	/* Asked and answered, and still not known: it does not come to this step again. */
	if (f->tries >= TRIES) {
		const struct learn_step *s = machine_step(&p->m, before, a->thread);

		p->stats->unknown++;
		p->stats->unknown_site = s ? s->site + 1 : 0;
		estimate_end(&p->estimate, f->share);
		return;
	}
	w.config = product_copy_config(p, before);
	for (size_t i = 0; i < f->path; i++)
		vec_push(&w.path, i + 1 < f->path ? p->path.items[i] : f->end);
	vec_push(&p->waiting, w);
	if (!seen_add(&p->questions, (uint64_t[2]){question, 1}))
		return;
	for (size_t i = 0; i < p->path.count; i++)
		vec_push(&asked, p->path.items[i]);
	vec_push(&p->asked, asked);
}

/* Consecutive steps of one thread are one choice: its last event. */
void product_extend_path(struct product *p, machine_config *c, const struct machine_action *a)
{
	struct wire_choice more[2];
	unsigned n = machine_path(&p->m, c, a, more);

	for (unsigned i = 0; i < n; i++) {
		struct wire_choice *last = p->path.count ? &vec_last(&p->path) : NULL;

		if (last && last->kind == CHOICE_UNTIL && more[i].kind == CHOICE_UNTIL &&
		    last->tid == more[i].tid)
			last->arg = more[i].arg;
		else
			vec_push(&p->path, more[i]);
	}
}

void product_push_frame(struct product *p, const machine_config *c,
			const struct product_frame *from, uint32_t first)
{
	struct product_frame f = {.config = product_copy_config(p, c),
				  .path = p->path.count,
				  .end = p->path.count ? vec_last(&p->path)
						       : (struct wire_choice){0},
				  .first = first,
				  .count = (uint32_t)p->actions.count - first,
				  .last = from->last,
				  .spent = from->spent};

	assert(f.count > 0 && first + f.count == p->actions.count);
	f.share = estimate_split(from->share, f.count);
	vec_push(&p->stack, f);
}

void product_cut_path(struct product *p, const struct product_frame *f)
{
	assert(f->path <= p->path.count);
	p->path.count = f->path;
	if (f->path)
		vec_last(&p->path) = f->end;
}
