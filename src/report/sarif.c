/* SARIF 2.1.0: one run, one rule per kind that occurs. */
#include <ctype.h>
#include <string.h>

#include "base/json_out.h"
#include "report/formats.h"

#define SCHEMA                                                                                     \
	"https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"                      \
	"sarif-schema-2.1.0.json"

/* Rules without a line here are their own explanation. */
static const struct {
	const char *rule, *text;
} rules[] = {
	{"race", "Two conflicting accesses can happen at the same moment."},
	{"deadlock", "Threads can block each other for ever."},
	{"livelock", "Threads wait in loops for what nobody will do."},
	{"atomicity", "Another thread's access can fall into a block meant to be atomic."},
	{"order", "Events can happen in an order that was asked about."},
	{"use-after-free", "Memory is used after it was freed."},
};

static void add_text(struct json_out *j, const char *name, const char *text)
{
	json_out_object_begin(j, name);
	json_out_string(j, "text", text);
	json_out_object_end(j);
}

static void add_rule(struct json_out *j, const char *rule)
{
	json_out_object_begin(j, NULL);
	json_out_string(j, "id", rule);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (strcmp(rules[i].rule, rule) == 0)
			add_text(j, "shortDescription", rules[i].text);
	json_out_object_end(j);
}

/* What a user asked about and cannot be is an answer, no result. */
static bool is_result(const struct finding *f)
{
	return f->level != FINDING_EXCLUDED;
}

static bool occurs_before(const struct findings *all, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (is_result(&all->items[i]) &&
		    strcmp(all->items[i].rule, all->items[at].rule) == 0)
			return true;
	return false;
}

static void add_tool(struct json_out *j, const struct findings *all, const char *command,
		     const char *version)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "heddle %s", command);
	json_out_object_begin(j, "tool");
	json_out_object_begin(j, "driver");
	json_out_string(j, "name", name.text);
	json_out_string(j, "version", version);
	json_out_array_begin(j, "rules");
	for (size_t i = 0; i < all->count; i++)
		if (is_result(&all->items[i]) && !occurs_before(all, i))
			add_rule(j, all->items[i].rule);
	json_out_array_end(j);
	json_out_object_end(j);
	json_out_object_end(j);
	strbuf_free(&name);
}

/* A path as a reference by the rules of RFC 3986: relative as it is, absolute with its scheme. */
static void add_uri(struct json_out *j, const char *path)
{
	static const char plain[] = "-._~/!$&'()*+,;=@";
	struct strbuf uri = STRBUF_INIT;
	bool scheme = path[0] == '/';

	strbuf_add(&uri, scheme ? "file://" : "");
	for (const unsigned char *c = (const unsigned char *)path; *c; c++) {
		if ((*c < 128 && isalnum(*c)) || strchr(plain, *c))
			strbuf_add_char(&uri, (char)*c);
		else
			strbuf_addf(&uri, "%%%02X", *c);
	}
	json_out_string(j, "uri", uri.text);
	strbuf_free(&uri);
}

static void add_place(struct json_out *j, const struct finding_place *p)
{
	if (p->file) {
		json_out_object_begin(j, "physicalLocation");
		json_out_object_begin(j, "artifactLocation");
		add_uri(j, p->file);
		json_out_object_end(j);
		json_out_object_begin(j, "region");
		json_out_uint(j, "startLine", p->line > 0 ? p->line : 1);
		if (p->column > 0)
			json_out_uint(j, "startColumn", p->column);
		json_out_object_end(j);
		json_out_object_end(j);
	}
	if (p->function) {
		json_out_array_begin(j, "logicalLocations");
		json_out_object_begin(j, NULL);
		json_out_string(j, "name", p->function);
		json_out_string(j, "kind", "function");
		json_out_object_end(j);
		json_out_array_end(j);
	}
}

static void add_locations(struct json_out *j, const char *name, const struct finding *f,
			  size_t from, size_t to)
{
	json_out_array_begin(j, name);
	for (size_t i = from; i < to && i < f->events.count; i++) {
		json_out_object_begin(j, NULL);
		/* Locations of a list must differ; these do, whatever they say. */
		json_out_uint(j, "id", i);
		add_place(j, &f->events.items[i].at);
		add_text(j, "message", f->events.items[i].text);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void add_stack(struct json_out *j, const struct finding_event *e, size_t number)
{
	json_out_object_begin(j, NULL);
	add_text(j, "message", e->text);
	json_out_array_begin(j, "frames");
	for (size_t i = 0; i < e->stack.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_object_begin(j, "location");
		add_place(j, &e->stack.items[i]);
		json_out_object_end(j);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_object_begin(j, "properties");
	json_out_uint(j, "location", number);
	json_out_object_end(j);
	json_out_object_end(j);
}

static void add_stacks(struct json_out *j, const struct finding *f)
{
	json_out_array_begin(j, "stacks");
	for (size_t i = 0; i < f->events.count; i++)
		if (f->events.items[i].stack.count > 0)
			add_stack(j, &f->events.items[i], i);
	json_out_array_end(j);
}

/* The steps of the thread of step `first', with their place in the order of all. */
static void add_thread_flow(struct json_out *j, const struct finding *f, size_t first)
{
	const char *thread = f->flow.items[first].thread;

	json_out_object_begin(j, NULL);
	json_out_string(j, "id", thread);
	json_out_array_begin(j, "locations");
	for (size_t i = first; i < f->flow.count; i++) {
		if (strcmp(f->flow.items[i].thread, thread) != 0)
			continue;
		json_out_object_begin(j, NULL);
		json_out_object_begin(j, "location");
		add_place(j, &f->flow.items[i].at);
		add_text(j, "message", f->flow.items[i].text);
		json_out_object_end(j);
		json_out_uint(j, "executionOrder", i + 1);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_object_end(j);
}

static bool is_first_of_thread(const struct finding *f, size_t at)
{
	for (size_t i = 0; i < at; i++)
		if (strcmp(f->flow.items[i].thread, f->flow.items[at].thread) == 0)
			return false;
	return true;
}

/* One execution: one code flow, with a thread flow per thread. */
static void add_flow(struct json_out *j, const struct finding *f)
{
	if (f->flow.count == 0)
		return;
	json_out_array_begin(j, "codeFlows");
	json_out_object_begin(j, NULL);
	json_out_array_begin(j, "threadFlows");
	for (size_t i = 0; i < f->flow.count; i++)
		if (is_first_of_thread(f, i))
			add_thread_flow(j, f, i);
	json_out_array_end(j);
	json_out_object_end(j);
	json_out_array_end(j);
}

static void add_suppression(struct json_out *j)
{
	json_out_array_begin(j, "suppressions");
	json_out_object_begin(j, NULL);
	json_out_string(j, "kind", "external");
	json_out_object_end(j);
	json_out_array_end(j);
}

static void add_result(struct json_out *j, const struct finding *f)
{
	static const char *const levels[] = {
		[FINDING_ERROR] = "error",
		[FINDING_WARNING] = "warning",
		[FINDING_UNDECIDED] = "note",
	};

	json_out_object_begin(j, NULL);
	json_out_string(j, "ruleId", f->rule);
	json_out_string(j, "level", levels[f->level]);
	add_text(j, "message", f->message);
	add_locations(j, "locations", f, 0, 1);
	add_locations(j, "relatedLocations", f, 1, f->events.count);
	add_stacks(j, f);
	add_flow(j, f);
	if (f->suppressed)
		add_suppression(j);
	if (f->bundle) {
		json_out_object_begin(j, "properties");
		json_out_string(j, "bundle", f->bundle);
		json_out_object_end(j);
	}
	json_out_object_end(j);
}

void report_sarif_write(const struct findings *all, const char *command, const char *version,
			struct strbuf *to)
{
	struct json_out j;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "$schema", SCHEMA);
	json_out_string(&j, "version", "2.1.0");
	json_out_array_begin(&j, "runs");
	json_out_object_begin(&j, NULL);
	add_tool(&j, all, command, version);
	json_out_array_begin(&j, "results");
	for (size_t i = 0; i < all->count; i++)
		if (is_result(&all->items[i]))
			add_result(&j, &all->items[i]);
	json_out_array_end(&j);
	json_out_object_end(&j);
	json_out_array_end(&j);
	json_out_object_end(&j);
	strbuf_add_char(to, '\n');
}
