/* heddle stable memo: what a cache has, and caches put together. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "cli/exit.h"
#include "cli/stable/cover.h"
#include "cli/stable/memory.h"
#include "memo/file.h"
#include "memo/simplify.h"
#include "stable/log.h"

static const char *const labels[MEMO_LABELS] = {"unknown", "good", "bad"};

static size_t operations(const struct memo_plan *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->count; i++)
		n += p->path[i]->schedule.count;
	return n;
}

static size_t holds(const struct memo_plan *p)
{
	size_t n = 0;

	for (uint32_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < p->path[i]->schedule.count; k++)
			n += p->path[i]->schedule.items[k].hold != MEMO_NO_HOLD;
	return n;
}

static void print_plan(void *arg, const struct memo_plan *p)
{
	const struct memo_entry *e = p->path[p->count - 1];
	struct strbuf text = STRBUF_INIT;

	(void)arg;
	for (uint32_t i = 0; i < p->count; i++) {
		if (i)
			strbuf_add(&text, "; ");
		memo_terms_print(&p->path[i]->conditions, &text);
	}
	printf("%" PRIu32 "\t%s\t%zu operations, %zu ordered\tused %" PRIu64 ", well %" PRIu64
	       "\t%s\n",
	       e->id, labels[e->label], operations(p), holds(p), e->hits, e->successes, text.text);
	strbuf_free(&text);
}

struct wanted {
	uint32_t id;
	bool found;
};

static void print_order(void *arg, const struct memo_plan *p)
{
	struct wanted *w = arg;
	struct strbuf text = STRBUF_INIT;
	uint64_t at = 0;

	if (w->id && p->path[p->count - 1]->id != w->id)
		return;
	w->found = true;
	print_plan(NULL, p);
	for (uint32_t i = 0; i < p->count; i++)
		for (size_t k = 0; k < p->path[i]->schedule.count; k++) {
			const struct memo_element *x = &p->path[i]->schedule.items[k];
			struct stable_entry op = {.time = ++at,
						  .tid = x->tid,
						  .op = x->op,
						  .res = x->res,
						  .obj = x->obj};

			strbuf_clear(&text);
			stable_log_text(&op, &text);
			if (x->hold)
				strbuf_addf(&text, ", then not before %u is over", x->hold);
			puts(text.text);
		}
	strbuf_free(&text);
}

static int list(struct memo_cache *c, char **rest, struct err *e)
{
	(void)rest;
	(void)e;
	memo_cache_each(c, print_plan, NULL);
	return 0;
}

static int parse_id(const char *text, uint32_t *id, struct err *e)
{
	char *end;
	unsigned long v = strtoul(text, &end, 10);

	if (end == text || *end || !v || v >= UINT32_MAX)
		return err_set(e, ERR_USAGE, "'%s' is no number of a schedule", text);
	*id = (uint32_t)v;
	return 0;
}

static int show(struct memo_cache *c, char **rest, struct err *e)
{
	struct wanted w = {0};
	int rc = rest[0] ? parse_id(rest[0], &w.id, e) : 0;

	if (rc)
		return rc;
	memo_cache_each(c, print_order, &w);
	if (w.id && !w.found)
		return err_set(e, ERR_NOT_FOUND, "there is no schedule %u", w.id);
	return 0;
}

static void count_plan(void *arg, const struct memo_plan *p)
{
	(void)p;
	++*(size_t *)arg;
}

/* Reading has looked at everything. */
static int check(struct memo_cache *c, char **rest, struct err *e)
{
	char build[SHA256_TEXT];
	size_t plans = 0;
	uint8_t now[SHA256_BYTES];
	int rc = 0;

	memo_cache_each(c, count_plan, &plans);
	sha256_text(c->build, build);
	printf("%zu schedules of the program with SHA-256 %s\n", plans, build);
	if (rest[0])
		rc = memo_file_build(rest[0], now, e);
	if (!rc && rest[0] && memcmp(now, c->build, sizeof(now)))
		rc = err_set(e, ERR_MISMATCH, "%s is another build", rest[0]);
	return rc;
}

/* ---- changes ---- */

static int merge_into(void *arg, struct memo_cache *c, struct err *e)
{
	struct memo_solver *solver = memo_solver_new();
	int rc = memo_cache_merge(c, arg, memo_implies, solver, e);

	memo_solver_free(solver);
	return rc;
}

static int merge(const char *path, char **others, struct err *e)
{
	int rc = others[0] ? 0 : err_set(e, ERR_USAGE, "merge CACHE OTHER...: another is missing");

	for (; !rc && *others; others++) {
		struct memo_cache other;

		rc = memo_file_read(*others, &other, e);
		if (rc)
			break;
		rc = memo_file_update(path, other.build, merge_into, &other, e);
		memo_cache_free(&other);
	}
	return rc;
}

struct change {
	uint32_t id;
	uint8_t label;
};

static int set_label(void *arg, struct memo_cache *c, struct err *e)
{
	const struct change *x = arg;
	struct memo_entry *entry = memo_cache_plan(c, x->id);

	if (!entry)
		return err_set(e, ERR_NOT_FOUND, "there is no schedule %u", x->id);
	entry->label = x->label;
	return 0;
}

static int label(const char *path, char **rest, struct err *e)
{
	struct change x = {0};
	struct memo_cache c;
	int rc = rest[0] && rest[1]
			 ? parse_id(rest[0], &x.id, e)
			 : err_set(e, ERR_USAGE, "label CACHE SCHEDULE good|bad|unknown");

	while (!rc && x.label < MEMO_LABELS && strcmp(labels[x.label], rest[1]) != 0)
		x.label++;
	if (!rc && x.label == MEMO_LABELS)
		rc = err_set(e, ERR_USAGE, "'%s' is not good, bad or unknown", rest[1]);
	if (!rc)
		rc = memo_file_read(path, &c, e);
	if (rc)
		return rc;
	rc = memo_file_update(path, c.build, set_label, &x, e);
	memo_cache_free(&c);
	return rc;
}

/* What may be done; `read' may return an exit code. */
static const struct {
	const char *name;
	int (*read)(struct memo_cache *c, char **rest, struct err *e);
	int (*change)(const char *path, char **rest, struct err *e);
} words[] = {
	{"list", list, NULL},	{"show", show, NULL},	{"check", check, NULL},
	{"merge", NULL, merge}, {"label", NULL, label}, {"cover", cover_print, NULL},
};

static int carry_out(size_t word, char **argv, struct err *e)
{
	struct memo_cache c;
	int rc;

	if (words[word].change)
		return words[word].change(argv[2], argv + 3, e);
	rc = memo_file_read(argv[2], &c, e);
	if (rc)
		return rc;
	rc = words[word].read(&c, argv + 3, e);
	memo_cache_free(&c);
	return rc;
}

int memory_command(int argc, char **argv)
{
	struct err e = ERR_INIT;
	int rc =
		argc < 3
			? err_set(&e, ERR_USAGE,
				  "memo list|show|check|merge|label|cover CACHE (see heddle stable "
				  "--help)")
			: 0;
	size_t word = 0;

	while (!rc && word < sizeof(words) / sizeof(words[0]) &&
	       strcmp(words[word].name, argv[1]) != 0)
		word++;
	if (!rc && word == sizeof(words) / sizeof(words[0]))
		rc = err_set(&e, ERR_USAGE, "'%s' is not list, show, check, merge, label or cover",
			     argv[1]);
	if (!rc)
		rc = carry_out(word, argv, &e);
	if (rc > 0)
		return rc;
	return rc ? cli_exit_error("stable memo", &e) : CLI_CLEAN;
}
