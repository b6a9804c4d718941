#include "cli/predict/save.h"

#include <stdlib.h>

#include "base/fs.h"
#include "base/mem.h"
#include "predict/find/explain.h"
#include "predict/read/write.h"

static int save_one(const char *dir, const struct predict_finding *f, unsigned number,
		    const struct predict_trace *t, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	struct predict_order witness = VEC_INIT;
	char *name = xasprintf("%s/%s-%u.trace", dir, predict_kind_text(f->kind), number);
	int rc;

	strbuf_add(&text, "# ");
	predict_explain_title(t, f, &text);
	strbuf_addf(&text, "\n# feasible under %s; next to happen:", predict_model_text(f->model));
	for (size_t i = 0; i < f->events.count; i++) {
		strbuf_addf(&text, " #%u ", f->events.items[i] + 1);
		predict_write_event(t, f->events.items[i], &text);
	}
	strbuf_add_char(&text, '\n');
	predict_finding_witness(f, t, &witness);
	predict_write(t, FORMAT_NATIVE, witness.items, witness.count, &text);
	vec_free(&witness);
	rc = fs_write_file(name, text.text, text.length, e);
	strbuf_free(&text);
	free(name);
	return rc;
}

int cli_predict_save(const char *dir, const struct predict_result *r, const struct predict_trace *t,
		     struct err *e)
{
	unsigned number[4] = {0};
	int rc = fs_make_dirs(dir, e);

	for (size_t i = 0; i < r->findings.count && !rc; i++) {
		const struct predict_finding *f = &r->findings.items[i];

		if (f->answer == ANSWER_FEASIBLE && !f->suppressed)
			rc = save_one(dir, f, ++number[f->kind], t, e);
	}
	return rc;
}
