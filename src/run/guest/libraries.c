#include "run/guest/libraries.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/proc.h"

#define LINKER "/lib64/ld-linux-x86-64.so.2"

/* "\tlibc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x00007f…)"; others have no arrow. */
static int take_line(char *line, struct run_words *out, struct err *e)
{
	char *arrow = strstr(line, " => "), *end;

	if (!arrow)
		return 0;
	arrow += 4;
	if (strcmp(arrow, "not found") == 0)
		return err_set(e, ERR_NOT_FOUND, "a library is missing:%.200s", line);
	end = strrchr(arrow, '(');
	if (arrow[0] != '/' || !end || end - arrow < 2)
		return 0;
	vec_push(out, xstrndup(arrow, (size_t)(end - arrow) - 1));
	return 0;
}

int run_libraries(const char *path, struct run_words *out, struct err *e)
{
	char *argv[] = {(char *)LINKER, (char *)"--list", (char *)path, NULL};
	struct proc_result result = {0};
	char *at, *line;
	int rc = proc_run(argv, PROC_CAPTURE | PROC_MERGE, &result, e);

	if (rc != 0)
		return rc;
	for (line = strtok_r(result.out, "\n", &at); rc == 0 && line;
	     line = strtok_r(NULL, "\n", &at))
		rc = take_line(line, out, e);
	if (rc == 0 && proc_exit_code(result.status) != 0)
		rc = err_set(e, ERR_FORMAT, "%s: the dynamic linker does not load it", path);
	free(result.out);
	return rc;
}
