#include "report/ci/junit.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

#include "base/utf8.h"

/* Text that any parser takes: no control characters, no broken UTF-8, nothing that ends a
 * quotation. */
static void add_text(struct strbuf *to, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	while (at && *at) {
		size_t n = utf8_length(at);

		if (n == 1 && *at == '<')
			strbuf_add(to, "&lt;");
		else if (n == 1 && *at == '>')
			strbuf_add(to, "&gt;");
		else if (n == 1 && *at == '&')
			strbuf_add(to, "&amp;");
		else if (n == 1 && *at == '"')
			strbuf_add(to, "&quot;");
		else if (n == 1 && *at == '\n')
			strbuf_add(to, "&#10;");
		else if (n == 1 && *at == '\t')
			strbuf_add(to, "&#9;");
		else if (n == 0 || (n == 1 && (*at < 0x20 || *at == 0x7f)) ||
			 (n == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe))
			strbuf_add(to, "?");
		else
			strbuf_add_bytes(to, at, n);
		at += n ? n : 1;
	}
}

static void add_attribute(struct strbuf *to, const char *name, const char *value)
{
	strbuf_addf(to, " %s=\"", name);
	add_text(to, value);
	strbuf_add_char(to, '"');
}

static void add_time(struct strbuf *to, uint64_t ns)
{
	strbuf_addf(to, " time=\"%" PRIu64 ".%03" PRIu64 "\"", ns / 1000000000,
		    ns / 1000000 % 1000);
}

static void add_outcome(const struct report_case *c, struct strbuf *to)
{
	const char *element = c->exit_code == 1 ? "failure" : "error";

	strbuf_addf(to, ">\n      <%s", element);
	add_attribute(to, "message", c->message);
	add_attribute(to, "type",
		      c->exit_code == 1	  ? "finding"
		      : c->exit_code == 4 ? "inconclusive"
					  : "failure");
	strbuf_add_char(to, '>');
	add_text(to, c->text ? c->text : c->message);
	strbuf_addf(to, "</%s>\n    </testcase>\n", element);
}

void report_junit_add(struct report_junit *j, const struct report_case *c)
{
	struct strbuf *to = &j->cases;

	assert(c->suite && c->name);
	strbuf_add(to, "    <testcase");
	add_attribute(to, "classname", c->suite);
	add_attribute(to, "name", c->name);
	add_time(to, c->ns);
	j->tests++;
	j->ns += c->ns;
	if (c->exit_code == 0) {
		strbuf_add(to, "/>\n");
		return;
	}
	j->failures += c->exit_code == 1;
	j->errors += c->exit_code != 1;
	add_outcome(c, to);
}

void report_junit_write(const struct report_junit *j, const char *suite, struct strbuf *to)
{
	strbuf_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite");
	add_attribute(to, "name", suite);
	strbuf_addf(to, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\"", j->tests,
		    j->failures, j->errors);
	add_time(to, j->ns);
	strbuf_add(to, ">\n");
	if (j->cases.text)
		strbuf_add(to, j->cases.text);
	strbuf_add(to, "  </testsuite>\n</testsuites>\n");
}

void report_junit_fini(struct report_junit *j)
{
	strbuf_free(&j->cases);
	memset(j, 0, sizeof(*j));
}
