#include "run/guest/keep.h"

#include <inttypes.h>
#include <string.h>

#include "base/mem.h"
#include "trace/bundle/capture.h"

static void keep_words(struct trace_meta *m, const struct run_program *p)
{
	for (size_t i = 0; p->argv[i]; i++)
		vec_push(&m->argv, xstrdup(p->argv[i]));
	for (size_t i = 0; p->envp[i]; i++)
		vec_push(&m->environ, xstrdup(p->envp[i]));
}

/* The run was made again from its choices; the bundle names the search that found it. */
static void keep_job(struct trace_meta *m, const struct wire_job *job)
{
	m->strategy = job->strategy;
	m->model = job->model;
	m->bound = job->bound;
	m->seed = job->seed;
	m->max_steps = job->max_steps;
	m->expected_steps = job->expected_steps;
	m->flags |= job->flags & (JOB_NATURE | JOB_DELAY_BOUND);
}

/* The schedule holds without them as well; a reader should know why it looks so orderly. */
static void keep_fences(struct trace_bundle *b, const struct wire_job *job)
{
	for (uint32_t i = 0; i < job->fence_count && i < WIRE_MAX_FENCES; i++) {
		const struct trace_site *s = trace_sites_find(&b->sites, job->fences[i].site);
		struct strbuf place = STRBUF_INIT;

		if (s)
			trace_site_place(s, true, &place);
		else
			strbuf_addf(&place, "site %" PRIu32, job->fences[i].site);
		vec_push(&b->notes,
			 xasprintf("run as if there were a %s the store at %s",
				   job->fences[i].kind == FENCE_FULL ? "full fence after"
								     : "release fence before",
				   place.text));
		strbuf_free(&place);
	}
}

static void keep_output(struct trace_output *out, const struct run_result *r)
{
	if (!r->output)
		return;
	out->out = xmalloc(r->output_bytes + 1);
	memcpy(out->out, r->output, r->output_bytes + 1);
	out->out_bytes = r->output_bytes;
}

static const char *find_note(const struct trace_bundle *b, const char *beginning)
{
	size_t length = strlen(beginning);

	for (size_t i = 0; i < b->notes.count; i++)
		if (strncmp(b->notes.items[i], beginning, length) == 0)
			return b->notes.items[i] + length;
	return NULL;
}

const char *run_keep_input(const struct trace_bundle *b)
{
	return find_note(b, RUN_KEEP_INPUT);
}

const char *run_keep_inputs(const struct trace_bundle *b)
{
	return find_note(b, RUN_KEEP_INPUTS);
}

int run_keep(struct trace_bundle *b, const struct run_guest *g, const struct run_keep *k,
	     struct err *e)
{
	const struct run_ctl *ctl = run_guest_ctl(g);
	int rc;

	run_ctl_name_executable(ctl, k->program->path);
	rc = trace_capture(b, ctl->block, ctl->bytes, false, e);

	if (rc != 0)
		return err_wrap(e, "cannot take over the recording");
	b->meta.tool_version = xstrdup(k->tool_version);
	b->meta.program = xstrdup(k->program->path);
	b->meta.cwd = xstrdup(k->program->cwd);
	keep_words(&b->meta, k->program);
	if (k->program->input)
		vec_push(&b->notes, xasprintf(RUN_KEEP_INPUT "%s", k->program->input));
	if (k->inputs)
		vec_push(&b->notes, xasprintf(RUN_KEEP_INPUTS "%s", k->inputs));
	if (k->job)
		keep_job(&b->meta, k->job);
	keep_fences(b, &ctl->block->job);
	if (k->result)
		keep_output(&b->output, k->result);
	rc = trace_file_id_get(&b->meta.executable, k->program->path, e);
	if (rc != 0)
		trace_bundle_fini(b);
	return rc;
}
