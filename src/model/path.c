#include "model/path.h"

#include <assert.h>

void model_path_begin(struct model_path *p, const struct trace_recording *r, uint32_t task)
{
	assert(task < r->tasks.count);
	p->r = r;
	p->task = &r->tasks.items[task];
	p->at = 0;
}

static unsigned width(const struct model_path_question *q)
{
	switch (q->kind) {
	case MODEL_PATH_BRANCH:
		return 1;
	case MODEL_PATH_SUCCESSOR:
		return record_width(q->successors);
	case MODEL_PATH_CALL:
		return RECORD_TARGET_BITS;
	}
	return 0;
}

static bool fits(const struct model_path *p, const struct model_path_question *q, uint64_t value)
{
	if (q->kind == MODEL_PATH_SUCCESSOR)
		return value < q->successors;
	if (q->kind == MODEL_PATH_CALL)
		return value < p->r->functions.count || value == RECORD_TARGET_OUTSIDE;
	return true;
}

enum model_path_answer model_path_next(struct model_path *p, const struct model_path_question *q,
				       uint64_t *out)
{
	unsigned bits = width(q);
	uint64_t value = 0;

	if (q->unit >= p->r->marks.count || !trace_marks_has(&p->r->marks.items[q->unit], q->point))
		return MODEL_PATH_UNMARKED;
	/* Cut in the middle of an answer: it was not taken for sure. */
	if (p->task->bits - p->at < bits)
		return MODEL_PATH_END;
	for (unsigned i = 0; i < bits; i++)
		value = value << 1 | trace_task_bit(p->task, p->at + i);
	if (!fits(p, q, value))
		return MODEL_PATH_BROKEN;
	p->at += bits;
	*out = value;
	return MODEL_PATH_IS;
}

bool model_path_done(const struct model_path *p)
{
	return p->at == p->task->bits;
}

uint32_t model_path_child(const struct trace_recording *r, uint32_t task, uint32_t index)
{
	for (size_t i = 0; i < r->tasks.count; i++) {
		const struct record_thread *t = &r->tasks.items[i].row;

		if (t->creator == task && t->index == index && t->state != RECORD_THREAD_HANDLER &&
		    t->state != RECORD_THREAD_UNUSED)
			return (uint32_t)i;
	}
	return RECORD_NO_THREAD;
}
