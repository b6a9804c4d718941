/*
 * The decision procedure, in stages from cheap to complete:
 *
 *   build      the hard order alone contradicts the question
 *   sync       a witness that keeps the order of the trace (sync.h)
 *   closure    forced edges: a conflict refutes; nothing left open proves
 *   trace, cp, late   what is left is resolved by trace order, by causal precedence, or with the
 *              target threads last; a complete order proves, a dead end says nothing
 *   lookahead  an option that fails at depth d is discarded; a conflict refutes
 *   search     complete, with undo, within a budget
 *
 * FEASIBLE always rests on a witness that the independent judge (check.h) has accepted; INFEASIBLE
 * on a conflict of forced edges or an exhausted search; everything else is UNKNOWN.
 */
#ifndef HEDDLE_PREDICT_DECIDE_H
#define HEDDLE_PREDICT_DECIDE_H

#include <stdint.h>

#include "base/err.h"
#include "predict/order/cp.h"
#include "predict/order/graph.h"
#include "predict/order/linear.h"
#include "predict/order/question.h"

enum predict_answer { ANSWER_INFEASIBLE, ANSWER_FEASIBLE, ANSWER_UNKNOWN };

/* X(NAME, word, text) in the order they are tried. */
#define PREDICT_STAGES(X)                                                                          \
	X(BUILD, "build", "ruled out by program order, fork, join, signals and reads-from")        \
	X(SYNC, "sync", "a prefix of the observed order shows it")                                 \
	X(CLOSURE, "closure", "forced order of sections and writes")                               \
	X(TRACE, "trace", "remaining choices resolved as observed")                                \
	X(CP, "cp", "remaining choices resolved by causal precedence")                             \
	X(LATE, "late", "remaining choices resolved with the target threads last")                 \
	X(LOOKAHEAD, "lookahead", "bounded look-ahead")                                            \
	X(SEARCH, "search", "complete search")

enum predict_stage {
#define X(name, word, text) STAGE_##name,
	PREDICT_STAGES(X)
#undef X
		PREDICT_STAGE_COUNT
};

struct predict_limits {
	unsigned stages;    /* bit set of enum predict_stage; BUILD and CLOSURE are always on */
	uint32_t lookahead; /* depth */
	uint64_t nodes;	    /* search budget: propagations per question */
	double seconds;	    /* per question */
	const struct limit *limit; /* reached: every question is unknown; may be NULL */
};

#define PREDICT_ALL_STAGES ((1u << PREDICT_STAGE_COUNT) - 1)
#define PREDICT_LIMITS_INIT                                                                        \
	{                                                                                          \
		PREDICT_ALL_STAGES, 2, 100000, 10.0, NULL                                          \
	}

struct predict_verdict {
	enum predict_answer answer;
	enum predict_stage stage; /* that decided, or was left undecided */
	uint32_t depth;		  /* of the look-ahead, when that decided */
	uint64_t nodes;		  /* propagations */
	uint64_t edges;		  /* forced edges */
	double seconds;
	struct predict_order witness; /* trace events, when FEASIBLE */
};

#define PREDICT_VERDICT_INIT                                                                       \
	{                                                                                          \
		ANSWER_UNKNOWN, STAGE_BUILD, 0, 0, 0, 0, VEC_INIT                                  \
	}

/* Everything that is computed once per trace. */
struct predict_engine {
	const struct predict_trace *t;
	struct predict_core *core;
	struct predict_rows *sync, *reads, *hb, *direct;
	struct predict_cp *cp;
	struct predict_graph *graph;
	struct predict_limits limits;
	double stage_seconds[PREDICT_STAGE_COUNT]; /* spent so far */
	uint64_t stage_tried[PREDICT_STAGE_COUNT];
	uint64_t stage_decided[PREDICT_STAGE_COUNT];
	uint64_t verdicts;
	double sync_seconds;
};

/* keep as in predict_core_new(). */
struct predict_engine *predict_engine_new(const struct predict_trace *t, const uint8_t *keep);
void predict_engine_free(struct predict_engine *e);
/* Computed at first use. */
const struct predict_rows *predict_engine_hb(struct predict_engine *e);
const struct predict_cp *predict_engine_cp(struct predict_engine *e);

/*
 * Decides q; v is overwritten (its witness storage is reused, predict_verdict_fini() in the end).
 * ERR_INTERNAL when the judge rejects a witness: a defect of heddle.
 */
int predict_decide(struct predict_engine *e, const struct predict_question *q,
		   enum predict_model model, struct predict_verdict *v, struct err *err);
void predict_verdict_fini(struct predict_verdict *v);

/* The sync stage alone, under CDSR: the baseline SyncP. */
bool predict_decide_sync(struct predict_engine *e, const struct predict_question *q);
/* The CSR closure alone: false when it refutes.  direct: single edges only. */
bool predict_decide_ucg(struct predict_engine *e, const struct predict_question *q, bool direct);

const char *predict_stage_word(enum predict_stage stage);
const char *predict_stage_text(enum predict_stage stage);
const char *predict_answer_text(enum predict_answer answer);

#endif
