/*
 * strtok, strtok_r and strsep: how much they read, and where they write one byte, depends on a pointer
 * that an earlier call left.  One step each, as any function of the table.
 *
 * Tolerates: runs under control; elsewhere the C library's own.
 */
#include <string.h>

#include "guest/check/hook/memory/outside.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/sched/core.h"

static RT_RUN char *left; /* where the next strtok(NULL) goes on */

static struct outside_call begin(void)
{
	struct outside_call k = {.effects = "", .site = sched_take_site()};

	outside_stand_light(k.site);
	return k;
}

/* The byte that ends a token becomes a NUL. */
static void cut(struct outside_call *k, char *at)
{
	if (!*at)
		return;
	undo_touch(at, 1);
	*at = 0;
	outside_wrote(k, (uint64_t)at, 1);
}

static void set_pointer(struct outside_call *k, char **at, char *value)
{
	undo_touch(at, sizeof(*at));
	*at = value;
	outside_wrote(k, (uint64_t)at, sizeof(*at));
}

/* The next token of s and where the one after it begins; *at moves there. */
static char *next_token(struct outside_call *k, char *s, const char *delimiters, char **at)
{
	char *end;

	outside_reads_string(k, (uint64_t)delimiters, UINT64_MAX);
	outside_reads_string(k, (uint64_t)s, UINT64_MAX);
	s += strspn(s, delimiters);
	end = s + strcspn(s, delimiters);
	*at = *end ? end + 1 : end;
	cut(k, end);
	return end == s ? NULL : s;
}

static char *token_r(char *s, const char *delimiters, char **save)
{
	struct outside_call k = begin();
	char *token, *at;

	if (!s) {
		outside_reads(&k, (uint64_t)save, sizeof(*save), 0);
		s = *save;
	}
	if (!s)
		return NULL;
	token = next_token(&k, s, delimiters, &at);
	set_pointer(&k, save, at);
	return token;
}

RT_EXPORT char *strtok_r(char *restrict s, const char *restrict delimiters, char **restrict save)
{
	return rt_controlled() ? token_r(s, delimiters, save) : REAL(strtok_r)(s, delimiters, save);
}

RT_EXPORT char *__strtok_r(char *restrict s, const char *restrict delimiters, char **restrict save)
{
	return rt_controlled() ? token_r(s, delimiters, save) : REAL(strtok_r)(s, delimiters, save);
}

RT_EXPORT char *strtok(char *restrict s, const char *restrict delimiters)
{
	struct outside_call k;
	char *token;

	if (!rt_controlled())
		return REAL(strtok)(s, delimiters);
	k = begin();
	hidden_do(hidden_named("strtok"), (uint64_t)s, true, k.site);
	if (!s)
		s = left;
	if (!s)
		return NULL;
	token = next_token(&k, s, delimiters, &left);
	return token;
}

RT_EXPORT char *strsep(char **restrict string, const char *restrict delimiters)
{
	struct outside_call k;
	char *s, *end;

	if (!rt_controlled())
		return REAL(strsep)(string, delimiters);
	k = begin();
	outside_reads(&k, (uint64_t)string, sizeof(*string), 0);
	s = *string;
	if (!s)
		return NULL;
	outside_reads_string(&k, (uint64_t)delimiters, UINT64_MAX);
	outside_reads_string(&k, (uint64_t)s, UINT64_MAX);
	end = s + strcspn(s, delimiters);
	set_pointer(&k, string, *end ? end + 1 : NULL);
	cut(&k, end);
	return s;
}
