#include "cli/hunt_info.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/json_out.h"
#include "base/mem.h"
#include "store/store.h"

static char *store_of(const char *path)
{
	return fs_is_dir(path) ? fs_join(path, "runs.db") : xstrdup(path);
}

bool cli_hunt_info_is(const char *path)
{
	char *file = store_of(path);
	/* A damaged one is told by its name. */
	bool is = fs_is_file(file) && (fs_is_dir(path) || store_is(file));

	free(file);
	return is;
}

static int place_json(void *arg, const char *place, uint64_t proofs, struct err *e)
{
	struct json_out *j = arg;

	(void)e;
	json_out_object_begin(j, NULL);
	json_out_string(j, "assertion", place);
	json_out_uint(j, "proved", proofs);
	json_out_object_end(j);
	return 0;
}

static int print_json(const char *file, struct store *s, const struct store_counts *c,
		      struct strbuf *to, struct err *e)
{
	struct json_out j;
	int rc;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "store", file);
	json_out_uint(&j, "builds", c->builds);
	json_out_uint(&j, "runs", c->seen);
	json_out_uint(&j, "distinct_runs", c->runs);
	json_out_uint(&j, "proved", c->proofs);
	json_out_array_begin(&j, "proofs");
	rc = store_places(s, 0, place_json, &j, e);
	json_out_array_end(&j);
	json_out_object_end(&j);
	strbuf_add_char(to, '\n');
	return rc;
}

static int place_text(void *arg, const char *place, uint64_t proofs, struct err *e)
{
	(void)e;
	strbuf_addf(arg, "  %-20s %8" PRIu64 "\n", place[0] ? place : "(no place)", proofs);
	return 0;
}

static int print_text(const char *file, struct store *s, const struct store_counts *c,
		      struct strbuf *to, struct err *e)
{
	strbuf_addf(to,
		    "%s: what heddle hunt keeps\n"
		    "builds of the program  %" PRIu64 "\n"
		    "runs that passed       %" PRIu64 ", %" PRIu64 " with paths of their own\n"
		    "proved                 %" PRIu64
		    " pairs of an assertion and a combination of paths\n",
		    file, c->builds, c->seen, c->runs, c->proofs);
	return store_places(s, 0, place_text, to, e);
}

int cli_hunt_info(const char *path, bool json, struct strbuf *to, struct err *e)
{
	char *file = store_of(path);
	struct store_counts c = {0};
	struct store *s = NULL;
	int rc = store_open(file, false, &s, e);

	if (rc == 0)
		rc = store_count(s, 0, &c, e);
	if (rc == 0)
		rc = json ? print_json(file, s, &c, to, e) : print_text(file, s, &c, to, e);
	store_close(s);
	free(file);
	return rc;
}
