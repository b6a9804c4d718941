/* Whether it makes a difference to wake up for no reason once more: see machine.h. */
#include "explore/learn/machine_priv.h"

#include <assert.h>

#define FAR_BACK 256 /* nodes: beyond that nothing is news */

static bool is_boundary(const struct learn *l, uint32_t node)
{
	const struct learn_node *n = &l->nodes.items[node], *before;
	const struct learn_step *read;

	if (!n->parent)
		return true;
	before = &l->nodes.items[n->parent];
	assert(before->steps.count);
	read = &vec_last(&before->steps);
	if (read->op == LEARN_RMW && read->weak && !n->writes &&
	    n->value == learn_spurious(read->value))
		return true;
	return false;
}

/* Position behind the last WAKE of the steps before `end'; 0 when there is none. */
static uint32_t behind_wake(const struct learn_node *n, uint32_t end)
{
	while (end > 0 && n->steps.items[end - 1].op != LEARN_WAKE)
		end--;
	return end;
}

/* Bytes the thread has written itself since: what it reads there is no news. */
struct own {
	uint32_t offset[FAR_BACK], bytes[FAR_BACK];
	uint32_t count;
};

static void note_own(struct own *w, const struct learn_step *s)
{
	uint32_t bytes = s->op == LEARN_WRITE_BYTES ? (uint32_t)s->value : s->size;

	if (w->count == FAR_BACK)
		return;
	w->offset[w->count] = s->offset;
	w->bytes[w->count++] = bytes;
}

static bool is_own(const struct own *w, const struct learn_step *s)
{
	uint32_t bytes = s->op == LEARN_READ || s->op == LEARN_RMW ? s->size : (uint32_t)s->value;

	for (uint32_t i = 0; i < w->count; i++)
		if (w->offset[i] < s->offset + bytes && s->offset < w->offset[i] + w->bytes[i])
			return true;
	return false;
}

static bool is_look(const struct learn_step *s)
{
	return s->op == LEARN_READ || s->op == LEARN_RMW || s->op == LEARN_READ_BYTES ||
	       s->op == LEARN_READ_STRING;
}

/* The steps of a node from `pos' on; outcome is what the last one, when it reads, found. */
static bool news_in(const struct machine *m, machine_config *c, uint32_t t, uint32_t node,
		    uint32_t pos, uint32_t end, uint64_t outcome, struct own *own)
{
	const struct learn_node *n = &m->l->nodes.items[node];

	for (; pos < end; pos++) {
		const struct learn_step *s = &n->steps.items[pos];

		if (is_look(s) && !is_own(own, s) && machine_outcome(m, c, t, s) != outcome)
			return true;
		if (s->op == LEARN_WRITE || s->op == LEARN_WRITE_BYTES || s->op == LEARN_RMW)
			note_own(own, s);
	}
	return false;
}

bool machine_news(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct machine_thread *x = machine_thread(m, c, t);
	uint32_t chain[FAR_BACK], count = 0, node = x->node, end = x->pos, first;
	struct own own = {.count = 0};

	assert(x->for_nothing && x->state == MACHINE_LIVE);
	/* Back to where it last began to look. */
	for (;;) {
		if (count == FAR_BACK)
			return false;
		chain[count++] = node;
		first = behind_wake(&m->l->nodes.items[node], end);
		if (first || is_boundary(m->l, node))
			break;
		node = m->l->nodes.items[node].parent;
		end = (uint32_t)m->l->nodes.items[node].steps.count;
	}
	while (count-- > 0) {
		uint32_t here = chain[count];
		const struct learn_node *n = &m->l->nodes.items[here];
		bool last = count == 0;
		uint64_t outcome = last ? 0 : m->l->nodes.items[chain[count - 1]].value;

		if (news_in(m, c, t, here, first, last ? x->pos : (uint32_t)n->steps.count, outcome,
			    &own))
			return true;
		first = 0;
	}
	return false;
}
