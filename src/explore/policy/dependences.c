#include "explore/policy/dependences.h"

#include <stdlib.h>

#include "base/fs.h"
#include "base/proc.h"

int dependences_make(const char *binary, struct static_deps **out, struct err *e)
{
	char *dir = fs_self_dir(), *tool = fs_join(dir, "heddle-deps");
	char *argv[] = {tool, (char *)binary, NULL};
	struct proc_result r = {0};
	int rc = proc_run(argv, PROC_CAPTURE, &r, e);

	if (rc == 0 && proc_exit_code(r.status) != 0)
		rc = err_set(e, ERR_UNSUPPORTED, "%s does not know the dependences of %s", tool,
			     binary);
	if (rc == 0)
		rc = static_deps_parse(r.out, r.out_bytes, out, e);
	free(r.out);
	free(tool);
	free(dir);
	return rc;
}
