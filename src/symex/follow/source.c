#include "symex/follow/source.h"

#include <string.h>

#define LOW_ADDRESS 65536u /* nothing is mapped there */

int follow_source_init(struct follow_source *s, const struct trace_recording *r,
		       const struct symex_program *p, struct err *e)
{
	*s = (struct follow_source){.r = r, .program = p};
	for (uint32_t u = 0; u < symex_program_units(p); u++) {
		uint32_t found = SYMEX_NONE;

		for (uint32_t i = 0; i < r->marks.count; i++)
			if (r->marks.items[i].head.canon == symex_program_unit_hash(p, u))
				found = i;
		if (found == SYMEX_NONE && r->marks.count)
			return err_set(e, ERR_MISMATCH, "the recording is not of this %s",
				       symex_program_unit_name(p, u));
		vec_push(&s->marks, found);
	}
	return 0;
}

void follow_source_fini(struct follow_source *s)
{
	vec_free(&s->marks);
	vec_free(&s->threads);
	vec_free(&s->tasks);
	follow_decide_fini(&s->decide);
	trace_sites_fini(&s->sites);
}

/* ---- threads ---- */

/* Until it is known better, threads are children of the first one, in order. */
uint32_t follow_source_task(const struct follow_source *s, uint32_t thread)
{
	if (thread < s->tasks.count)
		return s->tasks.items[thread];
	return thread == 0 ? 0 : model_path_child(s->r, 0, thread - 1);
}

static struct follow_source_thread *thread_of(struct follow_source *s, uint32_t thread)
{
	struct follow_source_thread *t;

	while (s->threads.count <= thread)
		vec_push(&s->threads, ((struct follow_source_thread){.task = RECORD_NO_THREAD}));
	t = &s->threads.items[thread];
	if (!t->begun) {
		t->begun = true;
		t->task = follow_source_task(s, thread);
		if (t->task < s->r->tasks.count)
			model_path_begin(&t->path, s->r, t->task);
	}
	return t;
}

bool follow_source_learn(struct follow_source *s, const struct symex_trace *t)
{
	VEC(uint32_t) children = VEC_INIT;
	bool fresh = false;

	for (uint32_t i = 0; i < t->threads.count; i++) {
		uint32_t parent = t->threads.items[i].parent, task = i == 0 ? 0 : RECORD_NO_THREAD;

		vec_push(&children, 0);
		if (i > 0 && parent < i)
			task = model_path_child(s->r, follow_source_task(s, parent),
						children.items[parent]++);
		fresh |= task != follow_source_task(s, i);
		if (i < s->tasks.count)
			s->tasks.items[i] = task;
		else if (i == s->tasks.count)
			vec_push(&s->tasks, task);
	}
	vec_free(&children);
	return fresh;
}

/* ---- answers ---- */

static enum symex_answer ask_path(struct follow_source *s, const struct symex_question *q,
				  uint64_t *out)
{
	struct follow_source_thread *t = thread_of(s, q->thread);
	struct model_path_question p = {.unit = s->marks.items[q->unit], .point = q->point};

	if (t->task >= s->r->tasks.count)
		return SYMEX_ANSWER_STOP;
	p.kind = q->ask == SYMEX_ASK_BRANCH ? MODEL_PATH_BRANCH
		 : q->ask == SYMEX_ASK_CALL ? MODEL_PATH_CALL
					    : MODEL_PATH_SUCCESSOR;
	p.successors = q->successors;
	switch (model_path_next(&t->path, &p, out)) {
	case MODEL_PATH_IS:
		break;
	case MODEL_PATH_END:
		return SYMEX_ANSWER_STOP;
	case MODEL_PATH_BROKEN:
		s->broken = true;
		return SYMEX_ANSWER_STOP;
	default:
		return SYMEX_ANSWER_NONE;
	}
	if (q->ask != SYMEX_ASK_CALL)
		return SYMEX_ANSWER_IS;
	if (*out >= s->r->functions.count)
		return SYMEX_ANSWER_NONE;
	*out = symex_program_address(s->program, s->r->functions.items[*out].name);
	return *out ? SYMEX_ANSWER_IS : SYMEX_ANSWER_NONE;
}

static const struct trace_input *next_input(struct follow_source *s, uint32_t thread,
					    const char *function)
{
	struct follow_source_thread *t = thread_of(s, thread);
	unsigned kind = trace_input_kind(function);
	const struct trace_task *task;

	if (t->task >= s->r->tasks.count || kind == RECORD_IN_NONE)
		return NULL;
	task = &s->r->tasks.items[t->task];
	/* What libraries were given is not asked for: they are not executed. */
	while (t->input[kind] < task->inputs.count) {
		const struct trace_input *in = &task->inputs.items[t->input[kind]++];

		if (in->head.kind == kind && !(in->head.flags & RECORD_INPUT_FOREIGN))
			return in->head.flags & RECORD_INPUT_CUT ? NULL : in;
	}
	return NULL;
}

static enum symex_answer ask_input(struct follow_source *s, const struct symex_question *q,
				   uint64_t *out)
{
	const struct trace_input *in = q->function ? next_input(s, q->thread, q->function) : NULL;

	if (!in)
		return SYMEX_ANSWER_NONE;
	if (q->bytes && in->head.data)
		memcpy(q->bytes, in->data, in->head.data < q->size ? in->head.data : q->size);
	*out = (uint64_t)in->head.result;
	return SYMEX_ANSWER_IS;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Whether the thread may have failed here: its path is over, and the place is not another one. */
static bool may_fail_here(struct follow_source *s, const struct symex_question *q)
{
	const struct trace_place *p = &s->r->place;
	const struct trace_site *site = trace_sites_find(&s->sites, q->site);
	struct follow_source_thread *t = thread_of(s, q->thread);

	if (s->r->failure.kind != RECORD_FAIL_SIGNAL || t->task != s->r->failure.thread ||
	    t->task >= s->r->tasks.count || !model_path_done(&t->path))
		return false;
	if (!site || !site->line || !p->line)
		return true;
	return site->line == p->line && strcmp(base_name(site->file), base_name(p->file)) == 0;
}

/* Where the failing thread's last access went; low addresses are the same in every process. */
static enum symex_answer ask_address(struct follow_source *s, const struct symex_question *q,
				     uint64_t *out)
{
	bool fails = s->r->failure.address < LOW_ADDRESS && may_fail_here(s, q);

	return follow_decide_address(&s->decide, q, fails ? &s->r->failure.address : NULL, out);
}

static enum symex_answer ask_outcome(struct follow_source *s, const struct symex_question *q,
				     uint64_t *out)
{
	*out = 0;
	if (q->kind == EVENT_FAILURE && !may_fail_here(s, q))
		return SYMEX_ANSWER_IS;
	return follow_decide_outcome(&s->decide, q, out);
}

static enum symex_answer ask(void *arg, const struct symex_question *q, uint64_t *out)
{
	switch (q->ask) {
	case SYMEX_ASK_BRANCH:
	case SYMEX_ASK_SWITCH:
	case SYMEX_ASK_GOTO:
	case SYMEX_ASK_CALL:
		return ask_path(arg, q, out);
	case SYMEX_ASK_INPUT:
		return ask_input(arg, q, out);
	case SYMEX_ASK_ADDRESS:
		return ask_address(arg, q, out);
	case SYMEX_ASK_OUTCOME:
		return ask_outcome(arg, q, out);
	default:
		return SYMEX_ANSWER_NONE;
	}
}

static bool wants(void *arg, uint32_t unit, uint32_t point)
{
	struct follow_source *s = arg;

	return unit < s->marks.count && s->marks.items[unit] != SYMEX_NONE &&
	       trace_marks_has(&s->r->marks.items[s->marks.items[unit]], point);
}

static void restart(void *arg)
{
	struct follow_source *s = arg;

	vec_clear(&s->threads);
	follow_decide_restart(&s->decide);
}

struct symex_source follow_source_get(struct follow_source *s)
{
	return (struct symex_source){s, ask, wants, restart};
}
