#include "cli/check/select.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "cli/exit.h"

#define MOST_SHARDS 1000000

bool cli_selection_is_test(const struct cli_selection_opts *o)
{
	return o->each_test || o->test;
}

int cli_selection_shard(const struct cli_selection_opts *o, uint64_t *shard, uint64_t *shards,
			struct err *e)
{
	unsigned long long i, n;
	int used = 0;

	*shard = *shards = 1;
	if (!o->shard)
		return 0;
	if (!isdigit((unsigned char)o->shard[0]) ||
	    sscanf(o->shard, "%7llu/%7llu%n", &i, &n, &used) != 2 || o->shard[used] ||
	    !isdigit((unsigned char)o->shard[strcspn(o->shard, "/") + 1]) || i < 1 || i > n ||
	    n > MOST_SHARDS)
		return err_set(e, ERR_USAGE, "--shard: '%s' is not I/N with I from 1 to N",
			       o->shard);
	*shard = i;
	*shards = n;
	return 0;
}

/* Multiplication first would overflow for the largest numbers of runs. */
static uint64_t part(uint64_t all, uint64_t i, uint64_t n)
{
	return all / n * i + all % n * i / n;
}

void cli_selection_share(const struct cli_selection *s, uint64_t all, uint64_t *first,
			 uint64_t *count)
{
	assert(s->shard >= 1 && s->shard <= s->shards);
	*first = part(all, s->shard - 1, s->shards);
	*count = part(all, s->shard, s->shards) - *first;
}

static char **copy_words(char **words)
{
	size_t n = 0;
	char **copy;

	while (words[n])
		n++;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(words[i]);
	return copy;
}

int cli_selection_begin(struct cli_selection *s, const struct cli_selection_opts *o, char **words,
			struct err *e)
{
	struct cli_tests tests = {.kind = CLI_TESTS_NONE};
	int rc = cli_selection_shard(o, &s->shard, &s->shards, e);

	s->test = o->test;
	if (rc != 0)
		return rc;
	if (!o->test) {
		s->words = copy_words(words);
		return 0;
	}
	/* A test that is not there would run nothing, and nothing is always clean. */
	rc = cli_tests_list(&tests, words, e);
	if (rc == 0)
		rc = cli_tests_find(&tests, o->test, e);
	if (rc == 0)
		s->words = cli_tests_argv(&tests, words, o->test);
	cli_tests_fini(&tests);
	return rc;
}

void cli_selection_fini(struct cli_selection *s)
{
	cli_tests_argv_free(s->words);
	free(s->stem);
}

const char *cli_selection_name(const struct cli_selection *s, const char *program)
{
	const char *slash = strrchr(program, '/');

	return s->test ? s->test : slash ? slash + 1 : program;
}

const char *cli_selection_stem(struct cli_selection *s, const char *program)
{
	if (!s->test)
		return program;
	free(s->stem);
	s->stem = xasprintf("%s.%s", program, s->test);
	for (char *c = s->stem + strlen(program); *c; c++)
		if (!isalnum((unsigned char)*c) && *c != '.' && *c != '-')
			*c = '_';
	/* A name of a directory has its limits. */
	if (strlen(s->stem) > strlen(program) + 100)
		s->stem[strlen(program) + 100] = '\0';
	return s->stem;
}

int cli_selection_list(char **words)
{
	struct cli_tests tests = {.kind = CLI_TESTS_NONE};
	struct err e = ERR_INIT;
	int rc = cli_tests_list(&tests, words, &e);

	for (size_t i = 0; rc == 0 && i < tests.names.count; i++)
		printf("%s\n", tests.names.items[i]);
	cli_tests_fini(&tests);
	return rc == 0 ? CLI_CLEAN : cli_exit_error("check", &e);
}
