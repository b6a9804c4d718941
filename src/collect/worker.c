#include "collect/worker.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/mem.h"
#include "collect/keeper.h"

#define FILE_BYTES ((rlim_t)1 << 30)
#define SECOND UINT64_C(1000000000)
#define STEP_NS 20000000
#define CANNOT 126 /* the child's exit code when it is not confined */

#define READ                                                                                       \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define ALL ((LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)
#define FILES (READ | LANDLOCK_ACCESS_FS_WRITE_FILE)

/* ---- files: after the fork, so only system calls ---- */

bool collect_worker_confined(void)
{
	return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/* What is not there needs no rule. */
static bool allow(int rules, const char *path, uint64_t access)
{
	struct landlock_path_beneath_attr rule = {.allowed_access = access};
	long rc;

	rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
	if (rule.parent_fd < 0)
		return true;
	rc = syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
	close(rule.parent_fd);
	return rc == 0;
}

static bool confine_files(const struct collect_worker *w)
{
	static const char *const system[] = {"/usr", "/lib", "/lib64", "/bin", "/etc", "/sys"};
	struct landlock_ruleset_attr all = {.handled_access_fs = ALL};
	int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof(all), 0);
	bool fine = rules >= 0;

	/* An old kernel: the collector has said so when it started. */
	if (rules < 0)
		return errno == ENOSYS || errno == EOPNOTSUPP;
	for (size_t i = 0; i < sizeof(system) / sizeof(system[0]) && fine; i++)
		fine = allow(rules, system[i], READ);
	fine = fine && allow(rules, "/proc", FILES) && allow(rules, "/dev", FILES) &&
	       allow(rules, "/dev/shm", ALL) && allow(rules, w->self, READ) &&
	       allow(rules, w->programs, READ) && allow(rules, w->dir, ALL) &&
	       syscall(SYS_landlock_restrict_self, rules, 0) == 0;
	close(rules);
	return fine;
}

/* ---- network ---- */

#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define IF_EQUAL(x, skip) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (x), 0, (skip))
#define FAIL(code) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))

/* No sockets but Unix ones, by no way: other architectures' calls end the process. */
static bool confine_network(void)
{
	static struct sock_filter program[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
		FAIL(ENOSYS),
		IF_EQUAL(SYS_io_uring_setup, 1),
		FAIL(ENOSYS),
		IF_EQUAL(SYS_socket, 3),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_UNIX, 1, 0),
		FAIL(EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	static const struct sock_fprog filter = {sizeof(program) / sizeof(program[0]), program};

	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/* ---- the process ---- */

static bool lower_limits(const struct collect_worker *w)
{
	struct rlimit file = {FILE_BYTES, FILE_BYTES}, none = {0, 0};

	(void)w;
	return setrlimit(RLIMIT_FSIZE, &file) == 0 && setrlimit(RLIMIT_CORE, &none) == 0;
}

static bool lower_user(const struct collect_worker *w)
{
	if (!w->uid)
		return true;
	/* The library's functions tell other threads, of which a child has none. */
	return syscall(SYS_setgroups, 0, NULL) == 0 &&
	       syscall(SYS_setresgid, w->gid, w->gid, w->gid) == 0 &&
	       syscall(SYS_setresuid, w->uid, w->uid, w->uid) == 0;
}

static void __attribute__((noreturn)) become(const struct collect_worker *w, char *const argv[],
					     char *const env[], int out)
{
	sigset_t none;
	pid_t keeper = getppid();
	int in = open("/dev/null", O_RDONLY);

	setpgid(0, 0);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGPIPE, SIG_DFL);
	if (in < 0 || dup2(in, 0) < 0 || dup2(out, 1) < 0 || dup2(out, 2) < 0 ||
	    syscall(SYS_close_range, 3u, ~0u, 0u) != 0 || chdir(w->dir) != 0)
		_exit(CANNOT);
	if (!lower_limits(w) || !lower_user(w) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    !confine_files(w) || !confine_network())
		_exit(CANNOT);
	/* Another user's setting is lost with the change of the user: last. */
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != keeper)
		_exit(CANNOT);
	execve(argv[0], argv, env);
	_exit(CANNOT);
}

/* In a process of its own, which outlives whatever the worker starts. */
static void __attribute__((noreturn)) keep(const struct collect_worker *w, char *const argv[],
					   char *const env[], int out, pid_t parent)
{
	pid_t worker;

	if (collect_keeper_begin(parent) || (worker = fork()) < 0)
		_exit(CANNOT);
	if (!worker)
		become(w, argv, env, out);
	/* Neither the store nor the network is open here. */
	syscall(SYS_close_range, 0u, ~0u, 0u);
	collect_keeper_keep(worker);
}

/* 0 when it ended by itself. */
static int await(const struct collect_worker *w, pid_t pid, int *status, struct err *e)
{
	struct timespec step = {.tv_nsec = STEP_NS};
	uint64_t end = clock_now_ns() + w->seconds * SECOND;
	pid_t got;

	while ((got = waitpid(pid, status, WNOHANG)) == 0 || (got < 0 && errno == EINTR)) {
		if (*w->stop || clock_now_ns() > end) {
			kill(pid, SIGTERM);
			while (waitpid(pid, status, 0) < 0 && errno == EINTR)
				;
			return err_set(e, ERR_LIMIT,
				       *w->stop ? "the collector ended" : "it took too long");
		}
		nanosleep(&step, NULL);
	}
	return got < 0 ? err_errno(e, ERR_IO, "cannot wait for a worker") : 0;
}

int collect_worker_run(const struct collect_worker *w, char *const argv[], const char *output,
		       int *status, struct err *e)
{
	char *temporary = xasprintf("TMPDIR=%s", w->dir), *home = xasprintf("HOME=%s", w->dir);
	char *cache = xasprintf("XDG_CACHE_HOME=%s", w->dir);
	char *const env[] = {"PATH=/usr/local/bin:/usr/bin:/bin",
			     "LC_ALL=C.UTF-8",
			     temporary,
			     home,
			     cache,
			     NULL};
	int out = open(output, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), rc = 0;
	pid_t pid = -1, self = getpid();

	if (out < 0)
		rc = err_errno(e, ERR_IO, "cannot write %s", output);
	else if ((pid = fork()) == 0)
		keep(w, argv, env, out, self);
	else if (pid < 0)
		rc = err_errno(e, ERR_IO, "cannot start a worker");
	else
		rc = await(w, pid, status, e);
	if (!rc && WIFEXITED(*status) && WEXITSTATUS(*status) == CANNOT)
		rc = err_set(e, ERR_TOOL, "a worker could not be confined or started");
	if (out >= 0)
		close(out);
	free(temporary);
	free(home);
	free(cache);
	return rc;
}
