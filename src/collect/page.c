#include "collect/page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

#include "base/json_out.h"
#include "coop/signature.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
	"<meta name=\"viewport\" content=\"width=device-width\">\n"
	"<title>heddle: failures</title>\n<style>\n"
	":root{color-scheme:light dark;--line:#8883;--good:#23703a;--bad:#a33a1f;--dim:#666;"
	"--link:#1a56b0}\n"
	"@media(prefers-color-scheme:dark){:root{--good:#6cc486;--bad:#e88f75;--dim:#aaa;"
	"--link:#8ab8ff}body{background:#16181b;color:#e4e4e4}}\n"
	"body{font:15px/1.5 system-ui,sans-serif;margin:2em auto;max-width:76em;padding:0 1em}\n"
	"h1{font-size:1.4em;margin-bottom:.2em}h2{font-size:1em;margin:2em 0 .4em}\n"
	"code{font-size:.92em;overflow-wrap:anywhere}a{color:var(--link)}\n"
	"table{border-collapse:collapse;width:100%;table-layout:fixed}\n"
	"th,td{text-align:left;vertical-align:top;padding:.4em .8em .4em 0;"
	"border-bottom:1px solid var(--line)}\n"
	"th{font-weight:600;color:var(--dim);font-size:.9em}\n"
	".n{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}\n"
	".c1{width:30%}.c2{width:4em}.c3{width:6em}.c4{width:12em}.c5{width:11em}\n"
	".dim{color:var(--dim)}.small{font-size:.9em}.time{white-space:nowrap}\n"
	".good{color:var(--good);font-weight:600}.bad{color:var(--bad);font-weight:600}\n"
	"meter{width:5em;vertical-align:middle;margin-left:.4em}\n"
	"@media(max-width:50em){table,tbody,tr,td{display:block}tr:first-child{display:none}\n"
	"td{border:0;padding:.1em 0}tr{border-bottom:1px solid var(--line);padding:.6em 0}\n"
	".n{text-align:left}.n:before,.time:before{content:attr(data-name) \" \";"
	"color:var(--dim)}}\n"
	"</style></head><body>\n<h1>heddle: failures</h1>\n";

static const char *const states[STORE_MERGES] = {"not merged", "being merged", "reproduced",
						 "not reproduced", "could not be merged"};
static const char *const state_names[STORE_MERGES] = {"none", "running", "reproduced",
						      "inconclusive", "failed"};

static const char *const looks[STORE_MERGES] = {"dim", "dim", "good", "bad", "bad"};

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
	strbuf_addf(to, "<td><span class=\"%s\">%s</span>", looks[f->state], states[f->state]);
	if (f->tried)
		strbuf_addf(to, " <span class=\"dim\">with %" PRIu64 " log%s</span>", f->tried,
			    f->tried == 1 ? "" : "s");
	if (f->state == STORE_MERGE_REPRODUCED)
		strbuf_addf(to,
			    " &middot; <a href=\"failures/%" PRId64
			    "/bundle\" download>download the bundle</a>",
			    f->id);
	if (*f->text) {
		strbuf_add(to, "<br><span class=\"dim small\">");
		add_html(to, f->text);
		strbuf_add(to, "</span>");
	}
	strbuf_add(to, "</td>");
}

static void add_signature(const struct store_failure *f, struct strbuf *to)
{
	struct strbuf said = STRBUF_INIT;

	coop_signature_say(f->signature, &said);
	strbuf_add(to, "<code title=\"");
	add_html(to, f->signature);
	strbuf_add(to, "\">");
	add_html(to, said.text);
	strbuf_add(to, "</code>");
	strbuf_free(&said);
}

static void add_times(const struct store_failure *f, struct strbuf *to)
{
	strbuf_add(to, "<td class=\"time small\" data-name=\"when\">");
	add_time(to, f->first);
	if (f->last / 60 != f->first / 60) {
		strbuf_add(to, "<br>");
		add_time(to, f->last);
	}
	strbuf_add(to, "</td>");
}

static void add_row(const struct store_failure *f, struct strbuf *to)
{
	strbuf_addf(to, "<tr id=\"f%" PRId64 "\"><td>", f->id);
	if (*f->signature)
		add_signature(f, to);
	else
		strbuf_add(to, "<span class=\"dim\">runs that passed</span>");
	strbuf_addf(to,
		    "</td><td class=\"n\" data-name=\"logs\">%" PRIu64
		    "</td><td class=\"n\" data-name=\"bytes\">%" PRIu64 "</td>",
		    f->logs, f->bytes);
	strbuf_addf(to,
		    "<td class=\"n\" data-name=\"elements\">%u of %u<meter min=\"0\" max=\"%u\" "
		    "value=\"%u\"></meter></td>",
		    f->covered, f->elements, f->elements ? f->elements : 1, f->covered);
	add_times(f, to);
	if (*f->signature)
		add_state(f, to);
	else
		strbuf_add(to, "<td></td>");
	strbuf_add(to, "</tr>\n");
}

static void add_summary(const struct store_failures *f, struct strbuf *to)
{
	uint64_t logs = 0, failures = 0, builds = 0, reproduced = 0;

	for (size_t i = 0; i < f->count; i++) {
		const struct store_failure *x = &f->items[i];

		logs += x->logs;
		failures += *x->signature != '\0';
		builds += !i || memcmp(x->build, x[-1].build, sizeof(x->build)) != 0;
		reproduced += x->state == STORE_MERGE_REPRODUCED;
	}
	strbuf_addf(to,
		    "<p class=\"dim\">%" PRIu64 " failure%s of %" PRIu64 " build%s, %" PRIu64
		    " reproduced; %" PRIu64 " log%s</p>\n",
		    failures, failures == 1 ? "" : "s", builds, builds == 1 ? "" : "s", reproduced,
		    logs, logs == 1 ? "" : "s");
}

void collect_page(const struct store_failures *f, struct strbuf *to)
{
	strbuf_add(to, head);
	if (f->count)
		add_summary(f, to);
	if (!f->count)
		strbuf_add(to, "<p class=\"dim\">No log has come yet.</p>\n");
	for (size_t i = 0; i < f->count; i++) {
		const struct store_failure *x = &f->items[i];

		if (!i || memcmp(x->build, x[-1].build, sizeof(x->build)) != 0) {
			strbuf_add(to, i ? "</table>\n<h2>Build <code>" : "<h2>Build <code>");
			add_build(to, x->build);
			strbuf_add(to, "</code></h2>\n<table><tr><th class=\"c1\">failure</th>"
				       "<th class=\"n c2\">logs</th><th class=\"n c3\">bytes</th>"
				       "<th class=\"n c4\">elements recorded</th>"
				       "<th class=\"c5\">first, last</th><th>merge</th></tr>\n");
		}
		add_row(x, to);
	}
	strbuf_add(to, f->count ? "</table>\n</body></html>\n" : "</body></html>\n");
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
