/* heddle-cc and heddle-c++: one program, its name says which language it drives. */
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "cc/exec.h"
#include "cc/parts.h"
#include "cc/plan.h"
#include "cc/scan.h"

static bool is_cxx(const char *program)
{
	size_t n = strlen(program);

	return n >= 2 && !strcmp(program + n - 2, "++");
}

static void print_help(const char *name)
{
	printf("usage: %s [options] FILE...\n"
	       "       %s --extract-bitcode PROGRAM -o FILE\n"
	       "       %s --derive PROGRAM -o FILE\n\n"
	       "Compiles and links %s for use with heddle; options as for clang 19, and\n\n"
	       "      --flavor=NAME       what is instrumented: check, record, paths, coop, stable\n"
	       "                          [check]\n"
	       "      --mark=all          flavor record: record every point, not only those needed\n"
	       "      --elements=FILE     flavor coop: record the shared elements named in FILE\n"
	       "      --extract-bitcode PROGRAM\n"
	       "                          write the bitcode kept in a program as one module\n"
	       "      --derive PROGRAM    build a program of another flavour again (for check)\n"
	       "      --help              this text\n",
	       name, name, name, is_cxx(name) ? "C++" : "C");
}

static int exit_code(int rc)
{
	return rc == ERR_USAGE ? 2 : 3;
}

int main(int argc, char **argv)
{
	const char *slash = argc ? strrchr(argv[0], '/') : NULL;
	const char *name = slash ? slash + 1 : argc ? argv[0] : "heddle-cc";
	const char *log = getenv("HEDDLE_LOG");
	struct err e = ERR_INIT;
	struct cc_parts parts = {NULL, NULL, NULL};
	struct cc_plan plan = {0};
	struct cc_scan scan;
	int status = 0, rc;

	if (log && log_configure(log))
		fprintf(stderr, "%s: HEDDLE_LOG is malformed\n", name);
	rc = cc_scan(&scan, is_cxx(name), argc ? argv + 1 : argv, &e);
	if (!rc && scan.mode == CC_HELP) {
		print_help(name);
		cc_scan_fini(&scan);
		return 0;
	}
	if (!rc)
		rc = cc_parts_find(&parts, scan.cxx, &e);
	if (!rc)
		rc = cc_plan(&plan, &scan, &parts, &e);
	for (size_t i = 0; !rc && i < scan.warnings.count; i++)
		fprintf(stderr, "%s: warning: %s\n", name, scan.warnings.items[i]);
	if (!rc)
		rc = cc_exec(&plan, scan.verbose, &status, &e);
	if (rc)
		fprintf(stderr, "%s: %s\n", name, e.text);
	cc_plan_fini(&plan);
	cc_parts_fini(&parts);
	cc_scan_fini(&scan);
	return rc ? exit_code(rc) : status;
}
