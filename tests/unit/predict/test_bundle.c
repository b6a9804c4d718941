/*
 * Recordings, byte for byte: on random ones with accesses of all sizes, ranges and glued events,
 * the races listed are those of brute force over single bytes.
 */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "predict/find/analysis.h"
#include "predict/read/bundle.h"

#define BASE UINT64_C(0x10000)
#define MUTEX UINT64_C(0x90000)
#define BYTES 12
#define MAX 12
#define THREADS 3

/* ---- recordings ---- */

struct recording {
	struct trace_bundle b;
	uint32_t tix[THREADS];
};

static void event(struct recording *r, uint16_t tid, uint8_t kind, uint64_t addr, uint64_t n)
{
	struct wire_event e = {.tid = tid, .kind = kind, .addr = addr, .site = SITE_NONE};

	e.tix = r->tix[tid]++;
	if (kind == EVENT_READ_RANGE || kind == EVENT_WRITE_RANGE)
		e.value = n;
	else
		e.size = (uint8_t)n;
	vec_push(&r->b.events, e);
}

static void bits(struct recording *r, uint32_t aux)
{
	vec_last(&r->b.events).aux |= aux;
}

static void begin(struct recording *r)
{
	memset(r, 0, sizeof(*r));
	r->b.meta.model = MODEL_SC;
}

static struct predict_trace *trace_of(const struct recording *r)
{
	struct predict_bundle_opts o = {.strict = true, .branches = false};
	struct predict_origin origin = VEC_INIT;
	struct predict_trace *t = NULL;
	struct err e = ERR_INIT;

	assert_ok(predict_bundle_trace(&r->b, &o, &t, &origin, &e), e);
	assert_int_equal(origin.count, t->events.count);
	vec_free(&origin);
	return t;
}

static void analyse(const struct predict_trace *t, struct predict_result *out)
{
	struct predict_opts opts = PREDICT_OPTS_INIT;
	struct predict_engine *engine = predict_engine_new(t, NULL);
	struct err e = ERR_INIT;

	assert_ok(predict_analyse(engine, &opts, NULL, out, &e), e);
	predict_engine_free(engine);
}

static uint32_t count_kind(const struct recording *r, enum predict_kind kind)
{
	struct predict_trace *t = trace_of(r);
	struct predict_result out = PREDICT_RESULT_INIT;
	uint32_t n = 0;

	analyse(t, &out);
	for (size_t i = 0; i < out.findings.count; i++)
		n += out.findings.items[i].kind == kind &&
		     out.findings.items[i].answer == ANSWER_FEASIBLE;
	predict_result_fini(&out);
	predict_trace_free(t);
	return n;
}

/* ---- brute force ---- */

struct now {
	uint8_t pos[THREADS]; /* events done */
	uint8_t last[BYTES];  /* event + 1 that wrote the byte, 0 = nobody */
	uint8_t owner;	      /* thread + 1 */
};

struct brute {
	const struct wire_event *ev;
	uint32_t n;
	uint32_t order[THREADS][MAX], count[THREADS]; /* events of a thread */
	uint8_t saw[MAX][BYTES];		      /* what a read saw in the recording */
	bool locked[MAX];			      /* done with the mutex */
	bool race[MAX][MAX];
};

static bool writes(const struct wire_event *e)
{
	return e->kind == EVENT_WRITE || e->kind == EVENT_WRITE_RANGE || e->kind == EVENT_RMW;
}

static bool reads(const struct wire_event *e)
{
	return e->kind == EVENT_READ || e->kind == EVENT_READ_RANGE || e->kind == EVENT_RMW ||
	       e->kind == EVENT_CAS_FAIL;
}

static uint64_t length(const struct wire_event *e)
{
	bool range = e->kind == EVENT_READ_RANGE || e->kind == EVENT_WRITE_RANGE;

	return range ? e->value : e->size;
}

static bool touches(const struct wire_event *e, uint32_t byte)
{
	return (reads(e) || writes(e)) && e->addr <= BASE + byte &&
	       BASE + byte < e->addr + length(e);
}

static bool atomic(const struct wire_event *e)
{
	return e->kind == EVENT_RMW || e->kind == EVENT_CAS_FAIL ||
	       ((e->kind == EVENT_READ || e->kind == EVENT_WRITE) && e->aux & 7);
}

static bool glued(const struct wire_event *e)
{
	return e->kind != EVENT_RMW && (reads(e) || writes(e)) && e->kind != EVENT_CAS_FAIL &&
	       e->aux & EVENT_GLUED;
}

/* Does event i; false when it cannot happen.  Learning: note what reads see. */
static bool happen(struct brute *b, struct now *s, uint32_t i, bool learning)
{
	const struct wire_event *e = &b->ev[i];

	if (e->kind == EVENT_LOCK && s->owner != 0)
		return false;
	if (e->kind == EVENT_LOCK || e->kind == EVENT_UNLOCK)
		s->owner = e->kind == EVENT_LOCK ? (uint8_t)(e->tid + 1) : 0;
	for (uint32_t k = 0; k < BYTES; k++) {
		if (!touches(e, k))
			continue;
		if (reads(e) && learning)
			b->saw[i][k] = s->last[k];
		if (reads(e) && b->saw[i][k] != s->last[k])
			return false;
		if (writes(e))
			s->last[k] = (uint8_t)(i + 1);
	}
	s->pos[e->tid]++;
	return true;
}

/* Events of the thread's next step that are next: those before them in the step can happen. */
static uint32_t next_of(struct brute *b, const struct now *s, uint32_t thread, uint32_t out[MAX])
{
	struct now then = *s;
	uint32_t n = 0;

	for (uint32_t k = s->pos[thread]; k < b->count[thread]; k++) {
		uint32_t i = b->order[thread][k];

		if (k > s->pos[thread] && !glued(&b->ev[i]))
			break;
		out[n++] = i;
		if (!happen(b, &then, i, false))
			break;
	}
	return n;
}

static bool conflict(const struct brute *b, uint32_t i, uint32_t j)
{
	const struct wire_event *x = &b->ev[i], *y = &b->ev[j];

	if (!(writes(x) || writes(y)) || (atomic(x) && atomic(y)) || (b->locked[i] && b->locked[j]))
		return false;
	for (uint32_t k = 0; k < BYTES; k++) {
		if (touches(x, k) && touches(y, k))
			return true;
	}
	return false;
}

static void note_races(struct brute *b, const struct now *s)
{
	uint32_t next[THREADS][MAX], n[THREADS];

	for (uint32_t t = 0; t < THREADS; t++)
		n[t] = next_of(b, s, t, next[t]);
	for (uint32_t t = 0; t < THREADS; t++) {
		for (uint32_t u = 0; u < t; u++) {
			for (uint32_t k = 0; k < n[t] * n[u]; k++) {
				uint32_t i = next[t][k % n[t]], j = next[u][k / n[t]];

				if (conflict(b, i, j))
					b->race[i < j ? i : j][i < j ? j : i] = true;
			}
		}
	}
}

static void explore(struct brute *b, const struct now *s)
{
	note_races(b, s);
	for (uint32_t t = 0; t < THREADS; t++) {
		struct now then = *s;
		bool possible = s->pos[t] < b->count[t];

		do
			possible = possible && happen(b, &then, b->order[t][then.pos[t]], false);
		while (possible && then.pos[t] < b->count[t] &&
		       glued(&b->ev[b->order[t][then.pos[t]]]));
		if (possible)
			explore(b, &then);
	}
}

static void brute_force(struct brute *b, const struct recording *r)
{
	struct now s;

	memset(b, 0, sizeof(*b));
	memset(&s, 0, sizeof(s));
	b->ev = r->b.events.items;
	b->n = (uint32_t)r->b.events.count;
	for (uint32_t i = 0; i < b->n; i++) {
		b->order[b->ev[i].tid][b->count[b->ev[i].tid]++] = i;
		b->locked[i] = s.owner == b->ev[i].tid + 1;
		assert_true(happen(b, &s, i, true));
	}
	memset(&s, 0, sizeof(s));
	explore(b, &s);
}

/* ---- random recordings ---- */

static void random_access(struct rng *g, struct recording *r, uint16_t tid)
{
	static const uint8_t kinds[] = {EVENT_READ,	   EVENT_WRITE,	  EVENT_READ,
					EVENT_WRITE,	   EVENT_RMW,	  EVENT_READ_RANGE,
					EVENT_WRITE_RANGE, EVENT_CAS_FAIL};
	uint8_t kind = kinds[rng_below(g, sizeof(kinds))];
	bool range = kind == EVENT_READ_RANGE || kind == EVENT_WRITE_RANGE;
	uint64_t n = range ? 1 + rng_below(g, BYTES) : UINT64_C(1) << rng_below(g, 3);
	bool plain = kind != EVENT_RMW && kind != EVENT_CAS_FAIL;

	event(r, tid, kind, BASE + rng_below(g, BYTES - n + 1), n);
	if (!range && (!plain || rng_below(g, 6) == 0))
		bits(r, ORDER_SEQ_CST);
	if (plain && r->b.events.count > 1 && r->b.events.items[r->b.events.count - 2].tid == tid &&
	    rng_below(g, 2))
		bits(r, EVENT_GLUED);
}

static void random_recording(struct rng *g, struct recording *r)
{
	uint32_t length = 4 + (uint32_t)rng_below(g, 5), owner = 0;
	uint16_t tid = 0;

	begin(r);
	while (r->b.events.count < length) {
		if (rng_below(g, 2))
			tid = (uint16_t)rng_below(g, THREADS);
		if (owner == 0 && rng_below(g, 5) == 0) {
			owner = tid + 1u;
			event(r, tid, EVENT_LOCK, MUTEX, 0);
		} else if (owner == tid + 1u && rng_below(g, 3) == 0) {
			owner = 0;
			event(r, tid, EVENT_UNLOCK, MUTEX, 0);
		} else {
			random_access(g, r, tid);
		}
	}
}

static void show(const struct recording *r)
{
	for (size_t i = 0; i < r->b.events.count; i++) {
		const struct wire_event *e = &r->b.events.items[i];

		fprintf(stderr, "  %zu T%u kind %u byte %d length %lu aux 0x%x\n", i, e->tid,
			e->kind, (int)(e->addr - BASE), (unsigned long)length(e), e->aux);
	}
}

static void compare(const struct recording *r, uint64_t seed, uint64_t *races)
{
	struct predict_trace *t = trace_of(r);
	struct predict_result out = PREDICT_RESULT_INIT;
	bool listed[MAX][MAX] = {{false}};
	struct brute b;

	analyse(t, &out);
	for (size_t i = 0; i < out.findings.count; i++) {
		const struct predict_finding *f = &out.findings.items[i];

		if (f->kind == KIND_RACE && f->answer == ANSWER_FEASIBLE)
			listed[t->events.items[f->events.items[0]].line - 1]
			      [t->events.items[f->events.items[1]].line - 1] = true;
	}
	brute_force(&b, r);
	for (uint32_t j = 0; j < b.n; j++) {
		for (uint32_t i = 0; i < j; i++) {
			if (b.race[i][j] != listed[i][j])
				show(r);
			if (b.race[i][j] != listed[i][j])
				fail_msg("recording %lu: events %u and %u: listed %d, there is %d",
					 (unsigned long)seed, i, j, listed[i][j], b.race[i][j]);
			*races += b.race[i][j];
		}
	}
	predict_result_fini(&out);
	predict_trace_free(t);
}

static void races_are_those_of_single_bytes(void **state)
{
	const char *text = getenv("TEST_LONG");
	uint64_t count = text != NULL && strcmp(text, "1") == 0 ? 60000 : 6000, races = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= count; seed++) {
		struct recording r;
		struct rng g;

		rng_seed(&g, seed);
		random_recording(&g, &r);
		compare(&r, seed, &races);
		vec_free(&r.b.events);
	}
	printf("%lu recordings, %lu races\n", (unsigned long)count, (unsigned long)races);
	assert_true(races > count);
}

/* ---- by hand ---- */

/* A structure set as a whole, then two fields under the lock and a third without. */
static void fields_of_one_structure_are_apart(void **state)
{
	struct recording r;

	(void)state;
	begin(&r);
	event(&r, 0, EVENT_WRITE_RANGE, BASE, 24);
	event(&r, 0, EVENT_THREAD_CREATE, 0, 0);
	bits(&r, 1);
	event(&r, 0, EVENT_LOCK, MUTEX, 0);
	event(&r, 0, EVENT_WRITE, BASE, 8);
	event(&r, 0, EVENT_WRITE, BASE + 8, 8);
	event(&r, 0, EVENT_UNLOCK, MUTEX, 0);
	event(&r, 1, EVENT_READ, BASE + 16, 8);
	event(&r, 1, EVENT_WRITE, BASE + 16, 8);
	assert_int_equal(count_kind(&r, KIND_ATOMICITY), 0);
	assert_int_equal(count_kind(&r, KIND_RACE), 0);
	/* The same field is another matter. */
	event(&r, 1, EVENT_READ, BASE, 8);
	assert_int_equal(count_kind(&r, KIND_RACE), 1);
	vec_free(&r.b.events);
}

/* strcpy in one thread, a byte of its target read in the other. */
static void library_calls_race_by_byte(void **state)
{
	for (uint64_t byte = 0; byte < 9; byte++) {
		struct recording r;

		(void)state;
		begin(&r);
		event(&r, 0, EVENT_READ_RANGE, MUTEX, 7);
		bits(&r, EVENT_STRING);
		event(&r, 0, EVENT_WRITE_RANGE, BASE, 7);
		bits(&r, EVENT_GLUED);
		event(&r, 1, EVENT_READ, BASE + byte, 1);
		assert_int_equal(count_kind(&r, KIND_RACE), byte < 7);
		vec_free(&r.b.events);
	}
}

static void hidden_state_does_not_race(void **state)
{
	struct recording r;

	(void)state;
	begin(&r);
	for (uint16_t tid = 0; tid < 2; tid++) {
		event(&r, tid, EVENT_READ, WIRE_HIDDEN_ADDR, 8);
		bits(&r, EVENT_HIDDEN | ORDER_SEQ_CST);
		event(&r, tid, EVENT_WRITE, WIRE_HIDDEN_ADDR, 8);
		bits(&r, EVENT_HIDDEN | ORDER_SEQ_CST | EVENT_GLUED);
	}
	assert_int_equal(count_kind(&r, KIND_RACE), 0);
	assert_int_equal(count_kind(&r, KIND_ATOMICITY), 0);
	vec_free(&r.b.events);
}

/* A buffer set as a whole again and again and read byte by byte: merged, and still exact in races.
 */
static void large_buffers_stay_affordable(void **state)
{
	const uint32_t bytes = 20000;
	struct predict_trace *t;
	struct recording r;

	(void)state;
	begin(&r);
	for (int i = 0; i < 40; i++)
		event(&r, 0, EVENT_WRITE_RANGE, BASE, bytes);
	for (uint32_t i = 0; i < bytes; i++)
		event(&r, 1, EVENT_READ, BASE + i, 1);
	t = trace_of(&r);
	assert_true(t->events.count < 4 * r.b.events.count);
	predict_trace_free(t);
	vec_free(&r.b.events);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(races_are_those_of_single_bytes),
		cmocka_unit_test(fields_of_one_structure_are_apart),
		cmocka_unit_test(library_calls_race_by_byte),
		cmocka_unit_test(hidden_state_does_not_race),
		cmocka_unit_test(large_buffers_stay_affordable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
