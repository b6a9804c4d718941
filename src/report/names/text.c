/* Events in words, with the names of names.c. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "model/event.h"
#include "report/names/priv.h"
#include "report/phrase.h"

/* Without what stands in < > and ( ): nesting is followed, an operator keeps its sign. */
void report_names_short(const char *name, struct strbuf *to)
{
	struct strbuf plain = STRBUF_INIT;
	int depth = 0;

	for (const char *c = name; *c; c++) {
		if (*c == '<' && strncmp(c, "<<", 2) != 0)
			depth++;
		else if (*c == '>' && depth > 0)
			depth--;
		else if (*c == '(' && depth == 0 && c > name && strncmp(c, "(anonymous", 10) != 0)
			break;
		else if (depth == 0)
			strbuf_add_char(&plain, *c);
	}
	if (plain.length == 0)
		strbuf_add(to, name);
	else
		strbuf_add(to, strncmp(plain.text, "std::__cxx11::", 14) == 0 ? plain.text + 14
									      : plain.text);
	strbuf_free(&plain);
}

static void add_access(const struct report_names *n, size_t event, const char *verb,
		       struct strbuf *to)
{
	const struct wire_event *v = &n->b->events.items[event];

	strbuf_addf(to, "%s ", verb);
	report_names_subject(n, event, to);
	if (v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE) {
		strbuf_addf(to, " (%" PRIu64 " bytes)", v->value);
		return;
	}
	strbuf_add(to, " = ");
	report_phrase_value(n->b, v->value, v->size, to);
}

static void add_wake(const struct report_names *n, const struct wire_event *v, struct strbuf *to)
{
	if (v->aux == THREAD_NONE) {
		strbuf_add(to, "wakes up without a signal of ");
		report_names_object(n, v->addr, to);
		return;
	}
	strbuf_addf(to, "wakes up by T%" PRIu32 "'s signal of ", report_names_number(n, v->aux));
	report_names_object(n, v->addr, to);
}

/* Which thread wakes up by this signal; THREAD_NONE when it is not seen to. */
static uint32_t find_woken(const struct trace_bundle *b, size_t event)
{
	const struct wire_event *v = &b->events.items[event];

	for (size_t i = event + 1; i < b->events.count; i++) {
		const struct wire_event *w = &b->events.items[i];

		if (w->kind == EVENT_COND_WAKE && w->addr == v->addr && w->aux == v->tid)
			return w->tid;
		if (w->tid == v->tid && w->addr == v->addr && w->kind == v->kind)
			break;
	}
	return THREAD_NONE;
}

static void add_signal(const struct report_names *n, size_t event, struct strbuf *to)
{
	const struct wire_event *v = &n->b->events.items[event];
	uint32_t woken = v->aux == 1 ? find_woken(n->b, event) : THREAD_NONE;

	strbuf_add(to, v->kind == EVENT_COND_SIGNAL ? "signals " : "broadcasts ");
	report_names_object(n, v->addr, to);
	if (v->aux == 0)
		strbuf_add(to, ": nobody sleeps");
	else if (woken != THREAD_NONE)
		strbuf_addf(to, ": wakes T%" PRIu32, report_names_number(n, woken));
	else
		strbuf_addf(to, ": wakes %" PRIu32, v->aux);
}

static void add_object(const struct report_names *n, const struct wire_event *v, const char *verb,
		       struct strbuf *to)
{
	strbuf_addf(to, "%s ", verb);
	report_names_object(n, v->addr, to);
}

static void add_try(const struct report_names *n, const struct wire_event *v, const char *verb,
		    struct strbuf *to)
{
	const char *word = v->value ? strerrorname_np((int)(v->value & 0xff)) : "got it";

	add_object(n, v, verb, to);
	strbuf_addf(to, ": %s", word ? word : "failed");
}

static void add_thread(const struct report_names *n, const struct wire_event *v, struct strbuf *to)
{
	strbuf_add(to, v->kind == EVENT_THREAD_JOIN ? "joins " : "creates ");
	report_names_thread(n, v->aux, to);
}

static const char *verb_of(uint8_t kind)
{
	switch (kind) {
	case EVENT_LOCK:
		return "locks";
	case EVENT_SPIN_LOCK:
		return "spin-locks";
	case EVENT_RDLOCK:
		return "read-locks";
	case EVENT_WRLOCK:
		return "write-locks";
	case EVENT_UNLOCK:
	case EVENT_RWUNLOCK:
	case EVENT_SPIN_UNLOCK:
		return "unlocks";
	case EVENT_COND_WAIT:
		return "goes to sleep at";
	case EVENT_SEM_WAIT:
		return "takes from";
	case EVENT_SEM_POST:
		return "posts";
	case EVENT_BARRIER_ARRIVE:
		return "arrives at";
	case EVENT_BARRIER_LEAVE:
		return "leaves";
	default:
		return NULL;
	}
}

static bool add_memory(const struct report_names *n, size_t event, struct strbuf *to)
{
	const struct wire_event *v = &n->b->events.items[event];
	bool buffered = wire_model_buffers(n->b->meta.model);

	switch (v->kind) {
	case EVENT_READ:
	case EVENT_READ_RANGE:
		add_access(n, event, "reads", to);
		return true;
	case EVENT_WRITE:
	case EVENT_WRITE_RANGE:
		add_access(n, event, buffered ? "commits" : "writes", to);
		return true;
	case EVENT_ISSUE:
		add_access(n, event, "buffers", to);
		return true;
	case EVENT_RMW:
		add_access(n, event, "updates", to);
		return true;
	case EVENT_FREE:
		strbuf_add(to, "frees the ");
		report_names_object(n, v->addr, to);
		return true;
	default:
		return false;
	}
}

void report_names_event(const struct report_names *n, size_t event, struct strbuf *to)
{
	const struct wire_event *v = &n->b->events.items[event];
	const char *verb = verb_of(v->kind), *folded = report_names_folded(n, event);

	if (verb)
		add_object(n, v, verb, to);
	else if (v->kind == EVENT_COND_WAKE)
		add_wake(n, v, to);
	else if (v->kind == EVENT_COND_SIGNAL || v->kind == EVENT_COND_BROADCAST)
		add_signal(n, event, to);
	else if (v->kind == EVENT_TRYLOCK)
		add_try(n, v, "tries to lock", to);
	else if (v->kind == EVENT_THREAD_JOIN || v->kind == EVENT_THREAD_CREATE)
		add_thread(n, v, to);
	else if (!add_memory(n, event, to))
		report_phrase_event(n->b, v, to);
	if (folded && folded[0] && model_event_class(v->kind) == EVENT_CLASS_ACCESS) {
		strbuf_add(to, " in ");
		report_names_short(folded, to);
	}
}
