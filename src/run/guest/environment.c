#include "run/guest/environment.h"

#include <assert.h>
#include <stdbool.h>
#include <string.h>

#include "run/guest/needs.h"
#include "wire/secret.h"

/* What the dynamic linker, the C library and terminals look at, or users expect to be there. */
static const char *const always[] = {
	"PATH",	      "HOME",	  "LANG",	    "LANGUAGE",	       "TZ",  "TERM",
	"TMPDIR",     "USER",	  "SHELL",	    "LOGNAME",	       "PWD", "LD_LIBRARY_PATH",
	"LD_PRELOAD", "LD_AUDIT", "GLIBC_TUNABLES", "OMP_NUM_THREADS",
};

int run_environment_is_ours(const char *entry)
{
	return strncmp(entry, "HEDDLE_", 7) == 0 || strncmp(entry, "LD_BIND_NOW=", 12) == 0;
}

static size_t name_length(const char *entry)
{
	return strcspn(entry, "=");
}

static bool is_always(const char *entry)
{
	size_t n = name_length(entry);

	if (strncmp(entry, "LC_", 3) == 0)
		return true;
	for (size_t i = 0; i < sizeof(always) / sizeof(always[0]); i++)
		if (strlen(always[i]) == n && memcmp(always[i], entry, n) == 0)
			return true;
	return false;
}

/* Is the entry's name one of the words of the list? */
static bool is_given(const char *entry, const char *list)
{
	size_t n = name_length(entry);

	while (list && *list) {
		size_t m = strcspn(list, ",");

		if (m == n && memcmp(entry, list, n) == 0)
			return true;
		list += m + (list[m] == ',');
	}
	return false;
}

static char *with_stand_in(const char *entry)
{
	size_t n = name_length(entry);
	char *copy = xstrdup(entry);

	assert(copy[n] == '=');
	for (size_t i = n + 1; copy[i]; i++)
		copy[i] = wire_secret_stand_in(i - n - 1);
	return copy;
}

/* A secret that is not needed is not said: nobody misses it.  Its value is looked for all the same.
 */
static char *make_entry(const char *entry, bool needed, struct run_words *secrets,
			struct run_words *said)
{
	if (!wire_secret_entry(entry))
		return needed ? xstrdup(entry) : NULL;
	vec_push(secrets, xstrdup(entry + name_length(entry) + 1));
	if (!needed)
		return NULL;
	vec_push(said, xstrndup(entry, name_length(entry)));
	return with_stand_in(entry);
}

/* needed[i] of those that are not needed in any case. */
static void look_for_needs(const struct run_environment_source *s, bool *needed, size_t n)
{
	struct run_needs needs = {.all = false};

	for (size_t i = 0; i < n; i++)
		if (!needed[i] && !run_environment_is_ours(s->from[i]))
			run_needs_add(&needs, s->from[i], name_length(s->from[i]), &needed[i]);
	run_needs_look(&needs, s->path);
	for (size_t i = 0; s->argv && s->argv[i]; i++)
		run_needs_scan(&needs, s->argv[i], strlen(s->argv[i]), false);
	for (size_t i = 0; needs.all && i < n; i++)
		needed[i] = true;
	run_needs_fini(&needs);
}

char **run_environment_make(const struct run_environment_source *s, struct run_words *secrets,
			    struct run_words *said)
{
	bool all = is_given("all", s->given);
	char *const *from = s->from;
	size_t n = 0, to = 0;
	char **made;
	bool *needed;

	while (from[n])
		n++;
	made = xcalloc(n + 1, sizeof(*made));
	needed = xcalloc(n + 1, sizeof(*needed));
	for (size_t i = 0; i < n; i++)
		needed[i] = all || is_always(from[i]) || is_given(from[i], s->given);
	if (!all)
		look_for_needs(s, needed, n);
	for (size_t i = 0; i < n; i++) {
		if (run_environment_is_ours(from[i]))
			continue;
		made[to] = is_given(from[i], s->given)
				   ? xstrdup(from[i])
				   : make_entry(from[i], needed[i], secrets, said);
		to += made[to] != NULL;
	}
	free(needed);
	return made;
}

char *run_environment_hide(const struct run_words *secrets, const char *text)
{
	size_t n = strlen(text);
	char *copy = xstrdup(text);

	for (size_t at = 0; at < n;) {
		size_t m = wire_secret_at((const char *const *)secrets->items, secrets->count,
					  text + at, n - at);

		for (size_t i = 0; i < m; i++)
			copy[at + i] = wire_secret_stand_in(i);
		at += m ? m : 1;
	}
	return copy;
}

void run_words_fini(struct run_words *w)
{
	for (size_t i = 0; i < w->count; i++)
		free(w->items[i]);
	vec_free(w);
}
