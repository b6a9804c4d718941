/* heddle stable memo cover: for how many inputs of a range a cache has a schedule. */
#include "cli/stable/cover.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "cli/exit.h"
#include "memo/file.h"

#define ALL_MAX 1000000u /* inputs that are all looked at; of more, so many are drawn: */
#define DRAWN 100000u
#define NUMBER 24 /* characters */

extern char **environ;

/* An argument: a text, or all numbers from low to high. */
struct argument {
	const char *text;
	bool range;
	int64_t low, high;
	char number[NUMBER];
};

struct cover {
	const struct memo_cache *cache;
	VEC(struct argument) arguments;
	char **argv;
	uint64_t looked, covered, bad;
	VEC(uint64_t) used; /* by number of the schedule */
	char *missing;	    /* the first input without one */
};

static bool parse_number(const char *from, const char *to, int64_t *out)
{
	char *end;

	*out = strtoll(from, &end, 10);
	return end == to && end != from && *out > INT64_MIN / 4 && *out < INT64_MAX / 4;
}

static struct argument parse(const char *text)
{
	struct argument a = {.text = text};
	const char *dots = strstr(text, "..");

	a.range = dots && parse_number(text, dots, &a.low) &&
		  parse_number(dots + 2, dots + strlen(dots), &a.high);
	return a;
}

/* How many inputs there are; 0 when they are too many to count. */
static uint64_t inputs(const struct cover *c)
{
	uint64_t n = 1;

	for (size_t i = 0; i < c->arguments.count; i++) {
		const struct argument *a = &c->arguments.items[i];
		uint64_t size = a->range ? (uint64_t)(a->high - a->low) + 1 : 1;

		if (n > UINT64_MAX / size)
			return 0;
		n *= size;
	}
	return n;
}

struct fits {
	const struct memo_given *given;
	bool bad;
};

static void look_for_bad(void *arg, const struct memo_plan *p)
{
	struct fits *f = arg;
	bool holds = p->path[p->count - 1]->label == MEMO_BAD;

	for (uint32_t i = 0; i < p->count && holds; i++)
		holds = memo_terms_hold(&p->path[i]->conditions, f->given);
	f->bad |= holds;
}

static void look(struct cover *c)
{
	struct memo_given given = {.argc = c->arguments.count, .argv = c->argv, .envp = environ};
	struct fits fits = {.given = &given};
	struct strbuf text = STRBUF_INIT;
	struct memo_plan plan;

	c->looked++;
	if (memo_cache_find(c->cache, &given, &plan)) {
		uint32_t id = plan.path[plan.count - 1]->id;

		while (c->used.count <= id)
			vec_push(&c->used, 0);
		c->used.items[id]++;
		c->covered++;
		return;
	}
	memo_cache_each(c->cache, look_for_bad, &fits);
	c->bad += fits.bad;
	if (c->missing || fits.bad)
		return;
	for (size_t i = 1; i < c->arguments.count; i++)
		strbuf_addf(&text, "%s%s", i > 1 ? " " : "", c->argv[i]);
	c->missing = strbuf_take(&text);
}

static void set(struct cover *c, size_t i, uint64_t distance)
{
	struct argument *a = &c->arguments.items[i];

	snprintf(a->number, sizeof(a->number), "%" PRId64, a->low + (int64_t)distance);
	c->argv[i] = a->number;
}

/* Input number n, counted with the last argument first. */
static void nth(struct cover *c, uint64_t n)
{
	for (size_t i = c->arguments.count; i-- > 0;) {
		const struct argument *a = &c->arguments.items[i];
		uint64_t size = (uint64_t)(a->high - a->low) + 1;

		if (!a->range)
			continue;
		set(c, i, n % size);
		n /= size;
	}
}

static void draw(struct cover *c, struct rng *rng)
{
	for (size_t i = 0; i < c->arguments.count; i++) {
		const struct argument *a = &c->arguments.items[i];

		if (a->range)
			set(c, i, rng_below(rng, (uint64_t)(a->high - a->low) + 1));
	}
}

static void print(const struct cover *c, bool all)
{
	printf("%s%" PRIu64 " of %" PRIu64 " inputs%s have a schedule (%.2f %%)",
	       all ? "" : "about ", c->covered, c->looked, all ? "" : " drawn",
	       100.0 * (double)c->covered / (double)c->looked);
	if (c->bad)
		printf("; %" PRIu64 " fit only one that is bad", c->bad);
	putchar('\n');
	for (uint32_t id = 0; id < c->used.count; id++)
		if (c->used.items[id])
			printf("schedule %" PRIu32 ": %" PRIu64 "\n", id, c->used.items[id]);
	if (c->missing)
		printf("none for: %s\n", c->missing);
}

int cover_print(struct memo_cache *cache, char **rest, struct err *e)
{
	struct cover c = {.cache = cache};
	struct rng rng;
	uint64_t n;
	bool all;
	int rc;

	if (!rest[0])
		return err_set(e, ERR_USAGE, "cover CACHE PROGRAM ARGUMENT...");
	for (char **a = rest; *a; a++)
		vec_push(&c.arguments, parse(*a));
	for (size_t i = 0; i < c.arguments.count; i++)
		if (c.arguments.items[i].range &&
		    c.arguments.items[i].low > c.arguments.items[i].high) {
			err_set(e, ERR_USAGE, "'%s' has no numbers", c.arguments.items[i].text);
			vec_free(&c.arguments);
			return ERR_USAGE;
		}
	c.argv = xcalloc(c.arguments.count + 1, sizeof(*c.argv));
	for (size_t i = 0; i < c.arguments.count; i++)
		c.argv[i] = rest[i];
	n = inputs(&c);
	all = n && n <= ALL_MAX;
	rng_seed(&rng, 1);
	for (uint64_t i = 0; i < (all ? n : DRAWN); i++) {
		if (all)
			nth(&c, i);
		else
			draw(&c, &rng);
		look(&c);
	}
	print(&c, all);
	rc = c.covered < c.looked ? CLI_FINDINGS : all ? CLI_CLEAN : CLI_INCONCLUSIVE;
	free(c.argv);
	free(c.missing);
	vec_free(&c.arguments);
	vec_free(&c.used);
	return rc;
}
