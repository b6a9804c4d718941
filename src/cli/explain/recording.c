#include "cli/explain/recording.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/strbuf.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/out.h"

/* A name in the directory that is free: reproduce keeps a bundle under exactly this name. */
static int place_for(const char *recording, const char *out, char **name, struct err *e)
{
	const char *base = strrchr(recording, '/');
	struct strbuf stem = STRBUF_INIT;
	struct cli_out o;
	int rc;

	strbuf_addf(&stem, "%s-reproduced", base && base[1] ? base + 1 : recording);
	for (char *c = stem.text; *c; c++)
		*c = *c == '/' || *c == '.' ? '-' : *c;
	rc = cli_out_init(&o, out, stem.text, e);
	strbuf_free(&stem);
	if (rc != 0)
		return rc;
	rc = cli_out_place(&o, name, e);
	cli_out_fini(&o);
	return rc;
}

int cli_explain_reproduce(const char *recording, const char *out, char **bundle, struct err *e)
{
	char *words[5] = {NULL};
	int saved, code, rc = place_for(recording, out, bundle, e);

	if (rc != 0)
		return cli_exit_error("explain", e);
	words[0] = xstrdup("reproduce");
	words[1] = xstrdup("-o");
	words[2] = xstrdup(*bundle);
	words[3] = xstrdup(recording);
	fflush(stdout);
	saved = dup(STDOUT_FILENO);
	dup2(STDERR_FILENO, STDOUT_FILENO);
	code = cmd_reproduce_run(4, words);
	fflush(stdout);
	if (saved >= 0) {
		dup2(saved, STDOUT_FILENO);
		close(saved);
	}
	for (int i = 0; i < 4; i++)
		free(words[i]);
	return code;
}
