#include "coop/turns.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

struct maker {
	const struct coop_set *set;
	const struct coop_candidate *c;
	struct coop_turn_block *b;
	VEC(char *) names; /* of threads, creators before those they created */
	VEC(struct turns_thread) threads;
	VEC(struct turns_element) elements;
	VEC(struct turns_run) runs;
};

/* The number of a thread; its creators are added before it. */
static uint32_t thread_of(struct maker *m, const char *name)
{
	struct turns_thread t = {TURNS_NONE, 0};
	const char *last = strrchr(name, ':');

	for (size_t i = 0; i < m->names.count; i++)
		if (!strcmp(m->names.items[i], name))
			return (uint32_t)i;
	if (last) {
		char *creator = xstrndup(name, (size_t)(last - name));

		t.parent = thread_of(m, creator);
		t.index = (uint32_t)strtoul(last + 1, NULL, 10) - 1;
		free(creator);
	}
	vec_push(&m->names, xstrdup(name));
	vec_push(&m->threads, t);
	return (uint32_t)m->names.count - 1;
}

static void add_order(struct maker *m, uint32_t element)
{
	uint32_t kind = m->c->kinds[element];
	const struct coop_log *l = m->set->logs.items[m->set->kinds.items[kind].log];
	const struct coop_vector *v = coop_set_vector(m->set, kind);
	struct turns_element e = {.first = m->runs.count,
				  .count = v->runs.count,
				  .soft = m->c->bond == COOP_SOFT_OTHERS &&
					  m->c->from[element] != m->c->base};
	uint32_t *number = xcalloc(l->threads.count + 1, sizeof(*number));

	for (size_t i = 0; i < v->runs.count; i++) {
		uint32_t index = v->runs.items[i].thread;

		assert(index < l->threads.count);
		if (!number[index])
			number[index] = thread_of(m, l->threads.items[index]) + 1;
		vec_push(&m->runs, ((struct turns_run){.thread = number[index] - 1,
						       .length = v->runs.items[i].length}));
	}
	free(number);
	vec_push(&m->elements, e);
	vec_push(&m->b->elements, element);
}

static void add_sites(const struct coop_elements *x, const uint32_t *anew, struct strbuf *to)
{
	for (size_t i = 0; i < x->sites.count; i++) {
		struct coop_site s = x->sites.items[i];

		s.element = s.element == COOP_NO_ELEMENT ? COOP_NO_ELEMENT : anew[s.element];
		s.mutex = s.mutex == COOP_NO_ELEMENT ? COOP_NO_ELEMENT : anew[s.mutex];
		s.inside = s.inside == COOP_NO_ELEMENT ? COOP_NO_ELEMENT : anew[s.inside];
		strbuf_add_bytes(to, &s, sizeof(s));
	}
}

#define ADD_ALL(to, v)                                                                             \
	do {                                                                                       \
		if ((v)->count)                                                                    \
			strbuf_add_bytes(to, (v)->items, (v)->count * sizeof(*(v)->items));        \
	} while (0)

void coop_turns_make(const struct coop_elements *x, const struct coop_set *s,
		     const struct coop_candidate *c, struct coop_turn_block *b)
{
	struct maker m = {.set = s, .c = c, .b = b};
	struct turns_head head = {.magic = TURNS_MAGIC,
				  .sites = (uint32_t)x->sites.count,
				  .blocks = x->flavour != COOP_ORDER};
	uint32_t *anew = xcalloc(x->names.count + 1, sizeof(*anew));

	assert(s->elements == x->names.count);
	(void)thread_of(&m, "0");
	for (uint32_t i = 0; i < s->elements; i++) {
		anew[i] = COOP_NO_ELEMENT;
		/* To some elements nobody came before the failure: no order is given for them. */
		if (c->kinds[i] == COOP_NONE || m.elements.count == COOP_MAX_TURNS ||
		    !coop_set_vector(s, c->kinds[i])->runs.count)
			continue;
		anew[i] = (uint32_t)m.elements.count;
		add_order(&m, i);
	}
	head.threads = (uint32_t)m.threads.count;
	head.elements = (uint32_t)m.elements.count;
	head.runs = m.runs.count;
	strbuf_add_bytes(&b->bytes, &head, sizeof(head));
	ADD_ALL(&b->bytes, &m.threads);
	add_sites(x, anew, &b->bytes);
	ADD_ALL(&b->bytes, &m.elements);
	ADD_ALL(&b->bytes, &m.runs);
	for (size_t i = 0; i < m.names.count; i++)
		free(m.names.items[i]);
	vec_free(&m.names);
	vec_free(&m.threads);
	vec_free(&m.elements);
	vec_free(&m.runs);
	free(anew);
}

void coop_turns_fini(struct coop_turn_block *b)
{
	strbuf_free(&b->bytes);
	vec_free(&b->elements);
}
