#include "stable/launch.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/mem.h"

/* Looks for an interpreter among the program headers: a static program has none. */
static int check_headers(FILE *f, const Elf64_Ehdr *h, const char *path, struct err *e)
{
	for (int i = 0; i < h->e_phnum; i++) {
		Elf64_Phdr p;
		if (fseek(f, (long)(h->e_phoff + (uint64_t)i * h->e_phentsize), SEEK_SET) != 0 ||
		    fread(&p, sizeof(p), 1, f) != 1)
			return err_set(e, ERR_FORMAT, "%s is truncated", path);
		if (p.p_type == PT_INTERP)
			return 0;
	}
	return err_set(e, ERR_UNSUPPORTED,
		       "%s is statically linked: nothing can be preloaded into it; "
		       "link it dynamically",
		       path);
}

static int check_elf(FILE *f, const char *path, struct err *e)
{
	Elf64_Ehdr h;
	size_t n = fread(&h, 1, sizeof(h), f);
	/* A script: its interpreter is what runs. */
	if (n >= 2 && memcmp(&h, "#!", 2) == 0)
		return 0;
	if (n < sizeof(h) || memcmp(h.e_ident, ELFMAG, SELFMAG) != 0)
		return err_set(e, ERR_FORMAT, "%s is not an executable program", path);
	if (h.e_ident[EI_CLASS] != ELFCLASS64 || h.e_machine != EM_X86_64)
		return err_set(e, ERR_UNSUPPORTED, "%s is not an x86-64 program", path);
	return check_headers(f, &h, path, e);
}

static int check_privileges(const char *path, struct err *e)
{
	struct stat st;
	if (stat(path, &st) != 0)
		return err_errno(e, ERR_IO, "%s", path);
	if (st.st_mode & (S_ISUID | S_ISGID))
		return err_set(e, ERR_UNSUPPORTED,
			       "%s is set-%s-ID: the system does not preload libraries into "
			       "privileged programs; run a copy without that bit",
			       path, st.st_mode & S_ISUID ? "user" : "group");
	if (getxattr(path, "security.capability", NULL, 0) > 0)
		return err_set(e, ERR_UNSUPPORTED,
			       "%s has file capabilities: the system does not preload libraries "
			       "into privileged programs; run a copy without them",
			       path);
	return 0;
}

int stable_launch_check(const char *program, char **path, struct err *e)
{
	*path = fs_find_program(program);
	if (!*path)
		return err_set(e, ERR_NOT_FOUND, "%s: %s", program,
			       strchr(program, '/') && access(program, F_OK) == 0
				       ? "not an executable file"
				       : "no such program");
	FILE *f = fopen(*path, "rb");
	if (!f && errno == EACCES)
		return check_privileges(*path, e);
	if (!f)
		return err_errno(e, ERR_IO, "%s", *path);
	int rc = check_elf(f, *path, e);
	fclose(f);
	return rc ? rc : check_privileges(*path, e);
}

static volatile sig_atomic_t child;

static void pass_on(int number, siginfo_t *info, void *context)
{
	/* What the terminal sends, it sends to the program as well. */
	if (child > 0 && (number != SIGINT || info->si_code != SI_KERNEL))
		kill((pid_t)child, number);
}

/* A group of its own, which does not outlive heddle; its streams. */
static void stand_apart(const struct stable_launch *l, pid_t parent)
{
	if (l->apart) {
		setpgid(0, 0);
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() != parent)
			_exit(3);
	}
	if (l->streams && l->streams[0] >= 0)
		dup2(l->streams[0], 0);
	if (l->streams && l->streams[1] >= 0) {
		dup2(l->streams[1], 1);
		dup2(l->streams[1], 2);
	}
}

static void become(struct stable_launch *l, const char *path)
{
	const char *before = getenv("LD_PRELOAD");
	char *preload =
		before && before[0] ? xasprintf("%s:%s", l->library, before) : xstrdup(l->library);
	setenv("LD_PRELOAD", preload, 1);
	/* Programs that pick a lock by the address of something need the same addresses. */
	int persona = personality(0xffffffff);
	if (!l->aslr && persona >= 0)
		personality((unsigned long)persona | ADDR_NO_RANDOMIZE);
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
	execv(path, l->argv);
	fprintf(stderr, "heddle stable: cannot start %s: %s\n", path, strerror(errno));
	_exit(3);
}

#define LOOK_NS 200000000 /* between looks for something to show at once */

/* Until the program ends; shows what must be shown meanwhile. */
static int wait_for_end(struct stable_launch *l, pid_t pid)
{
	sigset_t ended, before;
	uint32_t shown = 0;
	int rc;
	sigemptyset(&ended);
	sigaddset(&ended, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ended, &before);
	while ((rc = waitpid(pid, &l->status, WNOHANG)) == 0 || (rc < 0 && errno == EINTR)) {
		uint32_t urgent = __atomic_load_n(&l->ctl->urgent, __ATOMIC_ACQUIRE);
		if (l->urgent && urgent != shown) {
			shown = urgent;
			l->urgent(l->ctl, l->urgent_argument);
		}
		sigtimedwait(&ended, NULL, &(struct timespec){0, LOOK_NS});
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
	return rc;
}

/* The terminal sends its signals to the program as well; heddle waits for what it makes of them. */
static int supervise(struct stable_launch *l, pid_t pid, struct err *e)
{
	struct sigaction forward = {.sa_sigaction = pass_on, .sa_flags = SA_RESTART | SA_SIGINFO};
	struct sigaction ignore = {.sa_handler = SIG_IGN};
	struct sigaction old[4];
	child = pid;
	sigaction(SIGINT, &forward, &old[0]);
	sigaction(SIGQUIT, &ignore, &old[1]);
	sigaction(SIGTERM, &forward, &old[2]);
	sigaction(SIGHUP, &forward, &old[3]);
	int rc = wait_for_end(l, pid);
	child = 0;
	sigaction(SIGINT, &old[0], NULL);
	sigaction(SIGQUIT, &old[1], NULL);
	sigaction(SIGTERM, &old[2], NULL);
	sigaction(SIGHUP, &old[3], NULL);
	return rc < 0 ? err_errno(e, ERR_INTERNAL, "waiting for the program") : 0;
}

static int make_ctl(struct stable_launch *l, char *name, struct err *e)
{
	int fd = mkstemp(name);
	/* Space that is there: a full disk would otherwise kill the program in the middle. */
	if (fd >= 0)
		errno = posix_fallocate(fd, 0, sizeof(*l->ctl));
	if (fd < 0 || errno != 0) {
		int rc = err_errno(e, ERR_IO, "cannot create %s", name);
		if (fd >= 0)
			close(fd);
		return rc;
	}
	l->ctl = mmap(NULL, sizeof(*l->ctl), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (l->ctl == MAP_FAILED) {
		l->ctl = NULL;
		return err_errno(e, ERR_IO, "cannot map %s", name);
	}
	return 0;
}

int stable_launch_begin(struct stable_launch *l, const char *path, struct err *e)
{
	pid_t parent = getpid();
	l->ctl_path = fs_temporary_pattern("heddle-stable");
	int rc = make_ctl(l, l->ctl_path, e);
	if (rc != 0)
		return rc;
	setenv("HEDDLE_STABLE_CTL", l->ctl_path, 1);
	fflush(NULL);
	l->pid = fork();
	if (l->pid == 0) {
		stand_apart(l, parent);
		become(l, path);
	}
	return l->pid < 0 ? err_errno(e, ERR_INTERNAL, "fork") : 0;
}

void stable_launch_end(struct stable_launch *l)
{
	unsetenv("HEDDLE_STABLE_CTL");
	if (l->ctl)
		unlink(l->ctl_path);
	free(l->ctl_path);
	l->ctl_path = NULL;
}

int stable_launch_run(struct stable_launch *l, const char *path, struct err *e)
{
	int rc = stable_launch_begin(l, path, e);
	if (rc == 0)
		rc = supervise(l, l->pid, e);
	stable_launch_end(l);
	return rc;
}

void stable_launch_free(struct stable_launch *l)
{
	if (l->ctl)
		munmap(l->ctl, sizeof(*l->ctl));
	l->ctl = NULL;
}
