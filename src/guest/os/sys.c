#include "guest/os/sys.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

__asm__(".text\n"
	".hidden sys_call_begin\n.hidden sys_call_end\n.hidden sys_call\n"
	".globl sys_call_begin\n.globl sys_call_end\n.globl sys_call\n"
	".type sys_call,@function\n"
	"sys_call_begin:\n"
	"sys_call:\n"
	"	mov %rdi, %rax\n"
	"	mov %rsi, %rdi\n"
	"	mov %rdx, %rsi\n"
	"	mov %rcx, %rdx\n"
	"	mov %r8, %r10\n"
	"	mov %r9, %r8\n"
	"	mov 8(%rsp), %r9\n"
	"	syscall\n"
	"	ret\n"
	"sys_call_end:\n"
	".size sys_call, .-sys_call\n");

int sys_open_read(const char *path)
{
	return (int)sys_call(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
}

long sys_read(int fd, void *to, size_t bytes)
{
	return sys_call(SYS_read, fd, (long)to, (long)bytes, 0, 0, 0);
}

long sys_close(int fd)
{
	return sys_call(SYS_close, fd, 0, 0, 0, 0, 0);
}

long sys_map_fixed(uint64_t addr, uint64_t bytes, int prot)
{
	long got = sys_call(SYS_mmap, (long)addr, (long)bytes, prot,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1,
			    0);

	return got < 0 ? got : 0;
}

long sys_protect(uint64_t addr, uint64_t bytes, int prot)
{
	return sys_call(SYS_mprotect, (long)addr, (long)bytes, prot, 0, 0, 0);
}

void sys_exit_group(int status)
{
	for (;;)
		sys_call(SYS_exit_group, status, 0, 0, 0, 0, 0);
}

void sys_futex_wait(uint32_t *word, uint32_t expected, int64_t timeout_ns)
{
	struct timespec limit = { timeout_ns / 1000000000, timeout_ns % 1000000000 };

	sys_call(SYS_futex, (long)word, FUTEX_WAIT, expected, timeout_ns < 0 ? 0 : (long)&limit, 0,
		 0);
}

void sys_futex_wake(uint32_t *word, int count)
{
	sys_call(SYS_futex, (long)word, FUTEX_WAKE, count, 0, 0, 0);
}

int sys_fork(void)
{
	return (int)sys_call(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0);
}

int sys_wait(int pid)
{
	int status = 0;
	long got;

	do {
		got = sys_call(SYS_wait4, pid, (long)&status, 0, 0, 0, 0);
	} while (got < 0 && got != -10 /* ECHILD: nothing left to wait for */);
	return status;
}

int sys_getpid(void)
{
	return (int)sys_call(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

int sys_gettid(void)
{
	return (int)sys_call(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

uint64_t sys_monotonic_ns(void)
{
	struct timespec now;

	sys_call(SYS_clock_gettime, CLOCK_MONOTONIC, (long)&now, 0, 0, 0, 0);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void sys_sleep_ns(uint64_t ns)
{
	struct timespec span = { (time_t)(ns / 1000000000u), (long)(ns % 1000000000u) };

	sys_call(SYS_nanosleep, (long)&span, 0, 0, 0, 0, 0);
}

void sys_pin_to_one_cpu(void)
{
	unsigned long mask[16] = { 0 };
	unsigned cpu = 0;

	if (sys_call(SYS_getcpu, (long)&cpu, 0, 0, 0, 0, 0) != 0 || cpu >= 1024)
		return;
	mask[cpu / 64] = 1ul << (cpu % 64);
	sys_call(SYS_sched_setaffinity, 0, sizeof(mask), (long)mask, 0, 0, 0);
}

int sys_traced(void)
{
	static const char key[] = "TracerPid:\t";
	char text[1024];
	int fd = sys_open_read("/proc/self/status");
	long got = fd < 0 ? -1 : sys_read(fd, text, sizeof(text) - 1);
	const char *at;

	if (fd >= 0)
		sys_close(fd);
	if (got <= 0)
		return 0;
	text[got] = 0;
	at = strstr(text, key);
	return at && at[sizeof(key) - 1] != '0';
}
