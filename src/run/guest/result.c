#include "run/guest/result.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"

#define OUTPUT_LIMIT (64u << 10)

#define copy_items(v, from, n)                                                                     \
	do {                                                                                       \
		size_t copy_count = (n);                                                           \
		vec_reserve((v), copy_count);                                                      \
		if (copy_count > 0)                                                                \
			memcpy((v)->items, (from), copy_count * sizeof(*(v)->items));              \
		(v)->count = copy_count;                                                           \
	} while (0)

void run_result_free(struct run_result *r)
{
	vec_free(&r->choices);
	vec_free(&r->events);
	vec_free(&r->threads);
	vec_free(&r->modules);
	vec_free(&r->notes);
	vec_free(&r->unseen);
	vec_free(&r->known);
	free(r->output);
	memset(r, 0, sizeof(*r));
	r->verdict = RUN_TROUBLE;
}

static void clear(struct run_result *r)
{
	vec_clear(&r->choices);
	vec_clear(&r->events);
	vec_clear(&r->threads);
	vec_clear(&r->modules);
	vec_clear(&r->notes);
	vec_clear(&r->unseen);
	vec_clear(&r->known);
	free(r->output);
	r->output = NULL;
	r->output_bytes = 0;
	r->output_cut = false;
	r->reason[0] = '\0';
	memset(&r->wire, 0, sizeof(r->wire));
}

void run_result_set(struct run_result *r, enum run_verdict verdict, const char *format, ...)
{
	va_list args;

	clear(r);
	r->verdict = verdict;
	va_start(args, format);
	vsnprintf(r->reason, sizeof(r->reason), format, args);
	va_end(args);
}

static size_t at_most(uint64_t count, size_t limit)
{
	return count < limit ? (size_t)count : limit;
}

static void end_string(char *text, size_t bytes)
{
	text[bytes - 1] = '\0';
	for (; *text; text++)
		if ((unsigned char)*text < ' ' && *text != '\n' && *text != '\t')
			*text = '?';
}

static void check_failure(struct wire_failure *f)
{
	if (f->kind > FAILURE_SYNC_MISUSE)
		f->kind = FAILURE_NONE;
	if (f->object > OBJECT_GLOBAL)
		f->object = OBJECT_UNKNOWN;
	f->stack_depth = (uint32_t)at_most(f->stack_depth, WIRE_MAX_STACK);
	end_string(f->text, sizeof(f->text));
}

static void check_threads(struct run_result *r)
{
	for (size_t i = 0; i < r->threads.count; i++) {
		struct wire_thread *t = &r->threads.items[i];

		t->held_count = (uint8_t)at_most(t->held_count, WIRE_MAX_HELD);
		if (t->state > THREAD_GONE)
			t->state = THREAD_UNUSED;
		end_string(t->name, sizeof(t->name));
	}
}

static void take_tables(struct run_result *r, const struct wire_ctl *b)
{
	copy_items(&r->threads, b->threads, at_most(b->result.threads, WIRE_MAX_THREADS));
	check_threads(r);
	copy_items(&r->modules, b->modules, at_most(b->module_count, WIRE_MAX_MODULES));
	for (size_t i = 0; i < r->modules.count; i++)
		end_string(r->modules.items[i].path, sizeof(r->modules.items[i].path));
	copy_items(&r->notes, b->notes, at_most(b->note_count, WIRE_MAX_NOTES));
	for (size_t i = 0; i < r->notes.count; i++)
		end_string(r->notes.items[i].text, sizeof(r->notes.items[i].text));
	copy_items(&r->unseen, b->unseen, at_most(b->unseen_count, WIRE_MAX_UNSEEN));
	for (size_t i = 0; i < r->unseen.count; i++)
		end_string(r->unseen.items[i].text, sizeof(r->unseen.items[i].text));
}

/* Counts of failures that were skipped: together no more than the runs that failed. */
static void take_known(struct run_result *r, const struct wire_ctl *b)
{
	uint64_t left = r->wire.failures < r->wire.runs ? r->wire.failures : r->wire.runs;

	if (!(b->job.flags & JOB_SKIP_KNOWN))
		return;
	copy_items(&r->known, b->known, at_most(b->known_count, WIRE_MAX_KNOWN));
	for (size_t i = 0; i < r->known.count; i++) {
		if (r->known.items[i].count > left)
			r->known.items[i].count = left;
		left -= r->known.items[i].count;
	}
	if (r->wire.known_new > r->known.count)
		r->wire.known_new = 0;
}

static void take_logs(struct run_result *r, const struct run_ctl *c)
{
	size_t count;
	const struct wire_choice *choices = run_ctl_choices(c, &count);
	const struct wire_event *events;

	copy_items(&r->choices, choices, count);
	events = run_ctl_events(c, &count);
	copy_items(&r->events, events, count);
	r->wire.choice_count = r->choices.count;
	r->wire.event_count = r->events.count;
}

static enum run_verdict verdict_of(uint32_t outcome)
{
	switch (outcome) {
	case OUTCOME_CLEAN:
	case OUTCOME_ASSUME:
		return RUN_CLEAN;
	case OUTCOME_FAILURE:
		return RUN_FAILURE;
	case OUTCOME_LIMIT:
		return RUN_LIMIT;
	case OUTCOME_DIVERGED:
		return RUN_DIVERGED;
	case OUTCOME_STEPDOWN:
		return RUN_STEPDOWN;
	default:
		return RUN_TROUBLE;
	}
}

/* A failure nobody could run again is none: the process was killed from outside, for instance. */
static void check_is_usable(struct run_result *r)
{
	const struct wire_failure *f = &r->wire.failure;

	if (f->kind != FAILURE_NONE && r->threads.count > 0)
		return;
	r->verdict = RUN_TROUBLE;
	if (f->kind == FAILURE_NONE)
		snprintf(r->reason, sizeof(r->reason), "the guest reported a failure of no kind");
	else
		snprintf(r->reason, sizeof(r->reason),
			 "the program ended outside heddle's control: %s", f->text);
}

void run_result_take(struct run_result *r, const struct run_ctl *c)
{
	clear(r);
	r->wire = c->block->result;
	end_string(r->wire.reason, sizeof(r->wire.reason));
	check_failure(&r->wire.failure);
	take_tables(r, c->block);
	take_known(r, c->block);
	take_logs(r, c);
	r->verdict = verdict_of(r->wire.outcome);
	snprintf(r->reason, sizeof(r->reason), "%s", r->wire.reason);
	if (r->verdict == RUN_TROUBLE && r->reason[0] == '\0')
		snprintf(r->reason, sizeof(r->reason),
			 "the guest gave no usable answer (outcome %u)", r->wire.outcome);
	if (r->verdict == RUN_FAILURE)
		check_is_usable(r);
}

static void describe_death(char *text, size_t bytes, int status)
{
	if (WIFSIGNALED(status))
		snprintf(text, bytes, "was killed by signal %d (%s)", WTERMSIG(status),
			 strsignal(WTERMSIG(status)));
	else
		snprintf(text, bytes, "ended with status %d", WEXITSTATUS(status));
}

void run_result_died(struct run_result *r, const struct run_ctl *c, int status)
{
	uint32_t state = run_ctl_state(c);
	char how[128];

	describe_death(how, sizeof(how), status);
	if (state == STATE_STARTING)
		run_result_set(r, RUN_TROUBLE, "the program %s before it reached main", how);
	else
		run_result_set(r, RUN_TROUBLE, "the program %s outside heddle's control", how);
	r->wire.steps = run_ctl_heartbeat(c);
	take_tables(r, c->block);
}

/* What the guest counts stands in the block at any moment; none of it may be more than the runs. */
void run_result_stopped(struct run_result *r, const struct run_ctl *c, const char *why)
{
	const struct wire_job *job = &c->block->job;
	struct wire_result seen = c->block->result;

	run_result_set(r, RUN_STOPPED, "%s", why ? why : "stopped");
	if (run_ctl_state(c) != STATE_RUNNING || seen.runs > job->runs)
		return;
	r->wire.runs = seen.runs;
	r->wire.limits = seen.limits < seen.runs ? seen.limits : seen.runs;
	r->wire.assumes = seen.assumes < seen.runs ? seen.assumes : seen.runs;
	r->wire.total_steps = seen.total_steps;
	r->wire.max_steps_seen = seen.max_steps_seen;
	r->wire.seed = job->seed + seen.runs;
}

void run_result_read_output(struct run_result *r, int fd)
{
	struct stat st;
	off_t from = 0;
	ssize_t n;

	if (fd < 0 || fstat(fd, &st) != 0 || st.st_size <= 0)
		return;
	if (st.st_size > (off_t)OUTPUT_LIMIT) {
		from = st.st_size - (off_t)OUTPUT_LIMIT;
		r->output_cut = true;
	}
	free(r->output);
	r->output = xmalloc((size_t)(st.st_size - from) + 1);
	n = pread(fd, r->output, (size_t)(st.st_size - from), from);
	r->output_bytes = n > 0 ? (size_t)n : 0;
	r->output[r->output_bytes] = '\0';
}

static bool is_stuck(const struct wire_thread *t)
{
	return t->state == THREAD_BLOCKED || t->state == THREAD_SPINNING;
}

/* Does the thread wait for itself, over others or directly? */
static bool is_in_cycle(const struct run_result *r, size_t start)
{
	size_t at = start;

	for (size_t steps = 0; steps < r->threads.count; steps++) {
		if (at >= r->threads.count || !is_stuck(&r->threads.items[at]))
			return false;
		at = r->threads.items[at].waits_for;
		if (at == start)
			return true;
	}
	return false;
}

/*
 * The places of the threads in a cycle, or of all stuck threads when nobody waits in one.  A sum,
 * because which thread stands where depends on how threads were numbered.
 */
static uint64_t stuck_places(const struct run_result *r)
{
	uint64_t cycle = 0, all = 0;

	for (size_t i = 0; i < r->threads.count; i++) {
		const struct wire_thread *t = &r->threads.items[i];
		uint64_t place = fs_hash(FS_HASH_START, &t->pending_site, sizeof(t->pending_site));

		all += is_stuck(t) ? place : 0;
		cycle += is_in_cycle(r, i) ? place : 0;
	}
	return cycle ? cycle : all;
}

uint64_t run_result_key(const struct run_result *r)
{
	const struct wire_failure *f = &r->wire.failure;
	uint64_t key = fs_hash(FS_HASH_START, &f->kind, sizeof(f->kind)), stuck;

	if (f->kind == FAILURE_EXIT)
		return fs_hash(key, &f->value, sizeof(f->value));
	if (f->kind != FAILURE_DEADLOCK && f->kind != FAILURE_LIVELOCK)
		return fs_hash(key, &f->site, sizeof(f->site));
	stuck = stuck_places(r);
	return fs_hash(key, &stuck, sizeof(stuck));
}

const char *run_verdict_name(enum run_verdict verdict)
{
	static const char *const names[] = {
		[RUN_CLEAN] = "clean",	      [RUN_FAILURE] = "failure",
		[RUN_LIMIT] = "step limit",   [RUN_DIVERGED] = "diverged",
		[RUN_STEPDOWN] = "step down", [RUN_TROUBLE] = "trouble",
		[RUN_HUNG] = "hung",	      [RUN_STOPPED] = "stopped",
	};

	return (size_t)verdict < sizeof(names) / sizeof(names[0]) ? names[verdict] : "?";
}
