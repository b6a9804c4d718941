/* heddle-analyze asked. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/proc.h"
#include "cli/analyze/run.h"

int cli_analyze_ask(const struct cli_analyze_opts *o, const char *program,
		    const struct limit *limit, struct analysis *a, struct err *e)
{
	char *here = fs_self_dir(), *tool = fs_join(here, "heddle-analyze");
	uint64_t now = limit_now();
	char *what = o->slice ? xasprintf("slice=%s", o->slice) : xstrdup(o->all ? "all" : "races");
	char time[32];
	char *argv[] = {tool, (char *)program, what, time, (char *)o->schedule, NULL};
	struct proc_result r = {0};
	int rc, code;

	snprintf(time, sizeof(time), "%" PRIu64,
		 limit->end_ns ? limit->end_ns > now ? limit->end_ns - now : 1 : 0);
	if (isatty(2) && !o->exec.quiet)
		fprintf(stderr, "looking at the code ...\r");
	rc = proc_run(argv, PROC_CAPTURE, &r, e);
	if (isatty(2) && !o->exec.quiet)
		fprintf(stderr, "\033[K");
	code = rc == 0 ? proc_exit_code(r.status) : 0;
	if (rc == 0 && code == 2)
		rc = err_set(e, ERR_USAGE, "%s: no code that may run is at %s", program, o->slice);
	else if (rc == 0 && code == 3)
		rc = err_set(e, ERR_UNSUPPORTED, "%s could not be analysed", program);
	else if (rc == 0 && code != 0)
		rc = err_set(e, ERR_TOOL, "heddle-analyze ended early (%d)", code);
	if (rc == 0) {
		rc = analysis_read(a, r.out, r.out_bytes, e);
		if (rc != 0)
			err_wrap(e, "the answer of heddle-analyze");
	}
	free(what);
	free(r.out);
	free(tool);
	free(here);
	return rc;
}
