#include "report/explain/pack.h"

#include <inttypes.h>
#include <string.h>

#include "model/event.h"
#include "report/phrase.h"

/* Executions with more operations are cut to what is near the rows. */
#define MANY 12000
#define NEAR 1500

static bool is_operation(const struct wire_event *v)
{
	return (model_event_class(v->kind) != EVENT_CLASS_MARKER || v->kind == EVENT_FREE ||
		v->kind == EVENT_ALLOC || v->kind == EVENT_YIELD || v->kind == EVENT_SLEEP ||
		v->kind == EVENT_SPIN_PARK || v->kind == EVENT_FAILURE);
}

/* ---- dictionaries ---- */

static bool same_addr(const void *items, uint32_t number, const void *key)
{
	return ((const uint64_t *)items)[number] == *(const uint64_t *)key;
}

static uint32_t addr_number(struct pack *p, uint64_t addr)
{
	uint64_t hash = lookup_mix(3, addr);
	uint32_t at = lookup_find(&p->by_addr, hash, same_addr, p->addrs.items, &addr);

	if (at != LOOKUP_NONE)
		return at;
	at = (uint32_t)p->addrs.count;
	lookup_add(&p->by_addr, hash, at);
	vec_push(&p->addrs, addr);
	return at;
}

uint32_t pack_site(struct pack *p, const struct trace_site *s)
{
	if (!s || !s->line)
		return UINT32_MAX;
	for (uint32_t i = 0; i < p->sites.count; i++)
		if (p->sites.items[i]->line == s->line &&
		    strcmp(p->sites.items[i]->file, s->file) == 0)
			return i;
	vec_push(&p->sites, s);
	return (uint32_t)p->sites.count - 1;
}

static bool same_word(const void *items, uint32_t number, const void *key)
{
	const struct pack_word *a = &((const struct pack_word *)items)[number], *b = key;

	return a->thread == b->thread && a->site == b->site && a->addr == b->addr &&
	       a->op == b->op && strcmp(a->text, b->text) == 0;
}

/* Takes over the text. */
static uint32_t word_number(struct pack *p, struct pack_word *w)
{
	uint64_t hash = lookup_hash(w->text, strlen(w->text));
	uint32_t at;

	hash = lookup_mix(lookup_mix(hash, w->thread), (uint64_t)w->site << 32 | w->addr);
	at = lookup_find(&p->by_word, hash, same_word, p->words.items, w);
	if (at != LOOKUP_NONE) {
		free(w->text);
		return at;
	}
	at = (uint32_t)p->words.count;
	lookup_add(&p->by_word, hash, at);
	vec_push(&p->words, *w);
	return at;
}

/* ---- operations ---- */

static bool has_value(const struct wire_event *v)
{
	return v->kind == EVENT_READ || v->kind == EVENT_WRITE || v->kind == EVENT_RMW ||
	       v->kind == EVENT_ISSUE || v->kind == EVENT_CAS_FAIL;
}

/* "reads x = 3" is the text "reads x" and the value "3". */
static char *split_value(struct strbuf *text)
{
	char *at = NULL, *value;

	for (char *c = text->text; c && (c = strstr(c, " = ")); c += 3)
		at = c;
	if (!at)
		return NULL;
	value = xstrdup(at + 3);
	*at = '\0';
	return value;
}

static void add_op(struct pack *p, int side, uint32_t event)
{
	const struct explanation_side *x = report_story_side(p->s, side);
	const struct report_names *n = report_story_names(p->s, side);
	const struct wire_event *v = &x->bundle.events.items[event];
	struct strbuf text = STRBUF_INIT;
	struct pack_word w = {.addr = UINT32_MAX};
	struct pack_op op = {.event = event};

	report_names_event(n, event, &text);
	if (has_value(v))
		op.value = split_value(&text);
	w.thread = v->tid < x->thread.count ? x->thread.items[v->tid] : v->tid;
	w.site = pack_site(p, trace_sites_find(&x->bundle.sites, report_names_site(n, event)));
	w.op = (uint8_t)((model_event_reads(v->kind) ? 1 : 0) |
			 (model_event_writes(v->kind) ? 2 : 0));
	if (w.op)
		w.addr = addr_number(p, v->addr);
	w.text = strbuf_take(&text);
	op.word = word_number(p, &w);
	vec_push(&p->ops[side], op);
}

static bool is_near(const struct explanation_side *x, const uint32_t *place, uint32_t at)
{
	for (size_t i = 0; i < x->rows.count; i++) {
		uint32_t row = x->rows.items[i].event;

		if (row != EXPLANATION_NONE && place[row] + NEAR >= at && at + NEAR >= place[row])
			return true;
	}
	return false;
}

static void add_gap(struct pack *p, int side, uint32_t n)
{
	struct pack_word w = {.site = UINT32_MAX, .addr = UINT32_MAX};
	struct pack_op op = {.event = UINT32_MAX};

	if (n == 0)
		return;
	w.text = xasprintf("(%" PRIu32 " operations are left out)", n);
	op.word = word_number(p, &w);
	vec_push(&p->ops[side], op);
}

static void add_side(struct pack *p, int side)
{
	const struct explanation_side *x = report_story_side(p->s, side);
	uint32_t *place = xcalloc(x->bundle.events.count + 1, sizeof(*place)), n = 0, gap = 0;

	for (uint32_t i = 0; i < x->bundle.events.count; i++) {
		place[i] = n;
		n += is_operation(&x->bundle.events.items[i]);
	}
	for (uint32_t i = 0; i < x->bundle.events.count; i++) {
		if (!is_operation(&x->bundle.events.items[i]))
			continue;
		if (n > MANY && !is_near(x, place, place[i])) {
			gap++;
			continue;
		}
		add_gap(p, side, gap);
		gap = 0;
		add_op(p, side, i);
	}
	add_gap(p, side, gap);
	free(place);
}

void pack_init(struct pack *p, const struct report_story *s)
{
	*p = (struct pack){.s = s};
	add_side(p, 0);
	if (s->x->found)
		add_side(p, 1);
}

uint32_t pack_find(const struct pack *p, int side, uint32_t event)
{
	size_t low = 0, high = p->ops[side].count;

	if (event == EXPLANATION_NONE)
		return UINT32_MAX;
	for (; low < high; low++)
		if (p->ops[side].items[low].event == event)
			return (uint32_t)low;
	return UINT32_MAX;
}

void pack_fini(struct pack *p)
{
	for (size_t i = 0; i < p->words.count; i++)
		free(p->words.items[i].text);
	for (int side = 0; side < 2; side++) {
		for (size_t i = 0; i < p->ops[side].count; i++)
			free(p->ops[side].items[i].value);
		vec_free(&p->ops[side]);
	}
	vec_free(&p->words);
	lookup_fini(&p->by_word);
	vec_free(&p->addrs);
	lookup_fini(&p->by_addr);
	vec_free(&p->sites);
	vec_free(&p->files);
}
