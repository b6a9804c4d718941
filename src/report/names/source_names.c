/*
 * Names of synchronisation objects as the source writes them.  A call like
 *
 *	pthread_mutex_lock(&q->m);   ch.cv.wait(l, …);   std::lock_guard<std::mutex> l(ch.m);
 *
 * says what its object is called; the instrumenter knows only its address.  A line that has such a
 * call twice, or an expression that is more than a name, says nothing.
 */
#include <ctype.h>
#include <string.h>

#include "model/event.h"
#include "report/names/priv.h"

/* Calls with the object as their argument. */
static const char *const callees[] = {
	"pthread_mutex_lock(",
	"pthread_mutex_unlock(",
	"pthread_mutex_trylock(",
	"pthread_mutex_timedlock(",
	"pthread_cond_wait(",
	"pthread_cond_timedwait(",
	"pthread_cond_signal(",
	"pthread_cond_broadcast(",
	"pthread_rwlock_rdlock(",
	"pthread_rwlock_wrlock(",
	"pthread_rwlock_unlock(",
	"pthread_spin_lock(",
	"pthread_spin_unlock(",
	"sem_wait(",
	"sem_post(",
	"pthread_barrier_wait(",
	"mtx_lock(",
	"mtx_unlock(",
	"cnd_wait(",
	"cnd_signal(",
	"cnd_broadcast(",
};

/* Methods of it. */
static const char *const methods[] = {
	".wait(", ".wait_for(", ".wait_until(", ".notify_one(",	 ".notify_all(",
	".lock(", ".unlock(",	".try_lock(",	".lock_shared(", ".unlock_shared(",
};

static const char *const guards[] = {"lock_guard", "unique_lock", "scoped_lock", "shared_lock"};

static bool is_name_char(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '.' || c == '[' || c == ']' ||
	       c == '>' || c == '-' || c == ':';
}

/* One place of the text in the line, NULL when there is none or are several. */
static const char *find_once(const char *line, const char *text)
{
	const char *at = strstr(line, text);

	return at && !strstr(at + 1, text) ? at : NULL;
}

/* A name up to a comma or a closing parenthesis; anything else is no name. */
static bool take_argument(const char *at, struct strbuf *to)
{
	const char *end;

	at += strspn(at, " &");
	for (end = at; is_name_char(*end); end++)
		;
	if (end == at || (*end != ',' && *end != ')' && *end != ' '))
		return false;
	strbuf_add_bytes(to, at, (size_t)(end - at));
	return true;
}

static bool take_callee(const char *line, struct strbuf *to)
{
	for (size_t i = 0; i < sizeof(callees) / sizeof(callees[0]); i++) {
		const char *at = find_once(line, callees[i]);

		if (at)
			return take_argument(at + strlen(callees[i]), to);
	}
	return false;
}

static bool take_method(const char *line, struct strbuf *to)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++) {
		const char *end = find_once(line, methods[i]), *at = end;

		if (!end)
			continue;
		while (at > line && is_name_char(at[-1]))
			at--;
		if (at == end)
			return false;
		strbuf_add_bytes(to, at, (size_t)(end - at));
		return true;
	}
	return false;
}

/* std::lock_guard<std::mutex> l(ch.m): the argument of the guard's own constructor. */
static bool take_guard(const char *line, struct strbuf *to)
{
	for (size_t i = 0; i < sizeof(guards) / sizeof(guards[0]); i++) {
		const char *at = find_once(line, guards[i]);

		at = at ? strpbrk(at, "({") : NULL;
		if (at)
			return take_argument(at + 1, to);
	}
	return false;
}

static bool is_about_condition(uint8_t kind)
{
	return kind == EVENT_COND_WAIT || kind == EVENT_COND_SIGNAL || kind == EVENT_COND_BROADCAST;
}

static bool is_about_lock(uint8_t kind)
{
	return kind == EVENT_LOCK || kind == EVENT_TRYLOCK || kind == EVENT_RDLOCK ||
	       kind == EVENT_WRLOCK || kind == EVENT_SPIN_LOCK || kind == EVENT_UNLOCK ||
	       kind == EVENT_RWUNLOCK;
}

void report_names_expression(const char *line, uint8_t kind, struct strbuf *to)
{
	if (take_callee(line, to))
		return;
	if (is_about_lock(kind) && take_guard(line, to))
		return;
	take_method(line, to);
}

static bool is_known(const struct report_names *n, uint64_t addr)
{
	for (size_t i = 0; i < n->objects.count; i++)
		if (n->objects.items[i].addr == addr)
			return true;
	return false;
}

#define MAX_OBJECTS 256

void report_names_find_objects(struct report_names *n)
{
	for (size_t i = 0; i < n->b->events.count && n->objects.count < MAX_OBJECTS; i++) {
		const struct wire_event *v = &n->b->events.items[i];
		const struct trace_site *s;
		struct strbuf name = STRBUF_INIT;
		const char *line;

		if (!(is_about_lock(v->kind) || is_about_condition(v->kind) ||
		      v->kind == EVENT_SEM_WAIT || v->kind == EVENT_SEM_POST ||
		      v->kind == EVENT_BARRIER_ARRIVE) ||
		    is_known(n, v->addr))
			continue;
		s = trace_sites_find(&n->b->sites, report_names_site(n, i));
		line = s ? report_source_line(n->source, s) : NULL;
		if (line)
			report_names_expression(line, v->kind, &name);
		if (name.length > 0)
			vec_push(&n->objects, ((struct names_object){v->addr, strbuf_take(&name)}));
		strbuf_free(&name);
	}
}
