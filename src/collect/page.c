#include "collect/page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/json_out.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<title>heddle: failures</title>\n<style>\n"
	":root{color-scheme:light dark;--line:#8884;--good:#2a7d3f;--dim:#888}\n"
	"body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:76em;padding:0 1em}\n"
	"h1{font-size:1.4em}h2{font-size:1em;margin:2em 0 .4em}code{font-size:.9em}\n"
	"table{border-collapse:collapse;width:100%}\n"
	"th,td{text-align:left;vertical-align:top;padding:.35em .8em .35em 0;"
	"border-bottom:1px solid var(--line)}\n"
	"th{font-weight:600;color:var(--dim)}.n{text-align:right;white-space:nowrap}\n"
	".dim{color:var(--dim)}.good{color:var(--good);font-weight:600}\n"
	"meter{width:6em;vertical-align:middle}.scroll{overflow-x:auto}\n"
	"</style></head><body>\n<h1>heddle: failures</h1>\n";

static const char *const states[STORE_MERGES] = {"not merged", "being merged", "reproduced",
						 "not reproduced", "could not be merged"};
static const char *const state_names[STORE_MERGES] = {"none", "running", "reproduced",
						      "inconclusive", "failed"};

static void add_html(struct strbuf *to, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			strbuf_add(to, "&amp;");
			break;
		case '<':
			strbuf_add(to, "&lt;");
			break;
		case '>':
			strbuf_add(to, "&gt;");
			break;
		case '"':
			strbuf_add(to, "&quot;");
			break;
		default:
			strbuf_add_char(to, *text);
		}
	}
}

static void add_build(struct strbuf *to, const uint8_t *build)
{
	for (unsigned i = 0; i < STORE_BUILD_BYTES; i++)
		strbuf_addf(to, "%02x", build[i]);
}

static void add_time(struct strbuf *to, uint64_t seconds)
{
	time_t t = (time_t)seconds;
	struct tm tm;
	char text[32] = "";

	if (gmtime_r(&t, &tm))
		strftime(text, sizeof(text), "%Y-%m-%d %H:%M UTC", &tm);
	strbuf_add(to, text);
}

static void add_state(const struct store_failure *f, struct strbuf *to)
{
	strbuf_addf(to, "<td><span class=\"%s\">%s</span>",
		    f->state == STORE_MERGE_REPRODUCED ? "good" : "dim", states[f->state]);
	if (f->tried)
		strbuf_addf(to, " <span class=\"dim\">(%" PRIu64 " log%s)</span>", f->tried,
			    f->tried == 1 ? "" : "s");
	if (*f->text) {
		strbuf_add(to, "<br><span class=\"dim\">");
		add_html(to, f->text);
		strbuf_add(to, "</span>");
	}
	if (f->state == STORE_MERGE_REPRODUCED)
		strbuf_addf(to, "<br><a href=\"failures/%" PRId64 "/bundle\" download>bundle</a>",
			    f->id);
	strbuf_add(to, "</td>");
}

static void add_row(const struct store_failure *f, struct strbuf *to)
{
	strbuf_addf(to, "<tr id=\"f%" PRId64 "\"><td>", f->id);
	if (*f->signature) {
		strbuf_add(to, "<code>");
		add_html(to, f->signature);
		strbuf_add(to, "</code>");
	} else {
		strbuf_add(to, "<span class=\"dim\">runs that passed</span>");
	}
	strbuf_addf(to, "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td>",
		    f->logs, f->bytes);
	strbuf_addf(
		to,
		"<td class=\"n\">%u of %u <meter min=\"0\" max=\"%u\" value=\"%u\"></meter></td>"
		"<td>",
		f->covered, f->elements, f->elements ? f->elements : 1, f->covered);
	add_time(to, f->first);
	strbuf_add(to, "<br>");
	add_time(to, f->last);
	strbuf_add(to, "</td>");
	if (*f->signature)
		add_state(f, to);
	else
		strbuf_add(to, "<td></td>");
	strbuf_add(to, "</tr>\n");
}

void collect_page(const struct store_failures *f, struct strbuf *to)
{
	strbuf_add(to, head);
	if (!f->count)
		strbuf_add(to, "<p class=\"dim\">No log has come yet.</p>\n");
	for (size_t i = 0; i < f->count; i++) {
		const struct store_failure *x = &f->items[i];

		if (!i || memcmp(x->build, x[-1].build, sizeof(x->build)) != 0) {
			strbuf_add(to, i ? "</table></div>\n<h2>Build <code>" : "<h2>Build <code>");
			add_build(to, x->build);
			strbuf_add(to, "</code></h2>\n<div class=\"scroll\"><table><tr><th>failure"
				       "</th><th class=\"n\">logs</th><th class=\"n\">bytes</th>"
				       "<th class=\"n\">elements</th><th>first, last</th>"
				       "<th>merge</th></tr>\n");
		}
		add_row(x, to);
	}
	strbuf_add(to, f->count ? "</table></div>\n</body></html>\n" : "</body></html>\n");
}

static void add_members(const struct store_failure *f, struct json_out *j)
{
	struct strbuf build = STRBUF_INIT;

	add_build(&build, f->build);
	json_out_int(j, "id", f->id);
	json_out_string(j, "build", build.text);
	json_out_string(j, "signature", f->signature);
	json_out_bool(j, "failed", *f->signature != '\0');
	json_out_uint(j, "logs", f->logs);
	json_out_uint(j, "bytes", f->bytes);
	json_out_uint(j, "elements", f->elements);
	json_out_uint(j, "elements_logged", f->covered);
	json_out_uint(j, "first", f->first);
	json_out_uint(j, "last", f->last);
	json_out_string(j, "merge", state_names[f->state]);
	json_out_uint(j, "merge_logs", f->tried);
	json_out_string(j, "merge_text", f->text);
	strbuf_free(&build);
}

void collect_page_json(const struct store_failures *f, struct strbuf *to)
{
	struct json_out j;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_array_begin(&j, "failures");
	for (size_t i = 0; i < f->count; i++) {
		json_out_object_begin(&j, NULL);
		add_members(&f->items[i], &j);
		json_out_object_end(&j);
	}
	json_out_array_end(&j);
	json_out_object_end(&j);
}

void collect_page_failure(const struct store_failure *f, const struct strbuf *hashes,
			  struct strbuf *to)
{
	struct json_out j;
	char *copy = xstrndup(hashes->length ? hashes->text : "", hashes->length), *save = NULL;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	add_members(f, &j);
	json_out_array_begin(&j, "hashes");
	for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save))
		json_out_string(&j, NULL, line);
	json_out_array_end(&j);
	json_out_object_end(&j);
	free(copy);
}
