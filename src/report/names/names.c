#include "report/names/names.h"

#include <inttypes.h>
#include <string.h>

#include "model/calls.h"
#include "model/event.h"
#include "report/names/priv.h"
#include "report/phrase.h"

static const struct trace_site *site_at(const struct report_names *n, uint32_t site)
{
	return trace_sites_find(&n->b->sites, site);
}

/* ---- folding ---- */

/* Out of the frames of libraries, to the call in the user's code. */
static void fold(struct report_names *n, const struct calls *c, size_t event, uint32_t frame)
{
	const struct wire_event *v = &n->b->events.items[event];
	const struct trace_site *s = site_at(n, v->site);
	struct names_event *e = &n->events.items[event];

	e->site = v->site;
	e->folded = NULL;
	if (!trace_site_is_library(s))
		return;
	for (uint32_t f = frame; f != 0; f = c->frames.items[f - 1].parent) {
		const struct calls_frame *at = &c->frames.items[f - 1];
		const struct trace_site *call = site_at(n, at->call);

		if (!call || trace_site_is_library(call))
			continue;
		e->site = at->call;
		e->folded = at->func;
		return;
	}
}

/* The first function of the user's that a thread enters says what it is for. */
static void note_entry(struct report_names *n, const struct wire_event *v)
{
	const struct trace_site *s = site_at(n, v->site);

	if (v->kind == EVENT_ENTER && v->tid < n->threads.count &&
	    n->threads.items[v->tid] == SITE_NONE && s && !trace_site_is_library(s))
		n->threads.items[v->tid] = v->site;
}

static void follow(struct report_names *n)
{
	struct calls c = {.frames = VEC_INIT};

	for (size_t i = 0; i < n->b->events.count; i++) {
		uint32_t frame = calls_follow(&c, n->b, &n->b->events.items[i]);

		note_entry(n, &n->b->events.items[i]);
		fold(n, &c, i, frame);
	}
	calls_fini(&c);
}

struct report_names *report_names_new(const struct trace_bundle *b)
{
	struct report_names *n = xcalloc(1, sizeof(*n));

	n->b = b;
	n->source = report_source_new();
	vec_reserve(&n->events, b->events.count + 1);
	n->events.count = b->events.count;
	for (size_t i = 0; i < b->threads.count; i++)
		vec_push(&n->threads, SITE_NONE);
	follow(n);
	report_names_find_objects(n);
	return n;
}

void report_names_free(struct report_names *n)
{
	if (!n)
		return;
	for (size_t i = 0; i < n->objects.count; i++)
		free(n->objects.items[i].name);
	vec_free(&n->objects);
	vec_free(&n->events);
	vec_free(&n->threads);
	report_source_free(n->source);
	free(n);
}

uint32_t report_names_site(const struct report_names *n, size_t event)
{
	return event < n->events.count ? n->events.items[event].site : SITE_NONE;
}

const char *report_names_folded(const struct report_names *n, size_t event)
{
	return event < n->events.count ? n->events.items[event].folded : NULL;
}

/* ---- threads ---- */

void report_names_renumber(struct report_names *n, const uint32_t *number, size_t count)
{
	n->number = number;
	n->numbers = count;
}

uint32_t report_names_number(const struct report_names *n, uint32_t tid)
{
	return tid < n->numbers ? n->number[tid] : tid;
}

/* C11 threads and the C++ library start all threads in a function of their own. */
static bool says_nothing(const char *name)
{
	return name[0] == '\0' || strstr(name, "native_thread_routine") || strcmp(name, "?") == 0;
}

void report_names_thread_only(const struct report_names *n, uint32_t tid, struct strbuf *to)
{
	struct strbuf plain = STRBUF_INIT;
	const struct trace_site *s =
		tid < n->threads.count ? site_at(n, n->threads.items[tid]) : NULL;

	report_phrase_thread_name(n->b, tid, &plain);
	if (plain.length > 0 && !says_nothing(plain.text)) {
		report_names_short(plain.text, to);
	} else if (s && strstr(s->func, "operator()")) {
		strbuf_add(to, "lambda at ");
		trace_site_place(s, true, to);
	} else if (s) {
		report_names_short(s->func, to);
	}
	strbuf_free(&plain);
}

void report_names_thread(const struct report_names *n, uint32_t tid, struct strbuf *to)
{
	struct strbuf name = STRBUF_INIT;

	report_names_thread_only(n, tid, &name);
	strbuf_addf(to, "T%" PRIu32, report_names_number(n, tid));
	if (name.length > 0)
		strbuf_addf(to, " (%s)", name.text);
	strbuf_free(&name);
}

void report_names_place(const struct report_names *n, uint32_t site, struct strbuf *to)
{
	report_phrase_place(n->b, site, to);
}

/* ---- what events are about ---- */

static const char *known_object(const struct report_names *n, uint64_t addr)
{
	for (size_t i = 0; i < n->objects.count; i++)
		if (n->objects.items[i].addr == addr)
			return n->objects.items[i].name;
	return NULL;
}

/* The heap block that holds the address when the execution ends, or did last. */
static const struct wire_event *find_block(const struct report_names *n, uint64_t addr)
{
	for (size_t i = n->b->events.count; i-- > 0;) {
		const struct wire_event *v = &n->b->events.items[i];

		if (v->kind == EVENT_ALLOC && addr >= v->addr && addr < v->addr + v->value)
			return v;
	}
	return NULL;
}

static void add_block(const struct report_names *n, const struct wire_event *block, uint64_t addr,
		      struct strbuf *to)
{
	const struct trace_site *s =
		site_at(n, report_names_site(n, (size_t)(block - n->b->events.items)));

	strbuf_addf(to, "block of %" PRIu64 " bytes", block->value);
	if (s && s->func[0]) {
		strbuf_add(to, " from ");
		report_names_short(s->func, to);
	}
	if (addr > block->addr)
		strbuf_addf(to, " +%" PRIu64, addr - block->addr);
}

void report_names_object(const struct report_names *n, uint64_t addr, struct strbuf *to)
{
	const struct trace_symbol *s = trace_symbols_find(&n->b->symbols, addr);
	const char *name = known_object(n, addr);
	const struct wire_event *block;

	/* An expression of the source may mean something else in each thread; a symbol does not. */
	if (s)
		report_phrase_object(n->b, addr, to);
	else if (name)
		strbuf_add(to, name);
	else if ((block = find_block(n, addr)))
		add_block(n, block, addr, to);
	else
		strbuf_addf(to, "0x%" PRIx64, addr);
}

void report_names_subject(const struct report_names *n, size_t event, struct strbuf *to)
{
	const struct wire_event *v = &n->b->events.items[event];
	const struct trace_site *s = site_at(n, v->site);

	if (model_event_class(v->kind) == EVENT_CLASS_ACCESS && s && s->name[0])
		strbuf_add(to, strncmp(s->name, "this->", 6) == 0 ? s->name + 6 : s->name);
	else
		report_names_object(n, v->addr, to);
}
