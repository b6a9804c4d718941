#include "stable/advice.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>

#include "stable/log.h"
#include "stable/symbols.h"

#define SHOWN 8
#define SHORT_NS 5000	   /* a region shorter than this is not worth a hand-off */
#define LONG_NS 20000	   /* a region longer than this is worth aligning */
#define OFTEN 1000	   /* operations */
#define MATTERS_NS 2000000 /* less is noise */
#define BARRIERS 3
#define SECTIONS 8

static uint64_t cost(const struct stable_region *r)
{
	return r->blamed_ns > r->waited_ns ? r->blamed_ns : r->waited_ns;
}

static int by_blame(const void *a, const void *b)
{
	uint64_t x = (*(const struct stable_region *const *)a)->blamed_ns;
	uint64_t y = (*(const struct stable_region *const *)b)->blamed_ns;
	return x < y ? 1 : x > y ? -1 : 0;
}

static bool takes(uint32_t op)
{
	return op == STABLE_OP_MUTEX_LOCK || op == STABLE_OP_SPIN_LOCK ||
	       op == STABLE_OP_RWLOCK_RDLOCK || op == STABLE_OP_RWLOCK_WRLOCK ||
	       op == STABLE_OP_OMP_CRITICAL;
}

static bool releases(uint32_t op)
{
	return op == STABLE_OP_MUTEX_UNLOCK || op == STABLE_OP_SPIN_UNLOCK ||
	       op == STABLE_OP_RWLOCK_UNLOCK || op == STABLE_OP_OMP_CRITICAL;
}

/* Operations that need no order with those of other threads. */
static bool makes(uint32_t op)
{
	return op == STABLE_OP_MUTEX_INIT || op == STABLE_OP_COND_INIT ||
	       op == STABLE_OP_RWLOCK_INIT || op == STABLE_OP_SPIN_INIT;
}

/* What it costs to take and release the section that begins at a site. */
static uint64_t section_cost(const struct stable_ctl *ctl, uint64_t site)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < STABLE_REGIONS; i++) {
		const struct stable_region *r = &ctl->region[i];
		if (r->count && (r->to == site || r->from == site))
			sum += r->waited_ns;
	}
	return sum;
}

/* Others waited for a long computation. */
static bool is_long(const struct stable_region *r)
{
	return r->blamed_ns > MATTERS_NS && r->compute_ns / r->count > LONG_NS;
}

/* Inside a critical section the turn is kept, and a barrier would only make others wait longer. */
static bool wants_barrier(const struct stable_region *r)
{
	return is_long(r) && !takes(r->from_op);
}

static bool wants_exit(const struct stable_region *r)
{
	return is_long(r) && takes(r->from_op);
}

/* On a busy machine the mean has the time of other programs in it. */
static uint64_t typical(const struct stable_region *r)
{
	uint64_t mean = r->compute_ns / r->count, bound = 2 * r->shortest_ns;
	return mean < bound ? mean : bound;
}

/* Code after a site is always a short critical section, in which at most objects are made. */
static bool is_short_section(const struct stable_ctl *ctl, uint64_t site)
{
	for (size_t i = 0; i < STABLE_REGIONS; i++) {
		const struct stable_region *r = &ctl->region[i];
		if (r->count && r->from == site &&
		    ((!releases(r->to_op) && !makes(r->to_op)) || typical(r) >= SHORT_NS))
			return false;
	}
	return true;
}

/* A short critical section that is entered often; the first region that begins with it. */
static bool wants_section(const struct stable_ctl *ctl, const struct stable_region *r)
{
	if (r->count < OFTEN || !takes(r->from_op) || section_cost(ctl, r->from) <= MATTERS_NS)
		return false;
	for (const struct stable_region *earlier = ctl->region; earlier < r; earlier++) {
		if (earlier->count >= OFTEN && earlier->from == r->from)
			return false;
	}
	return is_short_section(ctl, r->from);
}

static void add_region(const struct stable_ctl *ctl, const struct stable_region *r,
		       struct strbuf *to)
{
	strbuf_addf(to, "%10.3f ms %10.3f ms %9" PRIu64 " %10.1f us  ", (double)r->blamed_ns / 1e6,
		    (double)r->waited_ns / 1e6, r->count,
		    (double)r->compute_ns / 1e3 / (double)r->count);
	strbuf_addf(to, "%s ", r->from ? stable_log_op_name(r->from_op) : "start");
	if (r->from)
		stable_symbols_pc(ctl, r->from, to);
	strbuf_addf(to, " -> %s ", stable_log_op_name(r->to_op));
	stable_symbols_pc(ctl, r->to, to);
	strbuf_add_char(to, '\n');
}

/* The line of a hints file without its end; false, and why, when no file can name the place. */
static bool add_hint(const struct stable_ctl *ctl, const char *kind, uint64_t site,
		     struct strbuf *to)
{
	struct strbuf name = STRBUF_INIT;
	bool named = site && stable_symbols_site(ctl, site, &name);
	if (named)
		strbuf_addf(to, "    or, without changing the program, in a hints file: %s %s",
			    kind, name.text);
	else
		strbuf_add(to,
			   site ? "    no hints file can name this place: its code is in no file\n"
				: "    no hints file can name this place: a thread begins there, "
				  "no operation comes before\n");
	strbuf_free(&name);
	return named;
}

static void advise_barrier(const struct stable_ctl *ctl, const struct stable_region *r,
			   struct strbuf *to)
{
	strbuf_add(to, "  soft barrier: soba_wait() right after ");
	if (r->from)
		stable_symbols_pc(ctl, r->from, to);
	else
		strbuf_add(to, "the start of the thread function");
	strbuf_addf(to,
		    ", soba_init(threads of the group) where they are created; others waited "
		    "%.1f ms for this code\n",
		    (double)r->blamed_ns / 1e6);
	int threads = __builtin_popcountll(r->threads);
	if (threads < 2)
		strbuf_add(to, "    no hints file helps: a single thread was seen there\n");
	else if (add_hint(ctl, "soba", r->from, to))
		strbuf_addf(to, " %d\n", threads);
}

/* All places where the section that begins at a site is left: part of it outside is no use. */
static void add_exits(const struct stable_ctl *ctl, uint64_t site, struct strbuf *to)
{
	for (size_t i = 0; i < STABLE_REGIONS; i++) {
		const struct stable_region *r = &ctl->region[i];
		if (!r->count || r->from != site || !releases(r->to_op))
			continue;
		strbuf_add(to, "\n    and in the hints file: pcs ");
		stable_symbols_site(ctl, r->to, to);
	}
	strbuf_add_char(to, '\n');
}

static void advise_section(const struct stable_ctl *ctl, const struct stable_region *r,
			   struct strbuf *to)
{
	strbuf_addf(to, "  performance-critical section: pcs_enter() before %s at ",
		    stable_log_op_name(r->from_op));
	stable_symbols_pc(ctl, r->from, to);
	strbuf_addf(to, ", pcs_exit() after %s at ", stable_log_op_name(r->to_op));
	stable_symbols_pc(ctl, r->to, to);
	strbuf_addf(to,
		    "; %" PRIu64 " times, waited %.1f ms for %.1f ms of work; its objects must "
		    "not be used elsewhere\n",
		    r->count, (double)section_cost(ctl, r->from) / 1e6,
		    (double)r->compute_ns / 1e6);
	if (add_hint(ctl, "pcs", r->from, to))
		add_exits(ctl, r->from, to);
}

static size_t collect(const struct stable_ctl *ctl, const struct stable_region **list)
{
	size_t count = 0;
	for (size_t i = 0; i < STABLE_REGIONS; i++) {
		if (ctl->region[i].count)
			list[count++] = &ctl->region[i];
	}
	return count;
}

static void advise_exit(const struct stable_ctl *ctl, const struct stable_region *r,
			struct strbuf *to)
{
	strbuf_addf(to, "  long critical section: pcs_enter() before %s at ",
		    stable_log_op_name(r->from_op));
	stable_symbols_pc(ctl, r->from, to);
	strbuf_addf(to, ", pcs_exit() after the computation; others waited %.1f ms for it\n",
		    (double)r->blamed_ns / 1e6);
	if (add_hint(ctl, "pcs", r->from, to))
		strbuf_add_char(to, '\n');
}

/* How many; what is small against the worst is not worth a line in the program. */
static size_t advise_barriers(const struct stable_ctl *ctl, const struct stable_region **list,
			      size_t count, struct strbuf *to)
{
	size_t advised = 0;
	for (size_t i = 0; i < count && advised < BARRIERS; i++) {
		if (list[i]->blamed_ns < list[0]->blamed_ns / 10)
			break;
		if (wants_barrier(list[i]))
			advise_barrier(ctl, list[i], to);
		else if (wants_exit(list[i]))
			advise_exit(ctl, list[i], to);
		else
			continue;
		advised++;
	}
	return advised;
}

/*
 * Most expensive first.  Many may matter: a thread that goes from a section into the schedule and
 * back each time gains nothing.
 */
static size_t advise_sections(const struct stable_ctl *ctl, const struct stable_region **list,
			      size_t count, struct strbuf *to)
{
	size_t advised = 0;
	uint64_t worst = 0, last = UINT64_MAX;
	while (advised < SECTIONS) {
		const struct stable_region *next = NULL;
		uint64_t most = 0;
		for (size_t i = 0; i < count; i++) {
			uint64_t spent =
				wants_section(ctl, list[i]) ? section_cost(ctl, list[i]->from) : 0;
			if (spent > most && spent < last) {
				most = spent;
				next = list[i];
			}
		}
		if (!next || most < worst / 50)
			break;
		worst = worst ? worst : most;
		last = most;
		advise_section(ctl, next, to);
		advised++;
	}
	return advised;
}

void stable_advice(const struct stable_ctl *ctl, struct strbuf *to)
{
	static const struct stable_region *list[STABLE_REGIONS];
	size_t count = collect(ctl, list);
	qsort(list, count, sizeof(list[0]), by_blame);
	strbuf_add(to,
		   "profile: code that others waited for, and operations that waited\n"
		   "      blamed        waited     count       mean  code between operations\n");
	for (size_t i = 0; i < count && i < SHOWN && cost(list[i]) > 0; i++)
		add_region(ctl, list[i], to);
	strbuf_add(to, "advice:\n");
	if (advise_barriers(ctl, list, count, to) + advise_sections(ctl, list, count, to) == 0)
		strbuf_add(to, "  nothing to gain: no code kept others waiting\n");
}
