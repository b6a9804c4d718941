/* Words of heddle predict's options, and the files it leaves. */
#ifndef HEDDLE_CLI_PREDICT_WORDS_H
#define HEDDLE_CLI_PREDICT_WORDS_H

#include "base/err.h"
#include "predict/analysis.h"

/* "sync,closure,search" as a bit set of enum predict_stage; NULL means all. */
int cli_predict_stages(const char *list, unsigned *stages, struct err *e);
/* "race,deadlock" sets what to look for; NULL means everything. */
int cli_predict_kinds(const char *list, struct predict_opts *opts, struct err *e);
/* Writes DIR/KIND-N.trace for every feasible finding. */
int cli_predict_save(const char *dir, const struct predict_result *r, const struct predict_trace *t,
		     struct err *e);

#endif
