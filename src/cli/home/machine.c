#include "cli/home/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"
#include "base/proc.h"
#include "base/strbuf.h"
#include "cli/version.h"
#include "record/pt.h"
#include "solve/backend.h"

static void add(struct machine *m, const char *name, enum machine_state state, const char *mend,
		const char *format, ...) __attribute__((format(printf, 5, 6)));

static void add(struct machine *m, const char *name, enum machine_state state, const char *mend,
		const char *format, ...)
{
	struct machine_fact f = {.name = name, .state = state, .mend = mend};
	va_list args;

	va_start(args, format);
	f.text = xvasprintf(format, args);
	va_end(args);
	vec_push(&m->facts, f);
}

void machine_fini(struct machine *m)
{
	for (size_t i = 0; i < m->facts.count; i++)
		free(m->facts.items[i].text);
	vec_free(&m->facts);
}

static void look_at_heddle(struct machine *m)
{
	static const char *const parts[] = {"heddle-cc",
					    "heddle-c++",
					    "heddle-solve",
					    "heddle-deps",
					    "../lib/heddle/libheddle.so",
					    "../lib/heddle/libheddle-record.so",
					    "../lib/heddle/libheddle-stable.so"};
	char *dir = fs_self_dir();
	struct strbuf missing = STRBUF_INIT;

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		char *path = fs_join(dir, parts[i]);

		if (!fs_exists(path))
			strbuf_addf(&missing, "%s%s", missing.length ? ", " : "", parts[i]);
		free(path);
	}
	if (missing.length)
		add(m, "heddle", MACHINE_MISSING, "install heddle again, as a whole",
		    "%s in %s, without %s", HEDDLE_VERSION, dir, missing.text);
	else
		add(m, "heddle", MACHINE_OK, NULL, "%s in %s", HEDDLE_VERSION, dir);
	strbuf_free(&missing);
	free(dir);
}

static void look_at_machine(struct machine *m)
{
	struct utsname u;
	struct sysinfo info;

	if (uname(&u) == 0)
		add(m, "kernel", strcmp(u.machine, "x86_64") == 0 ? MACHINE_OK : MACHINE_MISSING,
		    "heddle is for x86-64", "%s %s, %s", u.sysname, u.release, u.machine);
	if (sysinfo(&info) == 0)
		add(m, "memory", MACHINE_OK, NULL, "%ld processors, %llu MB of memory",
		    sysconf(_SC_NPROCESSORS_ONLN),
		    (unsigned long long)info.totalram * info.mem_unit >> 20);
	if (fs_exists("/.dockerenv") || fs_exists("/run/.containerenv"))
		add(m, "container", MACHINE_OK, NULL,
		    "yes: what is missing below may be the container's doing");
}

static void look_at_clang(struct machine *m)
{
	const char *given = getenv("HEDDLE_CLANG");
	char *path = fs_find_program(given && given[0] ? given : "clang-19");

	if (path)
		add(m, "clang", MACHINE_OK, NULL, "%s", path);
	else
		add(m, "clang", MACHINE_MISSING,
		    "apt-get install clang-19 libclang-rt-19-dev lld-19",
		    "%s is not here: heddle cc is built on it", given ? given : "clang-19");
	free(path);
}

/* Threads run at fixed addresses: their randomisation is switched off for the program. */
static void look_at_addresses(struct machine *m)
{
	pid_t pid = fork();
	int status = -1;

	if (pid == 0)
		_exit(personality(ADDR_NO_RANDOMIZE) == -1 ? 1 : 0);
	if (pid > 0 && waitpid(pid, &status, 0) == pid && status == 0)
		add(m, "addresses", MACHINE_OK, NULL, "the same in every run");
	else
		add(m, "addresses", MACHINE_NO,
		    "allow personality(2): docker run --security-opt seccomp=unconfined",
		    "personality(ADDR_NO_RANDOMIZE) is not allowed");
}

static void look_at_filter(struct machine *m)
{
	if (prctl(PR_GET_SECCOMP, 0, 0, 0, 0) >= 0 || errno != EINVAL)
		add(m, "seccomp", MACHINE_OK, NULL, "system calls of a program can be caught");
	else
		add(m, "seccomp", MACHINE_NO, "a kernel with CONFIG_SECCOMP_FILTER",
		    "not in this kernel: --engine=fork is used instead of reset");
}

static long read_number(const char *path, long otherwise)
{
	FILE *f = fopen(path, "re");
	long n = otherwise;

	if (f && fscanf(f, "%ld", &n) != 1)
		n = otherwise;
	if (f)
		fclose(f);
	return n;
}

static void look_at_gdb(struct machine *m)
{
	char *path = fs_find_program("gdb");
	long scope = read_number("/proc/sys/kernel/yama/ptrace_scope", 0);

	if (!path)
		add(m, "gdb", MACHINE_NO, "apt-get install gdb",
		    "not here: no heddle replay --gdb");
	else if (scope > 1 && geteuid() != 0)
		add(m, "gdb", MACHINE_NO, "sysctl kernel.yama.ptrace_scope=1",
		    "%s, but kernel.yama.ptrace_scope is %ld", path, scope);
	else
		add(m, "gdb", MACHINE_OK, NULL, "%s", path);
	free(path);
}

static void look_at_solver(struct machine *m)
{
	if (solve_backend_has_z3())
		add(m, "z3", MACHINE_OK, NULL, "libz3 is here");
	else
		add(m, "z3", MACHINE_NO, "apt-get install libz3-4",
		    "not here: some questions of reproduce and predict stay open");
}

static void look_at_perf(struct machine *m)
{
	struct perf_event_attr a = {.type = PERF_TYPE_SOFTWARE,
				    .size = sizeof(a),
				    .config = PERF_COUNT_SW_TASK_CLOCK,
				    .exclude_kernel = 1};
	int fd = (int)syscall(SYS_perf_event_open, &a, 0, -1, -1, 0);
	struct err e = ERR_INIT;

	if (fd >= 0)
		add(m, "perf", MACHINE_OK, NULL, "perf_event_open works");
	else
		add(m, "perf", MACHINE_NO,
		    "sysctl kernel.perf_event_paranoid=1, and CAP_PERFMON in containers",
		    "perf_event_open: %s", strerror(errno));
	if (fd >= 0)
		close(fd);
	if (record_pt_available(&e) == 0)
		add(m, "intel-pt", MACHINE_OK, NULL,
		    "control flow can be recorded by the processor");
	else
		add(m, "intel-pt", MACHINE_NO, "nothing is lost: heddle record --backend=bits",
		    "%s", e.text);
}

/* ---- a small program ---- */

static const char source[] = "#include <assert.h>\n"
			     "#include <pthread.h>\n"
			     "static int n;\n"
			     "static void *work(void *a) { n++; return a; }\n"
			     "int main(void)\n"
			     "{\n"
			     "	pthread_t t, u;\n"
			     "	pthread_create(&t, 0, work, 0);\n"
			     "	pthread_create(&u, 0, work, 0);\n"
			     "	pthread_join(t, 0);\n"
			     "	pthread_join(u, 0);\n"
			     "	assert(n == 2);\n"
			     "	return 0;\n"
			     "}\n";

/* Runs heddle with these words; its exit code, and the last line it printed. */
static int run_heddle(const char *const *words, char *last, size_t bytes)
{
	char *argv[12] = {(char *)"/proc/self/exe"};
	struct proc_result r = {0};
	struct err e = ERR_INIT;
	int code = 3;

	for (size_t i = 0; words[i] && i < 10; i++)
		argv[i + 1] = (char *)words[i];
	snprintf(last, bytes, "%s", "");
	if (proc_run(argv, PROC_CAPTURE | PROC_MERGE, &r, &e) == 0) {
		code = proc_exit_code(r.status);
		for (char *at = NULL, *line = strtok_r(r.out, "\n", &at); line;
		     line = strtok_r(NULL, "\n", &at))
			snprintf(last, bytes, "%s", line);
	} else {
		snprintf(last, bytes, "%s", e.text);
	}
	free(r.out);
	return code;
}

/* From source to replay, in a directory of its own. */
static void try_all(struct machine *m, const char *dir)
{
	char *c = fs_join(dir, "try.c"), *program = fs_join(dir, "try"), *out = fs_join(dir, "out");
	char *bundle = fs_join(dir, "out/try-1.heddle");
	const char *const compile[] = {"cc", "-g", "-pthread", "-o", program, c, NULL};
	const char *const check[] = {"check", "--config=none", "--runs=1000", "-o",
				     out,     program,	       NULL};
	const char *const replay[] = {"replay", "--config=none", "--times=10", bundle, NULL};
	struct err e = ERR_INIT;
	char last[300];

	if (fs_write_file(c, source, sizeof(source) - 1, &e) != 0)
		add(m, "trial", MACHINE_MISSING, "room in TMPDIR or /tmp", "%s", e.text);
	else if (run_heddle(compile, last, sizeof(last)) != 0)
		add(m, "compile", MACHINE_MISSING, "see what it says", "heddle cc: %s", last);
	else if (run_heddle(check, last, sizeof(last)) != 1)
		add(m, "check", MACHINE_MISSING, "see what it says", "heddle check: %s", last);
	else if (run_heddle(replay, last, sizeof(last)) != 1)
		add(m, "replay", MACHINE_MISSING, "see what it says", "heddle replay: %s", last);
	else
		add(m, "trial", MACHINE_OK, NULL, "a lost update compiled, found and replayed: %s",
		    last);
	fs_remove_flat_dir(bundle, NULL);
	rmdir(out);
	free(bundle);
	free(out);
	free(program);
	free(c);
}

static void try_program(struct machine *m)
{
	struct err e = ERR_INIT;
	char *dir;

	if (fs_make_temporary_dir("heddle-doctor", &dir, &e)) {
		add(m, "trial", MACHINE_MISSING, "a TMPDIR that can be written", "%s", e.text);
	} else {
		try_all(m, dir);
		fs_remove_flat_dir(dir, NULL);
	}
	free(dir);
}

void machine_look(struct machine *m)
{
	look_at_heddle(m);
	look_at_machine(m);
	look_at_clang(m);
	look_at_addresses(m);
	look_at_filter(m);
	look_at_gdb(m);
	look_at_solver(m);
	look_at_perf(m);
	try_program(m);
}
