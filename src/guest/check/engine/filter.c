#include "guest/check/engine/filter.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "guest/check/engine/files.h"
#include "guest/check/engine/finish.h"
#include "guest/os/sys.h"

/* Read-only or harmless whatever the arguments are. */
static const uint16_t harmless[] = {
	SYS_rt_sigreturn,   SYS_rt_sigprocmask, SYS_fstat,	 SYS_newfstatat, SYS_stat,
	SYS_lstat,	    SYS_access,		SYS_readlink,	 SYS_getcwd,
	SYS_futex,	    SYS_clock_gettime,	SYS_clock_getres, SYS_gettimeofday, SYS_time,
	SYS_getpid,	    SYS_gettid,		SYS_getppid,	 SYS_getuid,	 SYS_geteuid,
	SYS_getgid,	    SYS_getegid,	SYS_sched_yield, SYS_uname,	 SYS_sysinfo,
	SYS_getrusage,	    SYS_getcpu,		SYS_sched_getaffinity, SYS_getrandom, SYS_times,
	SYS_sched_getparam, SYS_sched_getscheduler,
};
/*
 * Harmless on the descriptors 0, 1 and 2, which the host provides and the engine rewinds.  Reading
 * is not: the engine has to know of it, see files_call().
 */
static const uint16_t on_standard[] = { SYS_write, SYS_writev };
/* Requests of ioctl that only ask. */
static const uint32_t questions[] = { TCGETS, TIOCGWINSZ, FIONREAD };

#define MAX_PROGRAM 160
static struct sock_filter program[MAX_PROGRAM];
static uint32_t length;

static void emit(uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
	program[length++] = (struct sock_filter){ code, yes, no, k };
}

static void emit_load(size_t offset)
{
	emit(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void emit_return(uint32_t verdict)
{
	emit(BPF_RET | BPF_K, verdict, 0, 0);
}

/* The address after the instruction lies in sys_call's text: allow. */
static void emit_own_calls(void)
{
	uint64_t begin = (uint64_t)sys_call_begin, end = (uint64_t)sys_call_end;
	size_t ip = offsetof(struct seccomp_data, instruction_pointer);

	emit_load(ip + 4);
	emit(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(begin >> 32), 0, 4);
	emit_load(ip);
	emit(BPF_JMP | BPF_JGE | BPF_K, (uint32_t)begin, 0, 2);
	emit(BPF_JMP | BPF_JGT | BPF_K, (uint32_t)end, 1, 0);
	emit_return(SECCOMP_RET_ALLOW);
}

static void emit_harmless(void)
{
	emit_load(offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++) {
		emit(BPF_JMP | BPF_JEQ | BPF_K, harmless[i], 0, 1);
		emit_return(SECCOMP_RET_ALLOW);
	}
}

static void emit_questions(void)
{
	size_t count = sizeof(questions) / sizeof(questions[0]);

	emit(BPF_JMP | BPF_JEQ | BPF_K, SYS_ioctl, 0, (uint8_t)(2 + 2 * count));
	emit_load(offsetof(struct seccomp_data, args[1]));
	for (size_t i = 0; i < count; i++) {
		emit(BPF_JMP | BPF_JEQ | BPF_K, questions[i], 0, 1);
		emit_return(SECCOMP_RET_ALLOW);
	}
	emit_return(SECCOMP_RET_TRAP);
}

/* prlimit() that sets nothing: what getrlimit() is. */
static void emit_limits(void)
{
	size_t wanted = offsetof(struct seccomp_data, args[2]);

	emit(BPF_JMP | BPF_JEQ | BPF_K, SYS_prlimit64, 0, 6);
	emit_load(wanted);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3);
	emit_load(wanted + 4);
	emit(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 1);
	emit_return(SECCOMP_RET_ALLOW);
	emit_return(SECCOMP_RET_TRAP);
}

static void emit_standard(void)
{
	for (size_t i = 0; i < sizeof(on_standard) / sizeof(on_standard[0]); i++) {
		emit(BPF_JMP | BPF_JEQ | BPF_K, on_standard[i], 0, 4);
		emit_load(offsetof(struct seccomp_data, args[0]));
		emit(BPF_JMP | BPF_JGT | BPF_K, 2, 1, 0);
		emit_return(SECCOMP_RET_ALLOW);
		emit_return(SECCOMP_RET_TRAP);
	}
}

int filter_install(void)
{
	struct sock_fprog prog;

	length = 0;
	emit_load(offsetof(struct seccomp_data, arch));
	emit(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
	emit_return(SECCOMP_RET_TRAP);
	emit_own_calls();
	emit_harmless();
	emit_questions();
	emit_limits();
	emit_standard();
	emit_return(SECCOMP_RET_TRAP);
	prog.len = (unsigned short)length;
	prog.filter = program;
	if (sys_call(SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0, 0) < 0)
		return -1;
	return (int)sys_call(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, (long)&prog, 0, 0, 0);
}

struct call_name {
	int number;
	const char *name;
};

static const struct call_name names[] = {
	{ SYS_openat, "openat" },     { SYS_open, "open" },	{ SYS_close, "close" },
	{ SYS_mmap, "mmap" },	      { SYS_munmap, "munmap" }, { SYS_mprotect, "mprotect" },
	{ SYS_brk, "brk" },	      { SYS_clone, "clone" },	{ SYS_clone3, "clone3" },
	{ SYS_fork, "fork" },	      { SYS_vfork, "vfork" },	{ SYS_execve, "execve" },
	{ SYS_socket, "socket" },     { SYS_pipe2, "pipe2" },	{ SYS_pipe, "pipe" },
	{ SYS_read, "read" },	      { SYS_write, "write" },	{ SYS_tgkill, "tgkill" },
	{ SYS_kill, "kill" },	      { SYS_unlink, "unlink" }, { SYS_rename, "rename" },
	{ SYS_mkdir, "mkdir" },	      { SYS_dup, "dup" },	{ SYS_dup2, "dup2" },
	{ SYS_fcntl, "fcntl" },	      { SYS_poll, "poll" },	{ SYS_nanosleep, "nanosleep" },
	{ SYS_exit_group, "exit_group" }, { SYS_rt_sigaction, "rt_sigaction" },
	{ SYS_sigaltstack, "sigaltstack" }, { SYS_epoll_wait, "epoll_wait" },
	{ SYS_eventfd2, "eventfd2" }, { SYS_clock_nanosleep, "clock_nanosleep" },
	{ SYS_prlimit64, "prlimit64" }, { SYS_madvise, "madvise" }, { SYS_mremap, "mremap" },
	{ SYS_lseek, "lseek" },	      { SYS_readv, "readv" },	{ SYS_ioctl, "ioctl" },
	{ SYS_pread64, "pread64" },   { SYS_chdir, "chdir" },	{ SYS_umask, "umask" },
	{ SYS_setitimer, "setitimer" }, { SYS_alarm, "alarm" }, { SYS_dup3, "dup3" },
	{ SYS_unlinkat, "unlinkat" }, { SYS_getdents64, "getdents64" }, { SYS_prctl, "prctl" },
};

void filter_trapped(int number, long long *registers)
{
	if (!rt_current || files_call(number, registers))
		return;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].number == number)
			finish_outcome(OUTCOME_STEPDOWN, "the system call %s", names[i].name);
	finish_outcome(OUTCOME_STEPDOWN, "system call number %d", number);
}
