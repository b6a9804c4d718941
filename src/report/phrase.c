#include "report/phrase.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "report/demangle.h"
#include "report/words.h"
#include "wire/fds.h"

void report_phrase_place(const struct trace_bundle *b, uint32_t site, struct strbuf *to)
{
	const struct trace_site *s = trace_sites_find(&b->sites, site);

	if (s && s->line)
		trace_site_place(s, true, to);
	else
		strbuf_add(to, "an unknown place");
}

void report_phrase_thread_name(const struct trace_bundle *b, uint32_t tid, struct strbuf *to)
{
	const struct wire_thread *t = tid < b->threads.count ? &b->threads.items[tid] : NULL;
	const struct trace_symbol *s;

	if (tid == 0) {
		strbuf_add(to, "main");
		return;
	}
	if (!t)
		return;
	s = trace_symbols_find(&b->symbols, t->start);
	if (t->name[0])
		strbuf_add(to, t->name);
	else if (s)
		report_demangle(s->name, to);
}

void report_phrase_thread(const struct trace_bundle *b, uint32_t tid, struct strbuf *to)
{
	struct strbuf name = STRBUF_INIT;

	report_phrase_thread_name(b, tid, &name);
	strbuf_addf(to, "T%" PRIu32, tid);
	if (name.length > 0)
		strbuf_addf(to, " (%s)", name.text);
	strbuf_free(&name);
}

void report_phrase_object(const struct trace_bundle *b, uint64_t addr, struct strbuf *to)
{
	const struct trace_symbol *s = trace_symbols_find(&b->symbols, addr);

	if (!s) {
		strbuf_addf(to, "0x%" PRIx64, addr);
		return;
	}
	report_demangle(s->name, to);
	if (addr > s->addr)
		strbuf_addf(to, "+0x%" PRIx64, addr - s->addr);
}

void report_phrase_variable(const struct trace_bundle *b, uint32_t site, uint64_t addr,
			    struct strbuf *to)
{
	const struct trace_site *s = trace_sites_find(&b->sites, site);

	if (s && s->name[0])
		strbuf_add(to, s->name);
	else
		report_phrase_object(b, addr, to);
}

/* The value with its sign extended when its top bit is set. */
static int64_t sign_extend(uint64_t value, uint8_t size)
{
	unsigned shift = size >= 1 && size < 8 ? 64 - 8u * size : 0;

	return (int64_t)(value << shift) >> shift;
}

void report_phrase_value(const struct trace_bundle *b, uint64_t value, uint8_t size,
			 struct strbuf *to)
{
	int64_t number = sign_extend(value, size);
	const struct trace_symbol *s;

	if (number > -1000000000 && number < 100000000000) {
		strbuf_addf(to, "%" PRId64, number);
		return;
	}
	s = size == 8 ? trace_symbols_find(&b->symbols, value) : NULL;
	if (s)
		strbuf_add_char(to, '&');
	report_phrase_object(b, value, to);
}

static void add_access(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		       struct strbuf *to)
{
	strbuf_addf(to, "%s ", verb);
	report_phrase_variable(b, v->site, v->addr, to);
	strbuf_add(to, " = ");
	report_phrase_value(b, v->value, v->size, to);
}

/* With store buffers the event is the commit, not the store itself. */
static void add_write(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		      struct strbuf *to)
{
	add_access(b, v, !wire_model_buffers(b->meta.model) ? verb : "commits", to);
}

static void add_range(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		      struct strbuf *to)
{
	strbuf_addf(to, "%s %" PRIu64 " bytes at ", verb, v->value);
	report_phrase_object(b, v->addr, to);
}

static void add_on_object(const struct trace_bundle *b, const struct wire_event *v,
			  const char *verb, struct strbuf *to)
{
	strbuf_addf(to, "%s ", verb);
	report_phrase_object(b, v->addr, to);
}

static void add_on_thread(const struct trace_bundle *b, const struct wire_event *v,
			  const char *verb, struct strbuf *to)
{
	strbuf_addf(to, "%s ", verb);
	report_phrase_thread(b, v->aux, to);
}

static void add_try(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		    struct strbuf *to)
{
	add_on_object(b, v, verb, to);
	if (v->value == 0)
		strbuf_add(to, ": got it");
	else
		strbuf_addf(to, ": %s",
			    strerrorname_np((int)(v->value & 0xff))
				    ? strerrorname_np((int)(v->value & 0xff))
				    : "failed");
}

static void add_wait(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		     struct strbuf *to)
{
	bool unasked = v->kind == EVENT_COND_WAKE && v->aux == THREAD_NONE;

	add_on_object(b, v, unasked ? "wakes without a signal from" : verb, to);
	strbuf_add(to, v->kind == EVENT_COND_WAIT ? ", releases " : ", has again ");
	report_phrase_object(b, v->value, to);
}

static void add_wake(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		     struct strbuf *to)
{
	add_on_object(b, v, verb, to);
	strbuf_addf(to, ": wakes %" PRIu32, v->aux);
}

static void add_tokens(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		       struct strbuf *to)
{
	add_on_object(b, v, verb, to);
	strbuf_addf(to, ", %" PRIu64 " left", v->value);
}

static void add_number(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		       struct strbuf *to)
{
	strbuf_addf(to, "%s %" PRIu64, verb, v->value);
}

static void add_block(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		      struct strbuf *to)
{
	if (v->value > 0)
		strbuf_addf(to, "%s %" PRIu64 " bytes at 0x%" PRIx64, verb, v->value, v->addr);
	else
		strbuf_addf(to, "%s 0x%" PRIx64, verb, v->addr);
}

static void add_verb(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		     struct strbuf *to)
{
	strbuf_add(to, verb);
}

static void add_failure(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
			struct strbuf *to)
{
	const struct wire_failure *f = &b->outcome.failure;

	if (v->value == FAILURE_SIGNAL && f->kind == FAILURE_SIGNAL)
		strbuf_add(to, report_word_signal(f->value));
	else
		strbuf_add(to, report_word_failure((uint32_t)v->value));
}

/* A call on descriptors of the model, see wire/fds.h. */
static void add_descriptor(const struct trace_bundle *b, const struct wire_event *v,
			   const char *verb, struct strbuf *to)
{
	static const char *const words[FDS_OPS] = {
		[FDS_DO_PIPE] = "makes a pipe",
		[FDS_DO_PAIR] = "makes a socket pair",
		[FDS_DO_COUNTER] = "makes an eventfd",
		[FDS_DO_TIMER] = "makes a timer",
		[FDS_DO_EPOLL] = "makes an epoll instance",
		[FDS_DO_CLOSE] = "closes",
		[FDS_DO_DUP] = "copies",
		[FDS_DO_DUP2] = "copies",
		[FDS_DO_GET] = "reads from",
		[FDS_DO_PUT] = "writes to",
		[FDS_DO_SHUTDOWN] = "shuts down",
		[FDS_DO_POLL] = "polls descriptors",
		[FDS_DO_CTL] = "changes what is watched by",
		[FDS_DO_WAIT] = "waits for events at",
		[FDS_DO_ARM] = "sets the timer",
		[FDS_DO_FIRE] = "finds run out the timer",
	};
	const char *word = v->aux < FDS_OPS ? words[v->aux] : NULL;
	int fd = (int)(uint32_t)v->addr, result = (int)(uint32_t)(v->addr >> 32);

	strbuf_add(to, word ? word : verb);
	if (fd >= 0)
		strbuf_addf(to, " descriptor %d", fd);
	if (v->value == 1)
		strbuf_add(to, ": time is over");
	else if (result < 0)
		strbuf_addf(to, ": %s", strerror(-result));
	else if (v->aux == FDS_DO_GET || v->aux == FDS_DO_PUT)
		strbuf_addf(to, ": %d byte%s", result, result == 1 ? "" : "s");
	else if (v->aux == FDS_DO_POLL || v->aux == FDS_DO_WAIT)
		strbuf_addf(to, ": %d ready", result);
}

struct phrase {
	void (*add)(const struct trace_bundle *b, const struct wire_event *v, const char *verb,
		    struct strbuf *to);
	const char *verb;
};

static const struct phrase phrases[EVENT_KIND_MAX] = {
	[EVENT_READ] = {add_access, "reads"},
	[EVENT_WRITE] = {add_write, "writes"},
	[EVENT_RMW] = {add_access, "updates"},
	[EVENT_FENCE] = {add_verb, "fence"},
	[EVENT_ISSUE] = {add_access, "buffers"},
	[EVENT_READ_RANGE] = {add_range, "reads"},
	[EVENT_WRITE_RANGE] = {add_range, "writes"},
	[EVENT_CAS_FAIL] = {add_access, "compare-and-swap fails:"},
	[EVENT_THREAD_BEGIN] = {add_verb, "begins"},
	[EVENT_THREAD_END] = {add_verb, "ends"},
	[EVENT_THREAD_CREATE] = {add_on_thread, "creates"},
	[EVENT_THREAD_JOIN] = {add_on_thread, "joins"},
	[EVENT_THREAD_DETACH] = {add_on_thread, "detaches"},
	[EVENT_THREAD_CANCEL] = {add_on_thread, "cancels"},
	[EVENT_EXIT] = {add_number, "exits with status"},
	[EVENT_KILL] = {add_number, "sends signal"},
	[EVENT_HANDLER] = {add_number, "is interrupted by signal"},
	[EVENT_LOCK] = {add_on_object, "locks"},
	[EVENT_UNLOCK] = {add_on_object, "unlocks"},
	[EVENT_TRYLOCK] = {add_try, "tries to lock"},
	[EVENT_LOCK_TIMEOUT] = {add_on_object, "times out locking"},
	[EVENT_RDLOCK] = {add_on_object, "read-locks"},
	[EVENT_WRLOCK] = {add_on_object, "write-locks"},
	[EVENT_RWUNLOCK] = {add_on_object, "unlocks"},
	[EVENT_TRYRDLOCK] = {add_try, "tries to read-lock"},
	[EVENT_TRYWRLOCK] = {add_try, "tries to write-lock"},
	[EVENT_SPIN_LOCK] = {add_on_object, "spin-locks"},
	[EVENT_SPIN_UNLOCK] = {add_on_object, "spin-unlocks"},
	[EVENT_SPIN_TRYLOCK] = {add_try, "tries to spin-lock"},
	[EVENT_OBJ_INIT] = {add_on_object, "initialises"},
	[EVENT_OBJ_DESTROY] = {add_on_object, "destroys"},
	[EVENT_COND_WAIT] = {add_wait, "waits for"},
	[EVENT_COND_WAKE] = {add_wait, "wakes from"},
	[EVENT_COND_TIMEOUT] = {add_on_object, "times out waiting for"},
	[EVENT_COND_SIGNAL] = {add_wake, "signals"},
	[EVENT_COND_BROADCAST] = {add_wake, "broadcasts"},
	[EVENT_BARRIER_ARRIVE] = {add_on_object, "arrives at barrier"},
	[EVENT_BARRIER_LEAVE] = {add_on_object, "leaves barrier"},
	[EVENT_SEM_WAIT] = {add_tokens, "takes from semaphore"},
	[EVENT_SEM_POST] = {add_tokens, "posts semaphore"},
	[EVENT_SEM_TRYWAIT] = {add_on_object, "tries semaphore"},
	[EVENT_SEM_TIMEOUT] = {add_on_object, "times out at semaphore"},
	[EVENT_ONCE_BEGIN] = {add_on_object, "begins once"},
	[EVENT_ONCE_END] = {add_on_object, "ends once"},
	[EVENT_ONCE_PASS] = {add_on_object, "passes once"},
	[EVENT_FUTEX_WAIT] = {add_on_object, "waits at futex"},
	[EVENT_FUTEX_WAKE] = {add_on_object, "wakes futex"},
	[EVENT_FD] = {add_descriptor, "uses"},
	[EVENT_YIELD] = {add_verb, "yields"},
	[EVENT_SLEEP] = {add_number, "sleeps (ns)"},
	[EVENT_CLOCK] = {add_number, "reads the clock:"},
	[EVENT_RANDOM] = {add_number, "takes random bytes:"},
	[EVENT_IO] = {add_number, "input or output, result"},
	[EVENT_ALLOC] = {add_block, "allocates"},
	[EVENT_FREE] = {add_block, "frees"},
	[EVENT_BRANCH] = {add_number, "branches"},
	[EVENT_ENTER] = {add_verb, "enters the function"},
	[EVENT_LEAVE] = {add_verb, "returns"},
	[EVENT_INTO] = {add_verb, "calls a function"},
	[EVENT_CALL] = {add_on_object, "calls"},
	[EVENT_SPIN_PARK] = {add_verb, "spins: nothing changes"},
	[EVENT_NOTE] = {add_verb, "note"},
	[EVENT_FAILURE] = {add_failure, ""},
	[EVENT_ATOMIC_BEGIN] = {add_verb, "begins an atomic block"},
	[EVENT_ATOMIC_END] = {add_verb, "ends the atomic block"},
};

void report_phrase_event(const struct trace_bundle *b, const struct wire_event *v,
			 struct strbuf *to)
{
	const struct phrase *p = v->kind < EVENT_KIND_MAX ? &phrases[v->kind] : NULL;

	if (p && p->add)
		p->add(b, v, p->verb, to);
	else
		strbuf_add(to, report_word_event(v->kind));
}
