#include "predict/find/suppress.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/pattern.h"
#include "predict/read/read.h"
#include "predict/read/stacks.h"

static bool kind_is(const char *word, enum predict_kind kind)
{
	if (strcmp(word, "*") == 0 || strcmp(word, predict_kind_text(kind)) == 0)
		return true;
	return kind == KIND_DEADLOCK && strcmp(word, "mutex") == 0;
}

static bool known_kind(const char *word)
{
	for (int k = KIND_RACE; k <= KIND_ORDER; k++) {
		if (kind_is(word, (enum predict_kind)k))
			return true;
	}
	return false;
}

struct looking {
	const struct predict_trace *t;
	const char *pattern;
	bool found;
};

static void look_at_frame(void *context, const char *func, uint32_t site)
{
	struct looking *l = context;

	l->found |= pattern_match(l->pattern, func) ||
		    (site != PREDICT_NONE &&
		     pattern_match(l->pattern, predict_names_text(&l->t->sites, site)));
}

static bool finding_matches(const struct predict_trace *t, const struct predict_finding *f,
			    const char *pattern)
{
	for (size_t i = 0; i < f->events.count; i++) {
		uint32_t e = f->events.items[i], site = t->events.items[e].site;
		struct looking l = {t, pattern, false};

		predict_stacks_walk(t, e, look_at_frame, &l);
		if (l.found)
			return true;
		if (pattern_match(pattern, predict_trace_object(t, e)))
			return true;
		if (site != PREDICT_NONE &&
		    pattern_match(pattern, predict_names_text(&t->sites, site)))
			return true;
	}
	return false;
}

static int apply(struct predict_text line, uint32_t number, const struct predict_trace *t,
		 struct predict_result *r, struct err *e)
{
	char *text = xstrndup(line.at, line.bytes);
	char *colon = strchr(text, ':');
	int code = 0;

	if (colon != NULL)
		*colon = '\0';
	if (colon == NULL || colon[1] == '\0' || !known_kind(text))
		code = err_set(e, ERR_FORMAT,
			       "line %u: not \"kind:pattern\" with kind race, deadlock, mutex, "
			       "atomicity, order or *",
			       number);
	for (size_t i = 0; i < r->findings.count && code == 0; i++) {
		struct predict_finding *f = &r->findings.items[i];

		if (kind_is(text, f->kind) && finding_matches(t, f, colon + 1))
			f->suppressed = true;
	}
	free(text);
	return code;
}

int predict_suppress_text(const char *text, size_t bytes, const struct predict_trace *t,
			  struct predict_result *r, uint64_t *count, struct err *e)
{
	struct predict_text rest = {text, bytes}, line;
	uint32_t number = 0;
	int code = 0;

	while (code == 0 && predict_text_line(&rest, &line)) {
		number++;
		line = predict_text_trim(line);
		if (line.bytes > 0 && *line.at != '#')
			code = apply(line, number, t, r, e);
	}
	*count = 0;
	for (size_t i = 0; i < r->findings.count; i++)
		*count += r->findings.items[i].suppressed;
	return code;
}

int predict_suppress(const char *path, const struct predict_trace *t, struct predict_result *r,
		     uint64_t *count, struct err *e)
{
	char *text = NULL;
	size_t bytes = 0;
	int code = fs_read_file(path, (size_t)16 << 20, &text, &bytes, e);

	if (code != 0)
		return code;
	code = predict_suppress_text(text, bytes, t, r, count, e);
	free(text);
	return code != 0 ? err_wrap(e, "%s", path) : 0;
}
