#include "run/guest/rebuild.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/proc.h"

/* The last line of what the tool said is what it complains about. */
static const char *last_line(char *text)
{
	size_t n = text ? strlen(text) : 0;
	const char *line;

	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	line = n ? strrchr(text, '\n') : NULL;
	return line ? line + 1 : n ? text : "it says nothing";
}

int run_rebuild(const char *program, const char *flavor, const char *to, const char *what_for,
		struct err *e)
{
	return run_rebuild_with(program, flavor, NULL, to, what_for, e);
}

/* Another heddle may be building, or running, the same: nobody meets a half-written program. */
static int put_in_place(const char *made, const char *to, struct err *e)
{
	if (rename(made, to) == 0)
		return 0;
	unlink(made);
	return err_errno(e, ERR_IO, "cannot write %s", to);
}

int run_rebuild_with(const char *program, const char *flavor, const char *option, const char *to,
		     const char *what_for, struct err *e)
{
	char *dir = fs_self_dir(), *tool = fs_join(dir, "heddle-cc");
	char *word = xasprintf("--flavor=%s", flavor);
	char *made = xasprintf("%s.tmp.%d", to, (int)getpid());
	char *argv[] = {tool, word, "--derive", (char *)program, "-o", made, (char *)option, NULL};
	struct proc_result r = {.out = NULL};
	int rc = proc_run(argv, PROC_CAPTURE | PROC_MERGE, &r, e);

	if (!rc && proc_exit_code(r.status)) {
		const char *line = last_line(r.out);

		rc = err_set(e, strstr(line, "no bitcode") ? ERR_NOT_FOUND : ERR_TOOL,
			     "%s cannot be built again to be %s: %s", program, what_for, line);
	}
	if (!rc)
		rc = put_in_place(made, to, e);
	free(r.out);
	free(made);
	free(word);
	free(tool);
	free(dir);
	return rc;
}
