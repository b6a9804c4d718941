/*
 * The same questions to every method, side by side:
 *
 *   ls     lockset filter                  ucgd   CSR closure over single edges
 *   hb     unordered by happens-before     ucg    CSR closure, undecided counts as reported
 *   cp     unordered by causal precedence  csr    exact under CSR
 *   cpd    cp and cdsr                     cdsr   exact under CDSR
 *                                          syncp  witness in trace order
 *
 * hb, cp and cpd are defined for races only.
 */
#ifndef HEDDLE_PREDICT_TABLE_H
#define HEDDLE_PREDICT_TABLE_H

#include <stdint.h>

#include "base/err.h"
#include "predict/find/ask.h"
#include "predict/order/decide.h"

#define PREDICT_METHODS(X)                                                                         \
	X(LS, "ls")                                                                                \
	X(HB, "hb")                                                                                \
	X(CP, "cp")                                                                                \
	X(CPD, "cpd")                                                                              \
	X(UCGD, "ucgd")                                                                            \
	X(UCG, "ucg")                                                                              \
	X(CSR, "csr")                                                                              \
	X(CDSR, "cdsr")                                                                            \
	X(SYNCP, "syncp")

enum predict_method {
#define X(name, word) METHOD_##name,
	PREDICT_METHODS(X)
#undef X
		PREDICT_METHOD_COUNT
};

enum predict_cell { CELL_NO, CELL_YES, CELL_UNKNOWN, CELL_NONE };

struct predict_row {
	char *name;
	enum predict_kind kind;
	uint32_t a, b; /* trace events of a race, PREDICT_NONE otherwise */
	uint8_t cell[PREDICT_METHOD_COUNT];
	enum predict_stage csr_stage, cdsr_stage;
};

struct predict_table {
	VEC(struct predict_row) rows;
	uint64_t yes[PREDICT_METHOD_COUNT];
	uint64_t unknown[PREDICT_METHOD_COUNT];
	double seconds[PREDICT_METHOD_COUNT];
	uint64_t left_out; /* candidates over the limit */
};

/* All race candidates of the trace (at most limit), or the asked questions when there are any. */
int predict_table_fill(struct predict_engine *engine, const struct predict_asks *asks,
		       uint64_t limit, bool strict, struct predict_table *out, struct err *e);
void predict_table_fini(struct predict_table *t);
const char *predict_method_word(enum predict_method m);

#endif
