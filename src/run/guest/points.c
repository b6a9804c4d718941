#include "run/guest/points.h"

#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "base/proc.h"

void run_points_fini(struct run_points *p)
{
	for (size_t i = 0; i < p->marks.count; i++)
		free(p->marks.items[i].words);
	vec_free(&p->marks);
	vec_free(&p->ends);
	vec_free(&p->sites);
}

static int read_unit(struct run_points *p, const char **at, const char *end, struct err *e)
{
	struct trace_marks m;
	uint32_t sites;

	if ((size_t)(end - *at) < sizeof(m.head))
		goto bad;
	memcpy(&m.head, *at, sizeof(m.head));
	*at += sizeof(m.head);
	if (m.head.magic != RECORD_MARKS_MAGIC ||
	    m.head.words != m.head.points / 64 + (m.head.points % 64 != 0) ||
	    (size_t)(end - *at) / 8 < m.head.words)
		goto bad;
	m.words = xcalloc(m.head.words + 1, 8);
	memcpy(m.words, *at, (size_t)m.head.words * 8);
	*at += (size_t)m.head.words * 8;
	vec_push(&p->marks, m);
	if ((size_t)(end - *at) < sizeof(sites))
		goto bad;
	memcpy(&sites, *at, sizeof(sites));
	*at += sizeof(sites);
	if ((size_t)(end - *at) / sizeof(struct record_point) < sites)
		goto bad;
	for (uint32_t i = 0; i < sites; i++, *at += sizeof(struct record_point)) {
		struct record_point point;

		memcpy(&point, *at, sizeof(point));
		vec_push(&p->sites, point);
	}
	vec_push(&p->ends, (uint32_t)p->sites.count);
	return 0;
bad:
	return err_set(e, ERR_FORMAT, "heddle-deps gave a damaged table of points");
}

int run_points_read(struct run_points *p, const char *program, struct err *e)
{
	char *dir = fs_self_dir(), *tool = fs_join(dir, "heddle-deps");
	char *argv[] = {tool, (char *)"--points", (char *)program, NULL};
	struct proc_result out = {.out = NULL};
	const char *at, *end;
	int rc = proc_run(argv, PROC_CAPTURE, &out, e);

	if (!rc && proc_exit_code(out.status))
		rc = err_set(e, ERR_TOOL, "heddle-deps cannot read %s", program);
	at = out.out;
	end = at ? at + out.out_bytes : NULL;
	while (!rc && at < end)
		rc = read_unit(p, &at, end, e);
	free(out.out);
	free(tool);
	free(dir);
	return rc;
}

const struct record_point *run_points_find(const struct run_points *p, uint32_t site,
					   uint32_t *unit)
{
	if (site >= p->sites.count || p->sites.items[site].point == RECORD_NO_POINT)
		return NULL;
	*unit = 0;
	while (site >= p->ends.items[*unit])
		++*unit;
	return &p->sites.items[site];
}
