#include "cli/predict_words.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "predict/explain.h"
#include "predict/write.h"

/* Length of the word at the start of the list; *next is what follows its comma, or NULL. */
static size_t cut_word(const char *list, const char **next)
{
	size_t n = strcspn(list, ",");

	*next = list[n] == ',' ? list + n + 1 : NULL;
	return n;
}

int cli_predict_stages(const char *list, unsigned *stages, struct err *e)
{
	const char *next = list;

	*stages = list ? 0 : PREDICT_ALL_STAGES;
	for (; list; list = next) {
		size_t n = cut_word(list, &next);
		int found = -1;

		for (int i = 0; i < PREDICT_STAGE_COUNT; i++) {
			const char *word = predict_stage_word((enum predict_stage)i);

			if (strlen(word) == n && strncmp(word, list, n) == 0)
				found = i;
		}
		if (found < 0)
			return err_set(e, ERR_USAGE, "--stages: there is no stage '%.*s'", (int)n,
				       list);
		*stages |= 1u << found;
	}
	return 0;
}

int cli_predict_kinds(const char *list, struct predict_opts *opts, struct err *e)
{
	const char *next = list;

	if (!list)
		return 0;
	opts->races = opts->deadlocks = opts->atomicity = false;
	for (; list; list = next) {
		size_t n = cut_word(list, &next);

		if (n == 4 && strncmp(list, "race", n) == 0)
			opts->races = true;
		else if (n == 8 && strncmp(list, "deadlock", n) == 0)
			opts->deadlocks = true;
		else if (n == 9 && strncmp(list, "atomicity", n) == 0)
			opts->atomicity = true;
		else if (n != 4 || strncmp(list, "none", n) != 0)
			return err_set(e, ERR_USAGE,
				       "--find: '%.*s' is none of race, deadlock, atomicity, none",
				       (int)n, list);
	}
	return 0;
}

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
