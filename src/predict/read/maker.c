#include "predict/read/maker.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/strbuf.h"

void predict_maker_init(struct predict_maker *m, const struct trace_bundle *b)
{
	m->b = b;
	m->t = predict_trace_new();
	m->feed = predict_feed_new(m->t);
	m->became = xmalloc((b->events.count + 1) * sizeof(*m->became));
	m->sig_of = xmalloc((b->events.count + 1) * sizeof(*m->sig_of));
	m->expired = xcalloc(UINT16_MAX + 1, 1);
	m->branch_count = xcalloc(UINT16_MAX + 1, sizeof(*m->branch_count));
	m->next_tix = xcalloc(UINT16_MAX + 1, sizeof(*m->next_tix));
	predict_places_init(&m->places, b);
}

void predict_maker_fini(struct predict_maker *m)
{
	predict_feed_free(m->feed);
	predict_places_fini(&m->places);
	predict_names_fini(&m->objects);
	predict_stacks_fini(&m->stacks);
	vec_free(&m->object_names);
	vec_free(&m->wakings);
	vec_free(&m->waiters);
	vec_free(&m->effects);
	vec_free(&m->tried);
	vec_free(&m->onces);
	vec_free(&m->graves);
	free(m->sig_of);
	free(m->expired);
	free(m->branch_count);
	free(m->next_tix);
	vec_free(&m->kills);
	free(m->became);
}

const struct wire_event *predict_maker_current(const struct predict_maker *m)
{
	return &m->b->events.items[m->i];
}

/* ---- names ---- */

uint32_t predict_maker_thread(struct predict_maker *m, uint32_t tid)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "T%u", tid);

	return predict_names_add(&m->t->threads, text, (size_t)n);
}

/* The variable's name when it is still free, with its address and life otherwise. */
uint32_t predict_maker_name(struct predict_maker *m, struct predict_names *names, uint64_t addr,
			    const char *hint)
{
	struct strbuf text = STRBUF_INIT;
	uint32_t id;

	trace_symbols_print(&m->b->symbols, addr, &text);
	/* What the source says reads better than a mangled name. */
	if (text.length > 2 && strncmp(text.text, "_Z", 2) == 0 && hint != NULL && *hint != '\0')
		strbuf_clear(&text);
	if (text.length == 0)
		strbuf_add(&text, hint != NULL && *hint != '\0' ? hint : "memory");
	if (predict_names_find(names, text.text, text.length) != PREDICT_NAME_NONE)
		strbuf_addf(&text, "@0x%" PRIx64, addr);
	if (predict_names_find(names, text.text, text.length) != PREDICT_NAME_NONE)
		strbuf_addf(&text, "#%" PRIu64, m->places.life_of[m->i]);
	id = predict_names_add(names, text.text, text.length);
	strbuf_free(&text);
	return id;
}

/* Number of the object of this kind at this address, the same for its whole life. */
uint32_t predict_maker_object(struct predict_maker *m, struct predict_names *names, char kind,
			      uint64_t addr)
{
	uint32_t count = predict_names_count(&m->objects), id;
	char key[64];
	int n = snprintf(key, sizeof(key), "%c%" PRIx64 "#%" PRIu64, kind, addr,
			 m->places.life_of[m->i]);

	id = predict_names_add(&m->objects, key, (size_t)n);
	if (id == count)
		vec_push(&m->object_names, predict_maker_name(m, names, addr, NULL));
	return m->object_names.items[id];
}

uint32_t predict_maker_lock(struct predict_maker *m, uint64_t addr)
{
	return predict_maker_object(m, &m->t->locks, 'l', addr);
}

/* A location that stands for something else than memory: state of a lock, a descriptor, the clock.
 */
uint32_t predict_maker_state(struct predict_maker *m, const char *what, uint64_t number)
{
	char text[64];
	int n = snprintf(text, sizeof(text), "%s %" PRIx64, what, number);

	return predict_names_add(&m->t->locs, text, (size_t)n);
}

uint32_t predict_maker_site(struct predict_maker *m)
{
	return predict_stacks_site(m->t, m->b, predict_maker_current(m)->site);
}

/* ---- events ---- */

uint32_t predict_maker_event(struct predict_maker *m, struct predict_event ev, bool stands)
{
	ev.thread = predict_maker_thread(m, predict_maker_current(m)->tid);
	ev.line = (uint32_t)m->i + 1;
	ev.site = predict_maker_site(m);
	ev.frame = m->frame;
	ev.branches = m->branch_count[predict_maker_current(m)->tid];
	if (m->glued || (m->together && m->begun))
		ev.flags |= PREDICT_GLUED;
	m->begun = true;
	vec_push(m->origin, stands ? (uint32_t)m->i : PREDICT_NONE);
	return predict_trace_add(m->t, ev);
}

/* One that stands for the event of the bundle. */
uint32_t predict_maker_add(struct predict_maker *m, uint8_t op, uint32_t object, uint16_t flags)
{
	return predict_maker_event(
		m, (struct predict_event){.op = op, .object = object, .flags = flags}, true);
}

/* One that only adds to its meaning. */
uint32_t predict_maker_more(struct predict_maker *m, uint8_t op, uint32_t object, uint16_t flags)
{
	return predict_maker_event(
		m, (struct predict_event){.op = op, .object = object, .flags = flags}, false);
}

void predict_maker_depend(struct predict_maker *m)
{
	if (m->markers)
		predict_maker_more(m, OP_BRANCH, PREDICT_NONE, 0);
}

/* ---- locks ---- */

bool predict_maker_was_tried(const struct predict_maker *m, uint64_t lock)
{
	for (size_t i = 0; i < m->tried.count; i++) {
		if (m->tried.items[i] == lock)
			return true;
	}
	return false;
}

void predict_maker_acquire(struct predict_maker *m, uint64_t lock, uint8_t flags)
{
	predict_maker_add(m, OP_ACQ, predict_maker_lock(m, lock), flags);
	if (predict_maker_was_tried(m, lock))
		predict_maker_more(m, OP_WRITE, predict_maker_state(m, "lock", lock),
				   PREDICT_MAKER_STATE);
}

void predict_maker_release(struct predict_maker *m, uint64_t lock)
{
	if (predict_maker_was_tried(m, lock))
		predict_maker_more(m, OP_WRITE, predict_maker_state(m, "lock", lock),
				   PREDICT_MAKER_STATE);
	predict_maker_add(m, OP_REL, predict_maker_lock(m, lock), 0);
}

void predict_maker_note_tried(struct predict_maker *m, const struct wire_event *e)
{
	bool attempt = e->kind == EVENT_TRYLOCK || e->kind == EVENT_SPIN_TRYLOCK ||
		       e->kind == EVENT_TRYRDLOCK || e->kind == EVENT_TRYWRLOCK ||
		       e->kind == EVENT_SEM_TRYWAIT;

	bool gave_up = e->kind == EVENT_LOCK_TIMEOUT || e->kind == EVENT_SEM_TIMEOUT;

	if ((gave_up || (attempt && e->value != 0)) && !predict_maker_was_tried(m, e->addr))
		vec_push(&m->tried, e->addr);
}
