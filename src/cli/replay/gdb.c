#include "cli/replay/gdb.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/vec.h"
#include "cli/place.h"

/*
 * The program is started by us and not by gdb, because gdb changes argv[0] and the environment, and
 * with them every address on the first stack.  It is attached to before its first instruction;
 * SIGSYS is how the guest library notices system calls and means nothing to the user.
 */
static const char *const before[] = {
	"-q",
	"-iex",
	"set auto-load safe-path /",
	"-iex",
	"set confirm off",
	"-iex",
	"handle SIGSTOP nostop noprint nopass",
	"-iex",
	"handle SIGSYS nostop noprint pass",
	"-ex",
	"tbreak main",
	"-ex",
	"continue",
};

int cli_gdb_find(char **path, struct err *e)
{
	*path = fs_find_program("gdb");
	if (!*path)
		return err_set(e, ERR_TOOL, "gdb is not installed (Debian: apt install gdb)");
	return 0;
}

int cli_gdb_exec(const char *gdb, pid_t pid, char *const *words, struct err *e)
{
	VEC(char *) argv = VEC_INIT;
	char *attach = xasprintf("--pid=%d", (int)pid);
	const char *sources = cli_place_sources();
	char *directory = xasprintf("directory %s", sources ? sources : "");

	vec_push(&argv, (char *)gdb);
	vec_push(&argv, attach);
	for (size_t i = 0; i < sizeof(before) / sizeof(before[0]); i++)
		vec_push(&argv, (char *)before[i]);
	if (sources) {
		vec_push(&argv, (char *)"-iex");
		vec_push(&argv, directory);
	}
	for (; *words; words++)
		vec_push(&argv, *words);
	vec_push(&argv, NULL);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execv(gdb, argv.items);
	err_errno(e, ERR_TOOL, "cannot start %s", gdb);
	kill(pid, SIGKILL);
	vec_free(&argv);
	free(attach);
	free(directory);
	return ERR_TOOL;
}
