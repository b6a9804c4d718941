#include "coop/profile_file.h"

#include <assert.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

#define FIRST_LINE "heddle coop profile 1"
#define MAX_BYTES ((size_t)64 << 20)

void coop_profile_fini(struct coop_profile *p)
{
	for (size_t i = 0; i < p->chosen.count; i++)
		free(p->chosen.items[i].name);
	vec_free(&p->chosen);
	memset(p, 0, sizeof(*p));
}

void coop_build_text(const uint8_t *build, struct strbuf *to)
{
	for (int i = 0; i < COOP_BUILD_BYTES; i++)
		strbuf_addf(to, "%02x", build[i]);
}

static const char *const kinds[COOP_FLAVOURS] = {"elements ", "blocks ", "global "};

void coop_profile_text(const struct coop_profile *p, struct strbuf *to)
{
	strbuf_add(to, FIRST_LINE "\nbuild ");
	coop_build_text(p->build, to);
	strbuf_addf(to, "\n%s%u\n", kinds[p->flavour], p->elements);
	for (size_t i = 0; i < p->chosen.count; i++)
		strbuf_addf(to, "element %u %s\n", p->chosen.items[i].element,
			    p->chosen.items[i].name);
}

static bool parse_build(const char *text, uint8_t *build)
{
	for (int i = 0; i < COOP_BUILD_BYTES; i++) {
		char two[3] = {text[2 * i], text[2 * i] ? text[2 * i + 1] : '\0', '\0'};

		if (!isxdigit((unsigned char)two[0]) || !isxdigit((unsigned char)two[1]))
			return false;
		build[i] = (uint8_t)strtoul(two, NULL, 16);
	}
	return text[2 * COOP_BUILD_BYTES] == '\0';
}

/* False: there is none, or it is too large; *rest is behind it. */
static bool parse_number(const char *text, uint32_t *value, const char **rest)
{
	unsigned long n;
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	n = strtoul(text, &end, 10);
	*value = (uint32_t)n;
	*rest = end;
	return n < UINT32_MAX;
}

static bool parse_element(struct coop_profile *p, const char *text)
{
	struct coop_chosen c;
	const char *rest;

	if (!parse_number(text, &c.element, &rest) || *rest != ' ' || !rest[1] ||
	    c.element >= p->elements ||
	    (p->chosen.count && vec_last(&p->chosen).element >= c.element))
		return false;
	c.name = xstrdup(rest + 1);
	vec_push(&p->chosen, c);
	return true;
}

static bool parse_elements(struct coop_profile *p, const char *line)
{
	for (unsigned i = 0; i < COOP_FLAVOURS; i++) {
		size_t n = strlen(kinds[i]);
		const char *rest;

		if (strncmp(line, kinds[i], n) != 0)
			continue;
		p->flavour = (enum coop_flavour)i;
		return parse_number(line + n, &p->elements, &rest) && !*rest;
	}
	return false;
}

static bool parse_line(struct coop_profile *p, const char *line, unsigned number)
{
	if (number == 0)
		return !strcmp(line, FIRST_LINE);
	if (number == 1)
		return !strncmp(line, "build ", 6) && parse_build(line + 6, p->build);
	if (number == 2)
		return parse_elements(p, line);
	return !strncmp(line, "element ", 8) && parse_element(p, line + 8);
}

int coop_profile_parse(struct coop_profile *p, const char *text, struct err *e)
{
	char *copy = xstrdup(text), *save = NULL;
	unsigned number = 0;
	bool fine = true;

	assert(!p->chosen.count);
	for (char *line = strtok_r(copy, "\n", &save); line && fine;
	     line = strtok_r(NULL, "\n", &save))
		fine = parse_line(p, line, number++);
	free(copy);
	if (fine && number >= 4)
		return 0;
	coop_profile_fini(p);
	if (number <= 1)
		return err_set(e, ERR_FORMAT,
			       "not a logging profile (heddle coop profile makes them)");
	if (fine)
		return err_set(e, ERR_FORMAT, "the logging profile names no element");
	return err_set(e, ERR_FORMAT, "damaged logging profile: line %u", number);
}

int coop_profile_read(struct coop_profile *p, const char *path, struct err *e)
{
	char *text = NULL;
	size_t n;
	int rc = fs_read_file(path, MAX_BYTES, &text, &n, e);

	if (!rc && strlen(text) != n)
		rc = err_set(e, ERR_FORMAT,
			     "not a logging profile (heddle coop profile makes them)");
	if (!rc)
		rc = coop_profile_parse(p, text, e);
	if (rc && text)
		err_wrap(e, "%s", path);
	free(text);
	return rc;
}
