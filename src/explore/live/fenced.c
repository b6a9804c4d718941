#include "explore/live/fenced.h"

#include <stdbool.h>

static bool has_fence(const struct wire_job *job, uint32_t site, enum wire_fence_kind kind)
{
	for (uint32_t i = 0; i < job->fence_count && i < WIRE_MAX_FENCES; i++)
		if (job->fences[i].site == site && job->fences[i].kind == (uint32_t)kind)
			return true;
	return false;
}

/* Of a thread that stands at an operation, kind and aux share a word. */
static bool is_pending_issue(const struct wire_event *ev)
{
	return ev->kind == EVENT_PENDING && (ev->aux & 0xff) == EVENT_ISSUE;
}

static void write_event(struct check_fenced *out, const struct wire_job *job, struct wire_event ev)
{
	struct wire_event drain = {
		.kind = EVENT_DRAIN, .tid = ev.tid, .tix = ev.tix, .site = ev.site};
	bool issues = ev.kind == EVENT_ISSUE;

	if ((issues || is_pending_issue(&ev)) && has_fence(job, ev.site, FENCE_RELEASE)) {
		uint32_t shift = issues ? 0 : 8;

		ev.aux = (ev.aux & ~(7u << shift)) | (uint32_t)ORDER_RELEASE << shift;
	}
	vec_push(out, ev);
	if (issues && has_fence(job, ev.site, FENCE_FULL))
		vec_push(out, drain);
}

void check_fenced_write(struct check_fenced *out, const struct wire_job *job,
			const struct wire_event *events, size_t n)
{
	vec_clear(out);
	for (size_t i = 0; i < n; i++)
		write_event(out, job, events[i]);
}
