#include "predict/order/question.h"

void predict_question_fini(struct predict_question *q)
{
	vec_free(&q->targets);
	vec_free(&q->required);
	vec_free(&q->order);
}

void predict_question_clear(struct predict_question *q)
{
	vec_clear(&q->targets);
	vec_clear(&q->required);
	vec_clear(&q->order);
	q->exempt = PREDICT_NONE;
	q->strict = false;
}

void predict_question_race(struct predict_question *q, uint32_t a, uint32_t b)
{
	predict_question_clear(q);
	q->kind = KIND_RACE;
	vec_push(&q->targets, a);
	vec_push(&q->targets, b);
}

void predict_question_deadlock(struct predict_question *q, const uint32_t *requests, uint32_t n)
{
	predict_question_clear(q);
	q->kind = KIND_DEADLOCK;
	for (uint32_t i = 0; i < n; i++)
		vec_push(&q->targets, requests[i]);
}

void predict_question_atomicity(struct predict_question *q, const struct predict_trace *t,
				uint32_t a, uint32_t c, uint32_t b)
{
	predict_question_clear(q);
	q->kind = KIND_ATOMICITY;
	vec_push(&q->targets, b);
	vec_push(&q->required, c);
	vec_push(&q->order, ((struct predict_pair){a, c}));
	/* What an RMW writes depends on what it read, so only a plain read may see another value.
	 */
	if (t->events.items[c].op == OP_READ)
		q->exempt = c;
}

void predict_question_sequence(struct predict_question *q, const uint32_t *events, uint32_t n)
{
	predict_question_clear(q);
	q->kind = KIND_ORDER;
	for (uint32_t i = 0; i + 1 < n; i++) {
		vec_push(&q->required, events[i]);
		if (i + 2 < n)
			vec_push(&q->order, ((struct predict_pair){events[i], events[i + 1]}));
	}
	if (n > 0)
		vec_push(&q->targets, events[n - 1]);
}

void predict_question_whole(struct predict_question *q, const struct predict_trace *t,
			    const struct predict_pair *edges, uint32_t n)
{
	predict_question_clear(q);
	q->kind = KIND_ORDER;
	for (uint32_t i = 0; i < t->thread_count; i++) {
		if (t->start[i + 1] > t->start[i])
			vec_push(&q->required, t->order[t->start[i + 1] - 1]);
	}
	for (uint32_t i = 0; i < n; i++)
		vec_push(&q->order, edges[i]);
}

const char *predict_kind_text(enum predict_kind kind)
{
	static const char *const texts[] = {"race", "deadlock", "atomicity", "order"};

	return texts[kind];
}

const char *predict_model_text(enum predict_model model)
{
	static const char *const texts[] = {"csr", "cdsr", "branch"};

	return texts[model];
}
